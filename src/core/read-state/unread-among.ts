import { isUnset } from '../../storage/index.ts'
import { groupBy, indexFrom, uniqueSorted } from '../kernel/base/lists.ts'
import type { Caller } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import type { Markable } from './mark-messages.ts'
import { unreadGaps } from './unread-gaps.ts'

/**
 * Returns which of these ascending messages the caller received and has not read, whether or not they are still in the
 * conversation. It uses the caller's read ranges, without reading the messages.
 */
export async function unreadAmong<M extends Markable>(caller: Caller, messages: readonly M[]): Promise<M[]> {
  const { db, chat, user } = caller
  const places = groupBy(messages, (message) => message.origin_id ?? message.conversation_id)
  const ids = new Map([...places].map(([place, there]) => [place, there.map((message) => message.id)]))
  const unread = new Set<number>()
  for (const gap of await unreadGaps(caller, [...places.keys()])) {
    const there = places.get(gap.conversation_id)!
    const first = indexFrom(ids.get(gap.conversation_id)!, gap.lo)
    for (let i = first; i < there.length && there[i]!.id <= gap.hi; i++) {
      if (there[i]!.sender_id !== user.id) unread.add(there[i]!.id)
    }
  }
  const own = uniqueSorted(messages.filter((message) => message.sender_id === user.id).map((message) => message.id))
  if (own.length > 0) {
    const rows = await db
      .selectFrom('message')
      .select('id')
      .where('sender_id', '=', user.id)
      .where('read_by_sender', '=', isUnset)
      .where('id', 'in', dialectOf(chat).idsIn(own))
      .execute()
    for (const { id } of rows) unread.add(id)
  }
  return messages.filter((message) => unread.has(message.id))
}
