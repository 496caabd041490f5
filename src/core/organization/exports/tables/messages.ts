import type { Message } from '../../../access/messages.ts'
import { groupBy } from '../../../kernel/base/lists.ts'
import { type Context, inSnapshot } from '../../../kernel/context.ts'
import { dialectOf } from '../../../kernel/store.ts'
import { DIRECT_TOPIC } from './personal.ts'
import { receiptsIn } from './receipts.ts'
import { directRecipient, recipientOfConversation } from './recipients.ts'
import { type ExportScope, includes } from './scope.ts'
import { clientId, PAGE, paged, REALM, type Row, type Source } from './source.ts'
import type { TextBytes } from './text-bytes.ts'

/** A message of the archive, and the files it refers to. */
export interface ExportedMessage {
  message: Row
  stored: Message
  file_ids: readonly number[]
}

export interface MessagePage {
  /**
   * The reader removes each message that it has handled. A page that the garbage collector took for long-lived would keep the rows of
   * all later ones in memory, until the next full collection.
   */
  exported: ExportedMessage[]
  /** Adds the rows of a message's recipients as JSON, with separators. Returns how many there are. */
  addReceived(stored: Message, to: TextBytes): number
}

type MessageSource = Pick<Source, 'reader' | 'db' | 'scope' | 'clients'>

/**
 * Yields the messages of the archive in order. Each page is a snapshot of its own, because the log of the database can't
 * begin again while a snapshot is open.
 */
export async function* messages(
  context: Context,
  about: Pick<Source, 'scope' | 'clients'>,
): AsyncGenerator<MessagePage> {
  const numbers = { last: 0 }
  const receipts = receiptsIn(about.scope)
  for (let after: number | undefined = -1; after !== undefined; ) {
    const from: number = after
    const page = await inSnapshot(context, (reader) =>
      pageAfter({ ...about, reader, db: reader.db }, from, { numbers, receipts }),
    )
    yield page
    after = page.next
  }
}

interface Page extends MessagePage {
  /** The page after this id is next. */
  next: number | undefined
}

async function pageAfter(
  source: MessageSource,
  after: number,
  { numbers, receipts }: { numbers: { last: number }; receipts: ReturnType<typeof receiptsIn> },
): Promise<Page> {
  const { db, scope, reader } = source
  const { idsIn } = dialectOf(reader.chat)
  const page = await db
    .selectFrom('message')
    .selectAll()
    .where('id', '>', after)
    .where('id', '<=', scope.last_message)
    .$if(scope.author !== undefined, (query) => query.where('sender_id', '=', scope.author!))
    .orderBy('id')
    .limit(PAGE)
    .execute()
  const next = page.length < PAGE ? undefined : page.at(-1)!.id
  const exported = page.filter((message) => includes(scope, message))
  page.length = 0
  if (exported.length === 0) return { exported: [], next, addReceived: () => 0 }
  const ids = exported.map((message) => message.id)
  const edits = await db
    .selectFrom('message_edit')
    .selectAll()
    .where('message_id', 'in', idsIn(ids))
    .orderBy('id', 'desc')
    .execute()
  const editsOf = groupBy(edits, (edit) => edit.message_id)
  const files = await db.selectFrom('message_file').selectAll().where('message_id', 'in', idsIn(ids)).execute()
  const filesOf = groupBy(
    files,
    (row) => row.message_id,
    (row) => row.file_id,
  )
  const topicIds = exported.flatMap(({ topic_id }) => topic_id ?? [])
  const topics = await db.selectFrom('topic').select(['id', 'name']).where('id', 'in', idsIn(topicIds)).execute()
  const topicOf = new Map(topics.map((topic) => [topic.id, topic.name]))
  const visitReceipts = await receipts(source, exported)
  return {
    exported: exported.map((stored) => ({
      message: messageRow(source, stored, topicOf, editsOf.get(stored.id)),
      stored,
      file_ids: filesOf.get(stored.id) ?? [],
    })),
    next,
    // Computed while writing, because a message may have as many recipients as there are users. There are far more of
    // these rows than of all others, so they are put together as bytes.
    addReceived(stored, to) {
      const before = numbers.last
      visitReceipts(stored, (user, flags) => {
        if (to.length > 0) to.putBytes(SEPARATOR)
        to.putBytes(ID)
        to.putNumber(++numbers.last)
        to.putBytes(USER)
        to.putNumber(user)
        to.putBytes(MESSAGE)
        to.putNumber(stored.id)
        to.putBytes(FLAGS)
        to.putNumber(flags)
        to.putBytes(END)
      })
      return numbers.last - before
    },
  }
}

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text)
const SEPARATOR = encoded(',\n')
const ID = encoded('{"id":')
const USER = encoded(',"user_profile":')
const MESSAGE = encoded(',"message":')
const FLAGS = encoded(',"flags_mask":')
const END = encoded('}')

type Edit = {
  user_id: number | null
  edited_at: number
  prev_content: string | null
  prev_rendered_content: string | null
  prev_topic: string | null
  topic: string | null
  prev_stream_id: number | null
  stream_id: number | null
}

function messageRow(
  source: MessageSource,
  message: Message,
  topicOf: ReadonlyMap<number, string>,
  edits: readonly Edit[] | undefined,
): Row {
  const { id, sender_id, conversation_id, topic_id, content, rendered_content } = message
  const changed = Math.max(message.edited_at ?? 0, message.moved_at ?? 0)
  return {
    id,
    sender: sender_id,
    recipient:
      topic_id === null
        ? directRecipient(conversation_id, source.scope.directs.get(conversation_id)!, sender_id)
        : recipientOfConversation(conversation_id),
    realm: REALM,
    subject: topic_id === null ? DIRECT_TOPIC : topicOf.get(topic_id)!,
    is_channel_message: topic_id !== null,
    content,
    rendered_content,
    rendered_content_version: 1,
    date_sent: message.sent_at,
    sending_client: clientId(source, message.client),
    last_edit_time: changed === 0 ? null : changed,
    edit_history: edits ? JSON.stringify(edits.map((edit) => editEntry(source, edit))) : null,
    has_attachment: message.has_attachment === 1,
    has_image: message.has_image === 1,
    has_link: message.has_link === 1,
  }
}

/** A stream that isn't in the archive has no number either. */
function editEntry({ scope }: MessageSource, edit: Edit): Row {
  const { prev_stream_id, stream_id } = edit
  const isMove = prev_stream_id !== null && scope.streams.has(prev_stream_id) && scope.streams.has(stream_id!)
  return {
    user_id: edit.user_id,
    timestamp: edit.edited_at,
    ...(edit.prev_content !== null && {
      prev_content: edit.prev_content,
      prev_rendered_content: edit.prev_rendered_content,
      prev_rendered_content_version: 1,
    }),
    ...(edit.prev_topic !== null && { prev_topic: edit.prev_topic, topic: edit.topic }),
    ...(isMove && { prev_stream: prev_stream_id, stream: stream_id }),
  }
}

/** Yields the reactions to the archive's messages. Each page is a snapshot of its own, as for messages. */
export async function* reactions(context: Context, scope: ExportScope): AsyncGenerator<Row[]> {
  const pages = paged((after, limit) =>
    inSnapshot(context, ({ db }) =>
      db
        .selectFrom('reaction')
        .innerJoin('message', 'message.id', 'reaction.message_id')
        .select([
          'reaction.id',
          'reaction.user_id',
          'reaction.message_id',
          'reaction.emoji_name',
          'reaction.emoji_code',
          'reaction.reaction_type',
          'message.conversation_id',
          'message.topic_id',
        ])
        .where('reaction.id', '>', after)
        .$if(scope.author !== undefined, (query) => query.where('message.sender_id', '=', scope.author!))
        .orderBy('reaction.id')
        .limit(limit)
        .execute(),
    ),
  )
  for await (const page of pages) {
    yield page.flatMap(({ conversation_id, topic_id, user_id, message_id, ...reaction }) =>
      includes(scope, { id: message_id, conversation_id, topic_id })
        ? { ...reaction, user_profile: user_id, message: message_id }
        : [],
    )
  }
}

/** Yields the archive's pinned messages. Pages are snapshots, as for messages. */
export async function* pinnedMessages(context: Context, scope: ExportScope): AsyncGenerator<Row[]> {
  const pages = paged((after, limit) =>
    inSnapshot(context, ({ db }) =>
      db
        .selectFrom('pinned_message')
        .innerJoin('message', 'message.id', 'pinned_message.message_id')
        .select(['message.id', 'pinned_message.user_id', 'pinned_at', 'message.conversation_id', 'message.topic_id'])
        .where('message.id', '>', after)
        .$if(scope.author !== undefined, (query) => query.where('message.sender_id', '=', scope.author!))
        .orderBy('message.id')
        .limit(limit)
        .execute(),
    ),
  )
  for await (const page of pages) {
    yield page.flatMap(({ conversation_id, topic_id, id, user_id, pinned_at }) =>
      includes(scope, { id, conversation_id, topic_id }) ? { message: id, user_profile: user_id, pinned_at } : [],
    )
  }
}

/** Yields the votes in the archive's polls, and the changes of its to-do lists. Pages are snapshots, as for messages. */
export async function* submessages(context: Context, scope: ExportScope): AsyncGenerator<Row[]> {
  const pages = paged((after, limit) =>
    inSnapshot(context, ({ db }) =>
      db
        .selectFrom('submessage')
        .innerJoin('message', 'message.id', 'submessage.message_id')
        .select([
          'submessage.id',
          'submessage.sender_id',
          'submessage.message_id',
          'submessage.msg_type',
          'submessage.content',
          'message.conversation_id',
          'message.topic_id',
        ])
        .where('submessage.id', '>', after)
        .$if(scope.author !== undefined, (query) => query.where('message.sender_id', '=', scope.author!))
        .orderBy('submessage.id')
        .limit(limit)
        .execute(),
    ),
  )
  for await (const page of pages) {
    yield page.flatMap(({ conversation_id, topic_id, sender_id, message_id, ...row }) =>
      includes(scope, { id: message_id, conversation_id, topic_id })
        ? { ...row, sender: sender_id, message: message_id }
        : [],
    )
  }
}
