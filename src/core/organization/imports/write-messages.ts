import type { RecordOf } from '../../../import/format.ts'
import { flag, fold, statement } from '../../../storage/index.ts'
import type { StoredFile } from '../../access/files.ts'
import type { Message } from '../../access/messages.ts'
import { periodsOfUser } from '../../events/log/audience.ts'
import { position } from '../../events/log/emit.ts'
import type { Tx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import type { Rendered } from '../../markup/context.ts'
import { bits } from '../../read-state/flag-bits.ts'
import { customEmojiByName } from '../emoji/custom-emoji.ts'
import type { Emoji } from '../emoji/resolve.ts'
import type { Journal } from './journal.ts'
import { withOwnIds } from './widgets.ts'
import { conversationOf, type Range, readRange } from './write-places.ts'

/** A message that is rendered, and ready to be written. */
export interface PreparedMessage {
  id: number
  record: RecordOf<'message'>
  reactions: (Emoji & { user: string })[]
  content: string
  rendered: Rendered
  searchText: string
  files: readonly StoredFile[]
  /** Its earlier versions, newest first, also rendered. */
  edits: readonly (NonNullable<RecordOf<'message'>['edits']>[number] & { html: string | undefined })[]
}

const insertMessage = statement((db, p: Message) =>
  db.insertInto('message').values({
    id: p.id,
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
    edited_at: p.edited_at,
    moved_at: p.moved_at,
    origin_id: p.origin_id,
  }),
)
const insertReaction = statement((db, p: Emoji & { message_id: number; user_id: number }) =>
  db.insertInto('reaction').values({
    message_id: p.message_id,
    user_id: p.user_id,
    emoji_name: p.emoji_name,
    emoji_code: p.emoji_code,
    reaction_type: p.reaction_type,
  }),
)
const insertPin = statement((db, p: { message_id: number; stream_id: number; user_id: number; pinned_at: number }) =>
  db.insertInto('pinned_message').values({
    message_id: p.message_id,
    stream_id: p.stream_id,
    user_id: p.user_id,
    pinned_at: p.pinned_at,
  }),
)
const insertFlags = statement((db, p: { user_id: number; message_id: number; flags: number }) =>
  db.insertInto('message_flag').values({ user_id: p.user_id, message_id: p.message_id, flags: p.flags }),
)
const insertUnread = statement(
  (db, p: { import_id: number; user_id: number; conversation_id: number; message_id: number }) =>
    db.insertInto('import_unread').values({
      import_id: p.import_id,
      user_id: p.user_id,
      conversation_id: p.conversation_id,
      message_id: p.message_id,
    }),
)

/** People who receive the messages of channels with protected history at the moment, by channel: periods that are open. */
export type OpenPeriods = Map<number, Set<number>>

interface Situation {
  journal: Journal
  range: Range
  openPeriods: OpenPeriods
  /** Ids of channels with protected history. */
  protectedChannels: ReadonlySet<number>
}

/** Writes messages that have their ids already, in one write. */
export async function writeMessages(tx: Tx, messages: readonly PreparedMessage[], situation: Situation): Promise<void> {
  const { journal, range } = situation
  const { search } = dialectOf(tx.chat)
  const custom = await customEmojiByName(tx)
  const userId = (source: string): number => journal.get('user', source)!.id
  for (const { id, record, reactions, content, rendered, files, edits } of messages) {
    const sender_id = userId(record.user)
    const stream = record.channel === undefined ? undefined : journal.get('channel', record.channel)!.id
    const people = record.direct?.map(userId)
    const conversation_id = stream ?? (await conversationOf(tx, journal, people!, range))
    await insertMessage(tx.db, {
      id,
      sender_id,
      conversation_id,
      topic_id: stream === undefined ? null : await topicId(tx, journal, stream, record.topic!),
      content,
      rendered_content: rendered.html,
      sent_at: Math.floor(record.date),
      client: record.client || 'import',
      read_by_sender: flag(!record.unread?.includes(record.user)),
      starts_read: 0,
      stream_wildcard: flag(stream !== undefined && rendered.streamWildcard),
      topic_wildcard: flag(stream !== undefined && rendered.topicWildcard),
      has_link: flag(rendered.hasLink),
      has_image: flag(rendered.hasImage),
      has_attachment: flag(files.length > 0),
      is_me_message: flag(rendered.isMeMessage),
      edited_at: record.edited === undefined ? null : Math.floor(record.edited),
      moved_at: record.moved === undefined ? null : Math.floor(record.moved),
      origin_id: null,
    })
    await journal.noteMessage(tx.db, record.id, id)
    for (const { user, ...emoji } of reactions) {
      const code = emoji.reaction_type === 'realm_emoji' ? custom.get(emoji.emoji_name)?.id : emoji.emoji_code
      if (code === undefined) continue
      await insertReaction(tx.db, { ...emoji, emoji_code: code, message_id: id, user_id: userId(user) })
    }
    await writeFlags(tx, id, record, userId)
    if (record.pinned) {
      const { user, date = record.date } = record.pinned
      const pin = { message_id: id, stream_id: conversation_id, user_id: userId(user), pinned_at: Math.floor(date) }
      await insertPin(tx.db, pin)
    }
    for (const user_id of new Set(record.unread?.map(userId)))
      if (user_id !== sender_id)
        await insertUnread(tx.db, { import_id: journal.import_id, user_id, conversation_id, message_id: id })
    if (stream !== undefined && situation.protectedChannels.has(stream))
      await followPeriods(tx, situation, stream, id, (record.received ?? []).map(userId))
    // Oldest first, as they were made.
    for (const edit of edits.toReversed()) {
      await tx.db
        .insertInto('message_edit')
        .values({
          message_id: id,
          user_id: edit.user === undefined ? null : userId(edit.user),
          edited_at: Math.floor(edit.date),
          prev_content: edit.content ?? null,
          prev_rendered_content: edit.html ?? null,
          prev_topic: edit.topic ?? null,
          topic: edit.topic === undefined ? null : (edit.new_topic ?? record.topic ?? null),
          prev_stream_id: null,
          stream_id: null,
        })
        .execute()
    }
    for (const { user, content } of record.widget ?? []) {
      const step = withOwnIds(content, (source) => journal.get('user', source)?.id)
      const row = { message_id: id, sender_id: userId(user), msg_type: 'widget', content: step }
      await tx.db.insertInto('submessage').values(row).execute()
    }
    for (const file of files) {
      await tx.db.insertInto('message_file').values({ message_id: id, file_id: file.id }).execute()
      await tx.db.updateTable('file').set({ unused_since: null }).where('id', '=', file.id).execute()
    }
  }
  // Last, because each INSERT with RETURNING makes SQLite flush the part of the index that is still in memory.
  await search.add(
    tx.db,
    messages.map(({ id, searchText }) => ({ message_id: id, text: searchText })),
  )
}

const flagged = {
  starred: bits.starred,
  collapsed: bits.collapsed,
  mentioned: bits.mentioned,
  topic_mentioned: bits.topic_wildcard_mentioned,
  alerted: bits.has_alert_word,
} as const

async function writeFlags(
  tx: Tx,
  message_id: number,
  record: RecordOf<'message'>,
  userId: (source: string) => number,
): Promise<void> {
  const flags = new Map<number, number>()
  for (const name of Object.keys(flagged) as (keyof typeof flagged)[]) {
    for (const user of record[name]?.map(userId) ?? []) flags.set(user, (flags.get(user) ?? 0) | flagged[name])
  }
  for (const [user_id, set] of flags) await insertFlags(tx.db, { user_id, message_id, flags: set })
}

async function topicId(tx: Tx, journal: Journal, stream_id: number, name: string): Promise<number> {
  const name_key = fold(name)
  const source = `${stream_id}\n${name_key}`
  const known = journal.get('topic', source)
  if (known) return known.id
  const before = await tx.db
    .selectFrom('topic')
    .select('id')
    .where('stream_id', '=', stream_id)
    .where('name_key', '=', name_key)
    .executeTakeFirst()
  const id =
    before?.id ??
    (await tx.db.insertInto('topic').values({ stream_id, name, name_key }).returning('id').executeTakeFirstOrThrow()).id
  await journal.note(tx.db, 'topic', source, { id, isNew: before === undefined })
  return id
}

/** Begins and ends subscription periods so that everyone who received a message has one that covers it. */
async function followPeriods(
  tx: Tx,
  { openPeriods, range }: Situation,
  stream_id: number,
  message_id: number,
  received: readonly number[],
): Promise<void> {
  const open = openPeriods.get(stream_id) ?? new Set<number>()
  openPeriods.set(stream_id, open)
  const now = new Set(received)
  for (const user_id of open) {
    if (now.has(user_id)) continue
    open.delete(user_id)
    await endPeriod(tx, stream_id, user_id, message_id)
  }
  for (const user_id of now) {
    if (open.has(user_id)) continue
    open.add(user_id)
    // Former subscribers have no subscription that brings it.
    await readRange(tx, user_id, stream_id, range)
    await beginPeriod(tx, stream_id, user_id, message_id)
  }
}

export async function beginPeriod(tx: Tx, stream_id: number, user_id: number, from_message_id: number): Promise<void> {
  const row = { stream_id, user_id, from_message_id, from_event_id: position(tx) + 1 }
  await tx.db
    .insertInto('subscription_period')
    .values({ ...row, to_message_id: null, to_event_id: null })
    .execute()
  periodsOfUser.invalidate(tx, user_id)
}

export async function endPeriod(tx: Tx, stream_id: number, user_id: number, to_message_id: number): Promise<void> {
  await tx.db
    .updateTable('subscription_period')
    .set({ to_message_id, to_event_id: position(tx) + 1 })
    .where('stream_id', '=', stream_id)
    .where('user_id', '=', user_id)
    .where('to_message_id', 'is', null)
    .execute()
  periodsOfUser.invalidate(tx, user_id)
}
