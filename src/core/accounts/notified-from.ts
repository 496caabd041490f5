import { statement } from '../../storage/index.ts'
import { defineCache } from '../kernel/cache.ts'

const first = statement((db, _: object) =>
  db.selectFrom('web_push_subscription').select((eb) => eb.fn.min('from_message_id').as('first')),
)

/**
 * The first message after which a browser wants notifications; null without such browsers. Cached because it is read
 * after every message.
 */
export const notifiedFrom = defineCache('web-push', async (db) => {
  const [row] = await first(db, {})
  return row?.first ?? null
})
