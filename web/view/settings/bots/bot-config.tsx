import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { useSession } from '../../session-context.ts'
import { TextField } from '../text-field.tsx'
import { useAnswer } from '../use-answer.ts'
import { type Bot, INCOMING } from './bot-kinds.ts'

const ofIncoming = [
  ['template', texts.compose.message, pageTexts.bots.templateHelp],
  ['topic_template', texts.compose.topic, pageTexts.bots.topicTemplateHelp],
] as const
const ofOutgoing = [
  ['every_message', pageTexts.bots.everyMessage, pageTexts.bots.everyMessageHelp],
  ['bot_messages', pageTexts.bots.botMessages, pageTexts.bots.botMessagesHelp],
  ['filter_stream', pageTexts.bots.onlyChannel, pageTexts.bots.onlyChannelHelp],
  ['filter_topic', pageTexts.bots.onlyTopic, pageTexts.bots.onlyTopicHelp],
] as const

/** The configuration of an integration, stored with the bot. Only the user who changes it sees it. */
export function BotConfig({ bot: { user_id: bot_id, bot_type } }: { bot: Bot }) {
  const { client } = useSession()
  const { answer, problem, load } = useAnswer(() => client.updateBot({ bot_id }))
  if (problem.value) return <p class="problem">{problem.value}</p>
  const config = answer.value?.config_data
  if (!config) return null
  const rows = bot_type === INCOMING ? ofIncoming : ofOutgoing
  return (
    <>
      {rows.map(([name, label, about]) => (
        <TextField
          key={name}
          label={label}
          about={about}
          value={config[name] ?? ''}
          save={async (text) => {
            await client.updateBot({ bot_id, config_data: { [name]: text.trim() } })
            await load()
          }}
        />
      ))}
    </>
  )
}
