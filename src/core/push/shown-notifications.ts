import type { Selectable } from 'kysely'
import type { PushDeliveryTable } from '../../storage/index.ts'
import { visibleIds } from '../access/messages.ts'
import { busOf } from '../events/log/bus.ts'
import { seconds } from '../kernel/base/clock.ts'
import { chunked, groupBy } from '../kernel/base/lists.ts'
import type { Chat } from '../kernel/chat.ts'
import { callerOf, contextOf } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import { findUser } from '../kernel/user.ts'
import { unreadIdsAmong } from '../read-state/flags-of.ts'

/** What happens to a notification. */
export const states = { waiting: 0, shown: 1, ending: 2 } as const

/** After this time, a device no longer shows a notification, and reading its message needs no further one. */
const SHOWN_SECONDS = 14 * 86_400

type Delivery = Pick<Selectable<PushDeliveryTable>, 'id'>

/** Remembers that a device shows a notification. */
export async function noteShown(chat: Chat, { id }: Delivery): Promise<void> {
  const changes = { state: states.shown, attempts: 0, next_at: seconds(chat.clock) + SHOWN_SECONDS }
  await contextOf(chat).write(({ db }) => db.updateTable('push_delivery').set(changes).where('id', '=', id).execute())
}

/**
 * Looks for notifications that devices show and whose messages were read or deleted since. It looks only at users who
 * read something and at deleted messages, and at everything once after the start or a failure, because nothing else
 * remembers what happened before.
 */
export function createShownNotifications(chat: Chat, wake: () => void) {
  const readers = new Set<number>()
  const deleted = new Set<number>()
  let all = true

  busOf(chat).onEvent((event) => {
    // The other events of other processes aren't parsed.
    if (event.type !== 'update_message_flags' && event.type !== 'delete_message') return
    const { payload, audience } = event
    const isReading = payload.type === 'update_message_flags' && payload.flag === 'read' && payload.op === 'add'
    if (payload.type === 'delete_message') for (const id of payload.message_ids) deleted.add(id)
    else if (isReading) for (const id of audience.users ?? []) readers.add(id)
    else return
    wake()
  })

  /** Returns what devices show of the messages that may have been read or deleted. */
  async function shownToCheck() {
    const { idsIn } = dialectOf(chat)
    let query = contextOf(chat)
      .db.selectFrom('push_delivery')
      .innerJoin('device', 'device.id', 'push_delivery.device_id')
      .select(['push_delivery.id', 'push_delivery.message_id', 'device.user_id'])
      .where('state', '=', states.shown)
    const [users, messages] = [idsIn([...readers]), idsIn([...deleted])]
    if (!all) query = query.where((eb) => eb.or([eb('device.user_id', 'in', users), eb('message_id', 'in', messages)]))
    all = false
    readers.clear()
    deleted.clear()
    return groupBy(await query.execute(), (row) => row.user_id)
  }

  async function endRead(): Promise<void> {
    const context = contextOf(chat)
    for (const [user_id, rows] of await shownToCheck()) {
      const user = await findUser(context.db, user_id)
      const reader = user && callerOf(chat, user, { client: 'mobile push' })
      const message_ids = rows.map((row) => row.message_id)
      const unread = new Set(reader && (await unreadIdsAmong(reader, await visibleIds(reader, message_ids))))
      const ended = rows.filter((row) => !unread.has(row.message_id)).map((row) => row.id)
      for (const some of chunked(ended)) {
        const changes = { state: states.ending, attempts: 0, next_at: seconds(chat.clock) }
        await context.write(({ db }) =>
          db.updateTable('push_delivery').set(changes).where('id', 'in', dialectOf(chat).idsIn(some)).execute(),
        )
      }
    }
  }

  return {
    /** A message may have been read while its notification was sent. */
    check: (user_id: number): void => void readers.add(user_id),
    /** Marks the notifications that devices should no longer show. */
    async endRead(): Promise<void> {
      if (!all && readers.size + deleted.size === 0) return
      await endRead().catch((error) => {
        all = true
        throw error
      })
    },
  }
}
