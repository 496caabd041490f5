import * as v from 'valibot'
import { messageRow, visibleTo } from '../access/message-visibility.ts'
import { visibleIds } from '../access/messages.ts'
import { action } from '../action.ts'
import { chunked, uniqueSorted } from '../base/lists.ts'
import type { Caller, Tx } from '../context.ts'
import { badRequest, invalidMessage } from '../errors.ts'
import { only } from '../event-log/audience.ts'
import { emit } from '../event-log/emit.ts'
import { described, ids, text } from '../fields.ts'
import { isUnreadBy } from '../read-state/conditions.ts'
import { bits } from '../read-state/flag-bits.ts'
import { flagsEvent, type Markable, markRead } from '../read-state/mark-read.ts'
import { markUnread } from '../read-state/mark-unread.ts'
import { id } from '../shapes/values.ts'
import { inSlices, isWriting, pacer } from '../slices.ts'
import { dialectOf } from '../store.ts'

/** Flags that users set themselves. */
const settable = ['read', 'starred', 'collapsed'] as const
type SettableFlag = (typeof settable)[number]

/** Flags that follow from a message's content or its sending; only the server sets them. */
const derived: readonly string[] = [
  'mentioned',
  'wildcard_mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'has_alert_word',
  'historical',
]

export type FlagOp = 'add' | 'remove'
export const flagOp = v.picklist(['add', 'remove'], "Invalid message flag operation: '{value}'")

/** Streams whose messages were not marked as unread, as the caller is not in them. */
export const ignoredEntries = { ignored_because_not_subscribed_channels: v.exactOptional(v.array(id)) }

/**
 * POST /messages/flags: adds a personal flag to messages, or removes it.
 *
 * @throws BAD_REQUEST "Invalid message(s)", and for a flag that is unknown or only set by the server
 * @example
 * await updateFlags(caller, { messages: [message_id], op: 'add', flag: 'starred' })
 */
export const updateFlags = action(
  {
    name: 'updateFlags',
    summary: 'Update personal message flags',
    params: v.object({
      messages: described(ids, 'Ids of the messages.'),
      op: described(flagOp, 'What to do with the flag: add or remove.'),
      flag: described(text, 'The flag: read, starred or collapsed.'),
    }),
    result: v.strictObject({ messages: v.array(id), ...ignoredEntries }),
  },
  async (caller, { messages, op, flag }) => {
    const which = checkFlag(flag)
    const ids = uniqueSorted(messages)
    if (ids.length > FLAGS_SLICE && !isWriting(caller)) await requireAccess(caller, ids)
    const ignored: Flagged[] = []
    await inSlices(caller, ids, FLAGS_SLICE, async (tx, slice) => {
      const accessed = await accessForFlags(tx, slice)
      if (accessed.length < slice.length) throw invalidMessage()
      ignored.push(...(await setFlag(tx, accessed, op, which)).ignored)
    })
    const left = new Set(ignored.map((message) => message.id))
    return { messages: messages.filter((id) => !left.has(id)), ...ignoredChannels(ignored, op, which) }
  },
)

/** Messages changed in one write; a request for no more is one commit. */
export const FLAGS_SLICE = 1000

/** A request that takes several writes is checked before the first of them. */
async function requireAccess(caller: Caller, ids: readonly number[]): Promise<void> {
  const turn = pacer(caller)
  for (const some of chunked(ids)) {
    if ((await visibleIds(caller, some)).length < some.length) throw invalidMessage()
    await turn()
  }
}

/** A flag that users can set. Throws on one that only the server sets, and on an unknown one. */
export function checkFlag(flag: string): SettableFlag {
  const found = settable.find((name) => name === flag)
  if (found) return found
  throw badRequest(derived.includes(flag) ? `Flag not editable: '${flag}'` : `Invalid flag: '${flag}'`)
}

/** A message and its state for the caller. */
export interface Flagged extends Markable {
  topic_id: number | null
  flags: number
  unread: boolean
}

/** Those of these messages that the caller may see. */
export async function accessForFlags(tx: Tx, message_ids: readonly number[]): Promise<Flagged[]> {
  if (message_ids.length === 0) return []
  const rows = await tx.db
    .selectFrom('message')
    .leftJoin('message_flag', (join) =>
      join.onRef('message_flag.message_id', '=', 'message.id').on('message_flag.user_id', '=', tx.user.id),
    )
    .select(['message.id', 'message.sender_id', 'message.conversation_id', 'message.origin_id', 'message.topic_id'])
    .select((eb) => [
      eb.fn.coalesce('message_flag.flags', eb.lit(0)).as('flags'),
      isUnreadBy(messageRow, tx.user.id).as('unread'),
    ])
    .where('message.id', 'in', dialectOf(tx.chat).idsIn(message_ids))
    .where((eb) => visibleTo(eb, tx.user))
    .orderBy('message.id')
    .execute()
  return rows.map((row) => ({ ...row, unread: Boolean(row.unread) }))
}

/** What an answer says of them. */
export const ignoredChannels = (ignored: readonly Flagged[], op: FlagOp, flag: SettableFlag) =>
  flag === 'read' && op === 'remove'
    ? { ignored_because_not_subscribed_channels: uniqueSorted(ignored.map((message) => message.conversation_id)) }
    : {}

/** Of these messages those in streams that the writer is not in: nothing is unread there. */
async function outside(tx: Tx, messages: readonly Flagged[]): Promise<Flagged[]> {
  const inStreams = messages.filter((message) => message.topic_id !== null)
  if (inStreams.length === 0) return []
  const rows = await tx.db
    .selectFrom('subscription')
    .select('stream_id')
    .where('user_id', '=', tx.user.id)
    .where('stream_id', 'in', dialectOf(tx.chat).idsIn(uniqueSorted(inStreams.map((one) => one.conversation_id))))
    .where('is_active', '=', 1)
    .execute()
  const own = new Set(rows.map((row) => row.stream_id))
  return inStreams.filter((message) => !own.has(message.conversation_id))
}

/** Sets or clears a flag of the writer and tells their clients; returns how many messages it changed, and could not. */
export async function setFlag(
  tx: Tx,
  messages: readonly Flagged[],
  op: FlagOp,
  flag: SettableFlag,
): Promise<{ changed: number; ignored: readonly Flagged[] }> {
  if (flag === 'read' && op === 'remove') {
    const ignored = await outside(tx, messages)
    const read = messages.filter((message) => !message.unread && !ignored.includes(message))
    return { changed: await markUnread(tx, read), ignored }
  }
  return { changed: await (flag === 'read' ? readThem(tx, messages) : mark(tx, messages, op, flag)), ignored: [] }
}

async function readThem(tx: Tx, messages: readonly Flagged[]): Promise<number> {
  const unread = messages.filter((message) => message.unread)
  await markRead(tx, unread)
  return unread.length
}

async function mark(
  tx: Tx,
  messages: readonly Flagged[],
  op: FlagOp,
  flag: Exclude<SettableFlag, 'read'>,
): Promise<number> {
  const bit = bits[flag]
  const changed = messages.filter((message) => ((message.flags & bit) !== 0) !== (op === 'add'))
  if (changed.length === 0) return 0
  const changedIds = changed.map((message) => message.id)
  await store(tx, changed, op, bit)
  await emit(tx, flagsEvent(op, flag, changedIds, false), only(tx.user.id))
  return changed.length
}

/** No row means no flag: a row is inserted with the first flag and deleted with the last. */
async function store(tx: Tx, messages: readonly Flagged[], op: FlagOp, bit: number): Promise<void> {
  const { rows, idsIn } = dialectOf(tx.chat)
  const flagged = messages.map(({ id, flags }) => [id, op === 'add' ? flags | bit : flags & ~bit])
  await tx.db
    .deleteFrom('message_flag')
    .where('user_id', '=', tx.user.id)
    .where('message_id', 'in', idsIn(messages.map((message) => message.id)))
    .execute()
  const kept = flagged.filter(([, flags]) => flags !== 0)
  if (kept.length === 0) return
  await tx.db
    .insertInto('message_flag')
    .columns(['user_id', 'message_id', 'flags'])
    .expression((eb) =>
      eb
        .selectFrom(rows(['message_id', 'flags'], kept).as('flagged'))
        .select([eb.val(tx.user.id).as('user_id'), 'flagged.message_id', 'flagged.flags']),
    )
    .execute()
}
