import { defineCache } from '../kernel/cache.ts'

/**
 * Tells the worker what to look for: the first message after which a device wants notifications, and whether a
 * registration waits for the service. Cached because it is read after every message.
 */
export const devicesToServe = defineCache('mobile-push', async (db) => {
  const [registered, pending] = await Promise.all([
    db
      .selectFrom('device')
      .select((eb) => eb.fn.min('push_from_message_id').as('first'))
      .where('push_token_id', 'is not', null)
      .executeTakeFirst(),
    db.selectFrom('device').select('id').where('pending_token_id', 'is not', null).limit(1).executeTakeFirst(),
  ])
  return { first: registered?.first ?? null, isPending: pending !== undefined }
})
