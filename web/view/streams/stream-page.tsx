import { administersStream, type ClientState } from '../../../src/client/index.ts'
import { mayRead } from '../../model/reading/stream-rights.ts'
import { isolated } from '../../model/state/isolated.ts'
import { go } from '../../model/state/route.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { Content } from '../content/content.tsx'
import { ListPage } from '../lists/list-page.tsx'
import { confirm } from '../parts/confirm.tsx'
import { attempt } from '../parts/notices.tsx'
import { StreamMark } from '../parts/stream-mark.tsx'
import { keepTab, tabInAddress } from '../parts/tab-in-address.ts'
import { type Tab, Tabs } from '../parts/tabs.tsx'
import '../../styles/settings.css'
import { useSession } from '../session-context.ts'
import { DangerZone } from '../settings/danger-zone.tsx'
import { SettingCards } from '../settings/setting-cards.tsx'
import { SettingField } from '../settings/setting-field.tsx'
import { OwnSettings } from './own-settings.tsx'
import { type StreamSettingName, streamTabs } from './stream-table.ts'
import { Subscribers } from './subscribers.tsx'

/** Users who can't read a stream can't grant the right to read it. */
const givesReading: ReadonlySet<StreamSettingName> = new Set([
  'is_private',
  'is_web_public',
  'history_public_to_subscribers',
  'can_add_subscribers_group',
  'can_subscribe_group',
])

/** After `#streams` and the channel's ID. */
const TAB = 2

/** A stream in tabs: the reader's own settings, its subscribers and, with the right to change it, its properties. */
export function StreamPage({ stream_id }: { stream_id: number }) {
  const state = useSession().read('streams', 'organization', 'groups', 'users')
  const own = state.subscriptions.find((one) => one.stream_id === stream_id)
  const stream = own ?? [...state.unsubscribed, ...state.never_subscribed].find((one) => one.stream_id === stream_id)
  if (!stream) return <ListPage title={pageTexts.common.channel}>{texts.compose.noSuchChannel}</ListPage>
  const { name, description, rendered_description, is_archived } = stream
  const mayChange = administersStream(state, stream)
  if (is_archived) return <Archived stream={stream} mayChange={mayChange} />
  const tabs: (Tab | false | undefined)[] = [
    mayChange && {
      name: 'general',
      title: pageTexts.channel.general,
      content: () => <ChannelSettings stream={stream} of="general" />,
    },
    own && { name: 'personal', title: pageTexts.sections.own, content: () => <OwnSettings subscription={own} /> },
    { name: 'members', title: pageTexts.channel.members, content: () => <Subscribers stream={stream} /> },
    mayChange && {
      name: 'permissions',
      title: pageTexts.sections.permissions,
      content: () => <ChannelSettings stream={stream} of="permissions" />,
    },
  ]
  return (
    <ListPage
      title={
        <>
          <StreamMark stream={stream} />
          <span>{name}</span>
        </>
      }
    >
      {description ? (
        <Content html={rendered_description} class="quiet" />
      ) : (
        <p class="quiet">{pageTexts.channel.noDescription}</p>
      )}
      <Tabs
        label={texts.actions.channelSettings}
        tabs={tabs.filter((tab) => tab !== false && tab !== undefined)}
        first={tabInAddress(TAB)}
        onShow={(tab) => keepTab(TAB, tab)}
      />
    </ListPage>
  )
}

interface StreamProps {
  stream: ClientState['never_subscribed'][number]
}

/** The settings of a stream on one of its tabs. */
function ChannelSettings({ stream, of }: StreamProps & { of: keyof typeof streamTabs }) {
  const session = useSession()
  const { client } = session
  const state = session.read('streams', 'organization', 'groups', 'users')
  const { stream_id, name } = stream
  const values: Readonly<Record<string, unknown>> = {
    slow_mode_seconds: 0,
    ...stream,
    new_name: name,
    is_private: stream.invite_only,
    is_default_stream: state.realm_default_streams.includes(stream_id),
  }
  const reads = mayRead(state, stream)
  const offered = streamTabs[of].filter(
    ({ name: setting }) =>
      (setting !== 'is_default_stream' || (state.is_admin && !stream.invite_only)) &&
      (setting !== 'message_retention_days' || state.is_owner) &&
      (setting !== 'history_public_to_subscribers' || stream.invite_only) &&
      (setting !== 'is_web_public' || stream.is_web_public || state.can_create_web_public_streams) &&
      (reads || !givesReading.has(setting)),
  )
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
  return (
    <>
      {of === 'permissions' && !reads && <p class="quiet">{pageTexts.channel.membersOnly}</p>}
      <SettingCards settings={offered} heading="h2">
        {(setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            value={values[setting.name]}
            of="stream"
            save={(value) => client.updateStream({ stream_id, [setting.name]: value })}
          />
        )}
      </SettingCards>
      {of === 'general' && (
        <DangerZone about={pageTexts.channel.archiveText} action={pageTexts.channel.archive} onClick={archive} />
      )}
    </>
  )
}

function Archived({ stream: { stream_id, name }, mayChange }: StreamProps & { mayChange: boolean }) {
  const { client } = useSession()
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
