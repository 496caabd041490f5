import type { ComponentChildren } from 'preact'
import type { ClientState, Narrow } from '../../../src/client/index.ts'
import { emptyText } from '../../model/navigation/empty-text.ts'
import { topicName } from '../../model/reading/conversations.ts'
import type { FeedView } from '../../model/reading/feed-view.ts'
import { groupName } from '../../model/reading/groups.ts'
import { nameOf, namesOf, presenceOf, presenceWord } from '../../model/reading/people.ts'
import { mayAddOthers } from '../../model/reading/stream-rights.ts'
import { isSearch } from '../../model/search/search.ts'
import { isolated } from '../../model/state/isolated.ts'
import { listOf } from '../../model/state/language.ts'
import type { Session } from '../../model/state/session.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { Content } from '../content/content.tsx'
import { openProfile } from '../content/open-profile.tsx'
import { Avatar } from '../parts/avatar.tsx'
import type { IconName } from '../parts/icon.tsx'
import { Nothing } from '../parts/nothing.tsx'
import { attempt } from '../parts/notices.tsx'
import { StreamMark } from '../parts/stream-mark.tsx'
import { shortDate } from '../parts/times.ts'
import { useSession } from '../session-context.ts'
import '../../styles/feed-start.css'
import { channelOf } from './channel-of.ts'
import { FOLLOWED, policyOf } from './toggle-mute.ts'

type Stream = ClientState['never_subscribed'][number]

/** What precedes the first message of a feed: what the conversation is for, and what to do in it. */
export function FeedStart({ feed, isEmpty }: { feed: FeedView; isEmpty: boolean }) {
  const session = useSession()
  const isFound = isSearch(feed.narrow, session.state.user_id)
  const stream = channelOf(session, feed.narrow)
  const { conversation } = feed
  return (
    <>
      {stream && <ChannelCard stream={stream} feed={feed} />}
      {conversation?.type === 'direct' && <DirectCard user_ids={conversation.user_ids} />}
      {isEmpty &&
        (stream || conversation ? (
          <p class="empty">{emptyText(feed.narrow, isFound)}</p>
        ) : (
          <Nothing icon={iconOf(feed.narrow, isFound)}>{emptyText(feed.narrow, isFound)}</Nothing>
        ))}
      {!isEmpty && (stream || conversation) && <p class="empty">{pieceTexts.feed.beginning}</p>}
    </>
  )
}

const icons: Readonly<Record<string, IconName>> = {
  'is starred': 'star',
  'is mentioned': 'at',
  'is alerted': 'at',
  'is unread': 'check',
  'is dm': 'people',
}

/** The icon of an empty view. */
function iconOf([first, ...others]: Narrow, isSearch: boolean): IconName {
  const known = others.length === 0 && first && !first.negated && icons[`${first.operator} ${first.operand}`]
  return known || (isSearch ? 'search' : 'inbox')
}

interface CardProps {
  mark: ComponentChildren
  title: string
  /** Lines below the title. */
  about: readonly (string | undefined)[]
  /** Rendered markup above them. */
  description?: string
  children?: ComponentChildren
}

const Card = ({ mark, title, about, description, children }: CardProps) => (
  <section class="feed-start" aria-label={title}>
    <div class="feed-start-mark">{mark}</div>
    {/* No heading: the page's own has the same name. */}
    <p class="title">{title}</p>
    {description && <Content html={description} class="description" />}
    {about.map((line) => (line ? <p key={line}>{line}</p> : null))}
    {children && <p class="buttons">{children}</p>}
  </section>
)

function ChannelCard({ stream, feed }: { stream: Stream; feed: FeedView }) {
  const session = useSession()
  const state = session.read('groups', 'organization', 'streams', 'users')
  const { stream_id, name, rendered_description, subscriber_count, date_created, creator_id } = stream
  const topic = feed.conversation?.type === 'stream' ? feed.conversation.topic : undefined
  const isFollowed = topic !== undefined && policyOf(session, stream_id, topic) === FOLLOWED
  const day = date_created ? shortDate(new Date(date_created * 1000)) : ''
  const created =
    creator_id === null ? pieceTexts.feed.created(day) : pieceTexts.feed.createdBy(nameOf(session, creator_id), day)
  const follow = () =>
    attempt(() => session.client.updateUserTopic({ stream_id, topic: topic!, visibility_policy: FOLLOWED }))
  return (
    <Card
      mark={<StreamMark stream={stream} />}
      title={topic === undefined ? name : topicName(topic, state)}
      description={rendered_description}
      about={[
        topic === undefined ? undefined : pieceTexts.feed.inChannel(isolated(name)),
        `${pieceTexts.feed.members(subscriber_count)} · ${pieceTexts.feed.posters(posters(session, stream))}`,
        topic === undefined && day ? created : undefined,
      ]}
    >
      {!isReadOnly(session) && (
        <>
          {topic !== undefined && !isFollowed && (
            <button type="button" onClick={follow}>
              {texts.actions.followTopic}
            </button>
          )}
          {mayAddOthers(state, stream) && (
            <a class="button" href={`#streams/${stream_id}/members`}>
              {pieceTexts.feed.addPeople}
            </a>
          )}
          <a class="button" href={`#streams/${stream_id}`}>
            {texts.actions.channelSettings}
          </a>
        </>
      )}
    </Card>
  )
}

/** Who can post in a channel: a group, or the people and groups chosen. */
function posters(session: Session, { can_send_message_group: value, invite_only }: Stream): string {
  if (typeof value === 'number') {
    const group = session.read('groups').realm_user_groups.find(({ id }) => id === value)
    // Nobody else sees a private channel.
    const isOpen = group?.name === 'role:everyone' || group?.name === 'role:members'
    return invite_only && isOpen ? pieceTexts.feed.ownMembers : groupName(session, value)
  }
  const { direct_members, direct_subgroups } = value
  return listOf([
    ...direct_subgroups.map((id) => isolated(groupName(session, id))),
    ...direct_members.map((id) => isolated(nameOf(session, id))),
  ])
}

function DirectCard({ user_ids }: { user_ids: readonly number[] }) {
  const session = useSession()
  const [only, ...others] = user_ids as [number, ...number[]]
  const isSelf = only === session.state.user_id
  const presence = presenceOf(session, only)
  return (
    <Card
      mark={user_ids.map((id) => <Avatar key={id} user_id={id} size={56} />)}
      title={namesOf(session, user_ids)}
      about={[isSelf ? pieceTexts.feed.onlyYou : others.length === 0 ? presenceWord(presence) : undefined]}
    >
      {others.length === 0 && !isSelf && (
        <button type="button" onClick={() => openProfile(session, only)}>
          {pieceTexts.feed.profile}
        </button>
      )}
    </Card>
  )
}
