import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { AddChoice } from '../../parts/field.tsx'
import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { SettingCards } from '../setting-cards.tsx'
import { SettingField } from '../setting-field.tsx'
import { defaultRows } from './default-rows.ts'
import { StreamGroups } from './stream-groups.tsx'

/** Defaults for new accounts: streams and settings. */
export function Newcomers() {
  const session = useSession()
  const { client } = session
  const state = session.read('organization', 'streams')
  const defaults = new Set(state.realm_default_streams)
  const known = [...state.subscriptions, ...state.unsubscribed, ...state.never_subscribed].filter(
    ({ is_archived, invite_only }) => !is_archived && !invite_only,
  )
  const others = known.filter(({ stream_id }) => !defaults.has(stream_id))
  return (
    <>
      <p class="quiet">{pageTexts.newcomers.intro}</p>
      <h3>{pageTexts.newcomers.channels}</h3>
      <ul class="settings-list">
        {known
          .filter(({ stream_id }) => defaults.has(stream_id))
          .map(({ stream_id, name, description }) => (
            <li key={stream_id}>
              <span class="name">
                {name}
                <span class="quiet small">{description}</span>
              </span>
              <button
                type="button"
                aria-label={texts.common.removeName(name)}
                onClick={() => attempt(() => client.removeDefaultStream({ stream_id }))}
              >
                {pageTexts.common.remove}
              </button>
            </li>
          ))}
      </ul>
      {others.length > 0 && (
        <AddChoice
          label={pageTexts.newcomers.addChannel}
          placeholder={pageTexts.newcomers.addChannelPlaceholder}
          options={others.map(({ stream_id, name }) => [stream_id, name])}
          onAdd={(stream_id) => attempt(() => client.addDefaultStream({ stream_id }))}
        />
      )}
      <StreamGroups />
      <h3>{pageTexts.newcomers.settings}</h3>
      <SettingCards settings={defaultRows}>
        {(setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            value={(state.realm_user_settings_defaults as Readonly<Record<string, unknown>>)[setting.name]}
            save={(value) => client.updateSettingsDefaults({ [setting.name]: value })}
          />
        )}
      </SettingCards>
    </>
  )
}
