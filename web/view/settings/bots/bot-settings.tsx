import { pageTexts } from '../../../texts/page-texts.ts'
import { CheckField, ChoiceField, SaveState } from '../../parts/field.tsx'
import { FileInput } from '../../parts/file-input.tsx'
import { useSaving } from '../../parts/use-saving.ts'
import { useSession } from '../../session-context.ts'
import { TextField } from '../text-field.tsx'
import { BotConfig } from './bot-config.tsx'
import { type Bot, GENERIC, INCOMING, interfaces, OUTGOING } from './bot-kinds.ts'
import { Deliveries } from './deliveries.tsx'
import { Failures } from './failures.tsx'
import { Feeds } from './feeds.tsx'
import { WebhookAddresses } from './webhook-addresses.tsx'

/** The editable properties of a bot. */
export function BotSettings({ bot }: { bot: Bot }) {
  const session = useSession()
  const { client } = session
  const { user_id: bot_id, full_name, bot_type, bot_owner_id: owner_id, services } = bot
  const { realm_users, streams } = session.read('users', 'streams')
  const picture = useSaving((file: File) => client.updateBot({ bot_id, file }))
  const people = realm_users
    .filter(({ is_bot }) => !is_bot)
    .map(({ user_id, full_name: name }) => [user_id, name] as const)
  const ownStreams = streams.map(({ name }) => [name, name] as const)
  const [service] = services
  return (
    <div class="bot-settings">
      <TextField
        label={pageTexts.common.name}
        about={pageTexts.bots.nameHelp}
        value={full_name}
        maxLength={100}
        save={(name) => client.updateBot({ bot_id, full_name: name })}
      />
      <div class="field">
        <label>
          {pageTexts.bots.picture}
          <FileInput
            accept="image/*"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? []
              if (file) picture.run(file)
            }}
          />
        </label>
        <SaveState problem={picture.problem.value} saved={picture.saved.value} />
      </div>
      <ChoiceField
        label={pageTexts.bots.owner}
        about={pageTexts.bots.ownerHelp}
        value={owner_id ?? 0}
        options={people}
        save={(bot_owner_id) => client.updateBot({ bot_id, bot_owner_id })}
      />
      <ChoiceField
        label={pageTexts.bots.sendsTo}
        about={pageTexts.bots.sendsToHelp}
        value={bot.default_sending_stream ?? ''}
        options={[['', pageTexts.common.none], ...ownStreams]}
        save={(default_sending_stream) => client.updateBot({ bot_id, default_sending_stream })}
      />
      {bot_type !== INCOMING && (
        <>
          <ChoiceField
            label={pageTexts.bots.listensTo}
            about={pageTexts.bots.listensToHelp}
            value={bot.default_events_register_stream ?? ''}
            options={[['', pageTexts.common.none], ...ownStreams]}
            save={(default_events_register_stream) => client.updateBot({ bot_id, default_events_register_stream })}
          />
          <CheckField
            label={pageTexts.bots.listensToAll}
            about={pageTexts.bots.listensToAllHelp}
            value={bot.default_all_public_streams}
            save={(default_all_public_streams) => client.updateBot({ bot_id, default_all_public_streams })}
          />
        </>
      )}
      {bot_type !== GENERIC && <BotConfig bot={bot} />}
      {bot_type === INCOMING && (
        <>
          <WebhookAddresses bot_id={bot_id} />
          <Deliveries bot_id={bot_id} />
        </>
      )}
      {bot_type === OUTGOING && service && (
        <>
          <TextField
            label={pageTexts.bots.endpoint}
            about={pageTexts.bots.endpointHelp}
            value={service.base_url}
            maxLength={2000}
            save={(service_payload_url) => client.updateBot({ bot_id, service_payload_url })}
          />
          <ChoiceField
            label={pageTexts.bots.format}
            about={pageTexts.bots.formatHelp}
            value={service.interface}
            options={interfaces}
            save={(service_interface) => client.updateBot({ bot_id, service_interface })}
          />
          <p class="quiet small">{pageTexts.bots.token(service.token)}</p>
          <Failures bot_id={bot_id} />
        </>
      )}
      <Feeds bot_id={bot_id} bot_name={full_name} />
    </div>
  )
}
