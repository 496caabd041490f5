import { after, flag, fold, insertion, type Soon } from '../../../storage/index.ts'
import { readableFiles, type StoredFile } from '../../access/files.ts'
import type { Message } from '../../access/messages.ts'
import { requireVoice } from '../../access/silence.ts'
import { callCommand } from '../../bots/profiles/commands.ts'
import { emit } from '../../events/log/emit.ts'
import { claimFiles } from '../../files/claims.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Tx } from '../../kernel/context.ts'
import { diskSpaceOf } from '../../kernel/disk-space.ts'
import type { User } from '../../kernel/user.ts'
import { indexerOf } from '../../narrow/search/indexer.ts'
import { topicLinks } from '../../organization/linkifiers/topic-links.ts'
import { type Matches, requireAccepted } from '../../review/filters/require.ts'
import type { Stream } from '../../streams/access.ts'
import { setRecentlyActive } from '../../streams/recently-active.ts'
import { admittedTopic } from '../../streams/topics-policy.ts'
import { insertSubmessage } from '../widgets/submessages.ts'
import { widgetOf } from '../widgets/widget.ts'
import { applying, reportFlagged, topicMatches } from './content-filters.ts'
import { conversationFor } from './conversations.ts'
import { recordFirstMessage } from './first-message.ts'
import { requireGroupMentions } from './group-mentions.ts'
import { recordMentions } from './mentions.ts'
import { messageEvent } from './message-event.ts'
import { linkPreviewsOf, mailWorkerOf, mobilePushOf, outgoingOf, webPushOf } from './message-workers.ts'
import { type Prepared, prepare } from './prepare.ts'
import { readAtOnce } from './read-at-once.ts'
import { withReadyImages } from './ready-images.ts'
import type { Recipient } from './recipient.ts'
import { requirePause } from './slow-mode.ts'
import { topicFor } from './topics.ts'
import { visibilityAfterSending } from './visibility-after-sending.ts'
import { requireUnheld } from './why-held.ts'
import { requireWildcard } from './wildcards.ts'

export interface PostOptions {
  read_by_sender: boolean
  echo?: { queue_id: string; local_id: string }
  /** Ids of users who get it as a read message. */
  readBy?: readonly number[]
  /** It starts as read for everybody but these users, and for nobody without a list. */
  unreadFor?: readonly number[] | undefined
  /** Whether a moderator has approved it, or needn't. Otherwise a message that must wait is rejected. */
  review?: 'approved' | 'needless'
}

const noFiles: readonly StoredFile[] = []

type NewMessage = Omit<Message, 'id' | 'edited_at' | 'moved_at' | 'origin_id'>

const insertRow = insertion((db, p: NewMessage) =>
  db
    .insertInto('message')
    .values({
      sender_id: p.sender_id,
      conversation_id: p.conversation_id,
      topic_id: p.topic_id,
      content: p.content,
      rendered_content: p.rendered_content,
      sent_at: p.sent_at,
      client: p.client,
      read_by_sender: p.read_by_sender,
      starts_read: p.starts_read,
      stream_wildcard: p.stream_wildcard,
      topic_wildcard: p.topic_wildcard,
      has_link: p.has_link,
      has_image: p.has_image,
      has_attachment: p.has_attachment,
      is_me_message: p.is_me_message,
      edited_at: null,
      moved_at: null,
      origin_id: null,
    } satisfies Record<Exclude<keyof Message, 'id'>, unknown>)
    .returning('id'),
)

/** Stores a message of the writer, emits its event and returns its id. The only function that creates messages. */
export async function postMessage(
  tx: Tx,
  requested: Recipient,
  prepared: Prepared,
  options: PostOptions,
): Promise<number> {
  const isApproved = options.review === 'approved'
  if (tx.user.is_system_bot === 0) {
    diskSpaceOf(tx.chat).requireRoomForMessage()
    const checking = isApproved ? undefined : requireVoice(tx)
    if (checking) await checking
  }
  const { content, rendered, widget = widgetOf(content) } = prepared
  const inStream = requested.kind === 'stream'
  if (inStream && requested.stream.slow_mode_seconds > 0 && !isApproved) await requirePause(tx, requested.stream)
  const matching = isApproved ? [] : acceptedMatches(tx, requested, prepared)
  const matches = matching instanceof Promise ? await matching : matching
  if (options.review === undefined) await requireUnheld(tx, requested, prepared)
  const finding = inStream ? topicFor(tx, requested.stream.id, requested.topic, fold(requested.topic)) : null
  const topic = finding instanceof Promise ? await finding : finding
  const topic_id = topic?.id ?? null
  // An existing topic keeps its spelling.
  const recipient: Recipient = inStream && topic ? { ...requested, topic: topic.name } : requested
  if (recipient.kind === 'stream' && (rendered.streamWildcard || rendered.topicWildcard)) {
    await requireWildcard(tx, recipient.stream, topic_id!, rendered)
  }
  // Most messages have none of these. A call that isn't made creates no promise.
  if (rendered.mentionedGroupIds.length > 0) await requireGroupMentions(tx, rendered)
  const files = rendered.attachmentPaths.length > 0 ? await readableFiles(tx, rendered.attachmentPaths) : noFiles
  const message = {
    sender_id: tx.user.id,
    conversation_id: recipient.conversation_id,
    topic_id,
    content,
    rendered_content: withReadyImages(rendered.html, files),
    sent_at: seconds(tx.chat.clock),
    client: tx.client,
    // In a stream without the sender's subscription, their own message counts as read.
    read_by_sender: flag(options.read_by_sender || (requested.kind === 'stream' && !requested.stream.subscribed)),
    starts_read: flag(options.unreadFor !== undefined),
    stream_wildcard: flag(inStream && rendered.streamWildcard),
    topic_wildcard: flag(inStream && rendered.topicWildcard),
    has_link: flag(rendered.hasLink),
    has_image: flag(rendered.hasImage),
    has_attachment: flag(files.length > 0),
    is_me_message: flag(rendered.isMeMessage),
  }
  const inserting = insertRow(tx.db, message)
  const id = inserting instanceof Promise ? await inserting : inserting
  const sent = { ...message, id, edited_at: null, moved_at: null, origin_id: null }
  if (recipient.kind === 'stream' && recipient.stream.first_message_id === null)
    await recordFirstMessage(tx, recipient.stream.id, sent.id)
  if (recipient.kind === 'stream' && !recipient.stream.is_recently_active && !tx.user.is_system_bot)
    await setRecentlyActive(tx, recipient.stream, true)
  const { chat } = tx
  tx.afterCommit(() => {
    indexerOf(chat).wake()
    outgoingOf(chat).wake()
    webPushOf(chat).wake()
    mobilePushOf(chat).wake()
    mailWorkerOf(chat).wake()
    if (rendered.hasLink) linkPreviewsOf(chat).add(sent.id)
  })
  const recording = recordMentions(tx, sent, recipient, rendered, options.unreadFor)
  const flagsByUser = recording instanceof Promise ? await recording : recording
  const reading = readAtOnce(tx, sent, recipient, options.readBy)
  const muting = reading instanceof Promise ? await reading : reading
  const submessages = widget === undefined ? [] : [await insertSubmessage(tx, sent.id, 'widget', widget)]
  const linking = topic ? topicLinks(tx, topic.name) : []
  const topic_links = linking instanceof Promise ? await linking : linking
  const parts = { flagsByUser, muting, unreadFor: options.unreadFor, submessages, topic_links, echo: options.echo }
  const { event, audience } = messageEvent(tx, sent, recipient, parts)
  const emitting = emit(tx, event, audience)
  if (emitting instanceof Promise) await emitting
  if (files.length > 0) await claimFiles(tx, sent.id, files)
  if (recipient.kind === 'stream') {
    const place = { stream: recipient.stream, name: recipient.topic, isNew: topic?.isNew === true }
    const following = visibilityAfterSending(tx, place, flagsByUser)
    if (following) await following
  }
  if (matches.length > 0) await reportFlagged(tx, sent, matches)
  if (content.startsWith('/')) {
    const place =
      recipient.kind === 'stream' ? { topic: recipient.topic } : { users: recipient.people.map(({ id }) => id) }
    await callCommand(tx, sent, place)
  }
  return sent.id
}

/** Returns the filters that match a message and let it pass. Throws if one rejects it. */
function acceptedMatches(tx: Tx, recipient: Recipient, { matches }: Prepared): Soon<Matches> {
  const found = matches.length === 0 ? matches : applying(tx, recipient, matches)
  requireAccepted(found, true)
  if (recipient.kind === 'direct') return found
  return after(topicMatches(tx, recipient.stream.id, recipient.topic), (inTopic) =>
    inTopic.length === 0 ? found : [...found, ...inTopic],
  )
}

/** Sends a direct message of the writer, to users whose permission was checked. */
export const sendDirect = async (tx: Tx, people: readonly User[], content: string): Promise<number> =>
  sendPrepared(tx, people, await prepare(tx, content))

/** Sends a text that is rendered already. */
export async function sendPrepared(tx: Tx, people: readonly User[], prepared: Prepared): Promise<number> {
  const all = [...new Map([tx.user, ...people].map((user) => [user.id, user])).values()].sort((a, b) => a.id - b.id)
  const conversation_id = await conversationFor(tx, all)
  const recipient: Recipient = { kind: 'direct', conversation_id, people: all }
  return postMessage(tx, recipient, prepared, { read_by_sender: true })
}

/**
 * Sends a message of the writer to a stream without checking permissions, such as the server's own notices.
 *
 * @param options.streams - streams that the text may link to even if the writer can't read them
 */
export async function sendToTopic(
  tx: Tx,
  stream_id: number,
  topic: string,
  content: string,
  { streams, ...options }: { streams?: readonly Stream[] } & Pick<PostOptions, 'readBy' | 'unreadFor'> = {},
): Promise<number> {
  const stream = await tx.db.selectFrom('stream').selectAll().where('id', '=', stream_id).executeTakeFirstOrThrow()
  const recipient: Recipient = {
    kind: 'stream',
    conversation_id: stream_id,
    stream: { ...stream, subscribed: true },
    topic: admittedTopic(stream, topic),
  }
  return postMessage(tx, recipient, await prepare(tx, content, streams), { read_by_sender: true, ...options })
}
