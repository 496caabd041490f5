import { defineCache } from '../kernel/cache.ts'

/**
 * The first message after which a browser wants notifications; null without such browsers. Cached because it is read
 * after every message.
 */
export const notifiedFrom = defineCache('web-push', async (db) => {
  const row = await db
    .selectFrom('web_push_subscription')
    .select((eb) => eb.fn.min('from_message_id').as('first'))
    .executeTakeFirst()
  return row?.first ?? null
})
