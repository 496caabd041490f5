import { administersStream } from '../../../src/client/index.ts'
import { mayRead } from '../../model/reading/stream-rights.ts'
import { isolated } from '../../model/state/isolated.ts'
import { go } from '../../model/state/route.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { ListPage } from '../lists/list-page.tsx'
import { confirm } from '../parts/confirm.tsx'
import { attempt } from '../parts/notices.tsx'
import '../../styles/settings.css'
import { useSession } from '../session-context.ts'
import { SettingField } from '../settings/setting-field.tsx'
import { OwnSettings } from './own-settings.tsx'
import { type StreamSettingName, streamTable } from './stream-table.ts'
import { Subscribers } from './subscribers.tsx'

/** Users who can't read a stream can't grant the right to read it. */
const givesReading: ReadonlySet<StreamSettingName> = new Set([
  'is_private',
  'is_web_public',
  'history_public_to_subscribers',
  'can_add_subscribers_group',
  'can_subscribe_group',
])

/** A stream: the reader's own settings, its subscribers and, with the right to change it, its properties. */
export function StreamPage({ stream_id }: { stream_id: number }) {
  const session = useSession()
  const { client } = session
  const state = session.read('streams', 'organization', 'groups', 'users')
  const own = state.subscriptions.find((one) => one.stream_id === stream_id)
  const stream = own ?? [...state.unsubscribed, ...state.never_subscribed].find((one) => one.stream_id === stream_id)
  if (!stream) return <ListPage title={pageTexts.common.channel}>{texts.compose.noSuchChannel}</ListPage>
  const { name, description, is_archived } = stream
  const mayChange = administersStream(state, stream)
  const archive = () =>
    confirm({
      title: pageTexts.channel.archiveTitle(isolated(name)),
      text: pageTexts.channel.archiveText,
      action: pageTexts.channel.archive,
      run: async () => {
        await client.archiveStream({ stream_id })
        go('#streams')
      },
    })
  const values: Readonly<Record<string, unknown>> = {
    ...stream,
    new_name: name,
    is_private: stream.invite_only,
    is_default_stream: state.realm_default_streams.includes(stream_id),
  }
  const offered = streamTable.filter(
    ({ name: setting }) =>
      (setting !== 'is_default_stream' || (state.is_admin && !stream.invite_only)) &&
      (setting !== 'message_retention_days' || state.is_owner) &&
      (setting !== 'history_public_to_subscribers' || stream.invite_only) &&
      (setting !== 'is_web_public' || stream.is_web_public || state.can_create_web_public_streams) &&
      (mayRead(state, stream) || !givesReading.has(setting)),
  )
  if (is_archived) {
    return (
      <ListPage title={name}>
        <p>{pageTexts.channel.isArchived}</p>
        {mayChange && (
          <p>
            <button
              type="button"
              class="primary"
              onClick={() => attempt(() => client.updateStream({ stream_id, is_archived: false }))}
            >
              {pageTexts.channel.unarchive}
            </button>
          </p>
        )}
      </ListPage>
    )
  }
  return (
    <ListPage
      title={name}
      actions={
        mayChange && (
          <button type="button" onClick={archive}>
            {pageTexts.channel.archive}
          </button>
        )
      }
    >
      {!mayChange && <p class="quiet">{description || pageTexts.channel.noDescription}</p>}
      {own && <OwnSettings subscription={own} />}
      <Subscribers stream={stream} />
      {mayChange && (
        <section aria-labelledby="for-all">
          <h2 id="for-all">{pageTexts.channel.general}</h2>
          {!mayRead(state, stream) && <p class="quiet">{pageTexts.channel.membersOnly}</p>}
          {offered.map((setting) => (
            <SettingField
              key={setting.name}
              setting={setting}
              value={values[setting.name]}
              of="stream"
              save={(value) => client.updateStream({ stream_id, [setting.name]: value })}
            />
          ))}
        </section>
      )}
    </ListPage>
  )
}
