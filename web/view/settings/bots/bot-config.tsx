import { useSession } from '../../session-context.ts'
import { TextField } from '../text-field.tsx'
import { useAnswer } from '../use-answer.ts'
import { type Bot, INCOMING } from './bot-kinds.ts'

const ofIncoming = [
  ['template', 'Message', 'For any JSON: a text with {names.of.members} of what is posted.'],
  ['topic_template', 'Topic', 'For any JSON: the topic, with names likewise.'],
] as const
const ofOutgoing = [
  ['every_message', 'Every message', 'Write “true”, and it gets all messages of its streams, not only mentions.'],
  ['filter_stream', 'Only this stream', 'The name of the one stream whose messages it gets.'],
  ['filter_topic', 'Only this topic', 'The topic whose messages it gets.'],
] as const

/** The configuration of an integration, kept with the bot. Only who changes it gets to see it. */
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
