import * as v from 'valibot'
import { visibleTo } from '../access/message-visibility.ts'
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
export const flagOp = v.picklist(['add', 'remove'])

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
    result: v.strictObject({ messages: v.array(id) }),
  },
  async (caller, { messages, op, flag }) => {
    const which = checkFlag(flag)
    const ids = uniqueSorted(messages)
    if (ids.length > FLAGS_SLICE && !isWriting(caller)) await requireAccess(caller, ids)
    await inSlices(caller, ids, FLAGS_SLICE, async (tx, slice) => {
      const accessed = await accessForFlags(tx, slice)
      if (accessed.length < slice.length) throw invalidMessage()
      await setFlag(tx, accessed, op, which)
    })
    return { messages }
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
interface Flagged extends Markable {
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
      isUnreadBy(eb as never, tx.user.id).as('unread'),
    ])
    .where('message.id', 'in', dialectOf(tx.chat).idsIn(message_ids))
    .where((eb) => visibleTo(eb, tx.user))
    .orderBy('message.id')
    .execute()
  return rows.map((row) => ({ ...row, unread: Boolean(row.unread) }))
}

/** Sets or clears a flag of the writer and emits the event; returns how many messages it changed. */
export async function setFlag(tx: Tx, messages: readonly Flagged[], op: FlagOp, flag: SettableFlag): Promise<number> {
  if (flag === 'read') {
    if (op === 'remove')
      return markUnread(
        tx,
        messages.filter((message) => !message.unread),
      )
    const unread = messages.filter((message) => message.unread)
    await markRead(tx, unread)
    return unread.length
  }
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
