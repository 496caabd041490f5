import { ECDH } from 'node:crypto'
import * as v from 'valibot'
import { requireKey } from '../accounts/keys.ts'
import { notifiedFrom } from '../accounts/notified-from.ts'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { SystemTx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, isWebAddress, none, text } from '../kernel/fields.ts'
import { empty, id, unixTime } from '../shapes/values.ts'
import { serverKeyOf } from './server-key.ts'

/** A user's oldest browsers beyond this number get no more notifications. */
const MAX_PER_USER = 20
const MAX_URL_LENGTH = 2000
const AUTH_BYTES = 16

const endpoint = described(
  v.pipe(
    text,
    v.check((url) => isWebAddress(url) && url.length <= MAX_URL_LENGTH, '{name} is not a URL'),
  ),
  "URL of the subscription at the browser's push service.",
)
const p256dh = v.pipe(text, v.check(isPublicKey, '{name} is not a public key'))
const auth = v.pipe(
  text,
  v.check(
    (secret) => /^[\w-]+=*$/.test(secret) && Buffer.from(secret, 'base64url').length === AUTH_BYTES,
    '{name} is not a secret of 16 bytes',
  ),
)

function isPublicKey(key: string): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url')
    return true
  } catch {
    return false
  }
}

/**
 * GET /users/me/web_push_subscriptions: lists the browsers with notifications, and returns the key that browsers need
 * to subscribe.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 * @example
 * const { server_key } = await listWebPushSubscriptions(ann, {})
 */
export const listWebPushSubscriptions = action(
  {
    name: 'listWebPushSubscriptions',
    summary: 'List your browsers with push notifications',
    params: none,
    result: v.strictObject({
      /** On P-256, uncompressed, in base64url. */
      server_key: v.string(),
      subscriptions: v.array(
        v.strictObject({
          id,
          endpoint: v.string(),
          created_at: unixTime,
          /** Whether it was made with the session of this request. */
          current: v.boolean(),
        }),
      ),
    }),
  },
  async ({ chat, db, user, key_id: current }) => {
    const rows = await db
      .selectFrom('web_push_subscription')
      .select(['id', 'endpoint', 'created_at', 'key_id'])
      .where('user_id', '=', user.id)
      .orderBy('id')
      .execute()
    return {
      server_key: serverKeyOf(chat).publicKey,
      subscriptions: rows.map(({ key_id, ...row }) => ({ ...row, current: key_id === current })),
    }
  },
)

/**
 * POST /users/me/web_push_subscriptions: notifies a browser of new messages until this request's session or key is
 * revoked. Repeating the request changes nothing.
 *
 * @throws BAD_REQUEST for an invalid URL or key; for a request without a session or key
 * @throws INVALID_API_KEY if that session or key was just revoked
 * @example
 * const keys = { p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM', auth: 'AAAAAAAAAAAAAAAAAAAAAA' }
 * await addWebPushSubscription(ann, { endpoint: 'https://push.example.com/x', ...keys })
 */
export const addWebPushSubscription = action(
  {
    name: 'addWebPushSubscription',
    summary: 'Subscribe a browser to push notifications',
    params: v.object({
      endpoint,
      p256dh: described(p256dh, "The browser's P-256 public key, in base64url."),
      auth: described(auth, "The subscription's secret: 16 bytes in base64url."),
    }),
    result: empty,
  },
  (caller, { endpoint, p256dh, auth }) =>
    caller.write(async (tx) => {
      const { key_id } = tx
      if (key_id === undefined) throw badRequest('Push subscriptions require a session or an API key')
      await requireKey(tx)
      const row = { user_id: tx.user.id, key_id, p256dh, auth }
      const newest = await tx.db.selectFrom('message').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
      await tx.db
        .insertInto('web_push_subscription')
        .values({ ...row, endpoint, from_message_id: newest?.id ?? 0, created_at: seconds(tx.chat.clock) })
        .onConflict((oc) => oc.column('endpoint').doUpdateSet(row))
        .execute()
      await endOldest(tx, tx.user.id)
      notifiedFrom.invalidate(tx)
      return {}
    }),
)

async function endOldest({ db }: SystemTx, user_id: number): Promise<void> {
  const last = await db
    .selectFrom('web_push_subscription')
    .select('id')
    .where('user_id', '=', user_id)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(MAX_PER_USER)
    .executeTakeFirst()
  if (!last) return
  await db.deleteFrom('web_push_subscription').where('user_id', '=', user_id).where('id', '<=', last.id).execute()
}

/**
 * DELETE /users/me/web_push_subscriptions: stops notifying a browser.
 *
 * @throws BAD_REQUEST "No such subscription"
 * @example
 * await removeWebPushSubscription(ann, { endpoint: 'https://push.example.com/x' })
 */
export const removeWebPushSubscription = action(
  {
    name: 'removeWebPushSubscription',
    summary: 'Unsubscribe a browser from push notifications',
    params: v.object({ endpoint }),
    result: empty,
  },
  (caller, { endpoint }) =>
    caller.write(async (tx) => {
      const gone = await tx.db
        .deleteFrom('web_push_subscription')
        .where('user_id', '=', tx.user.id)
        .where('endpoint', '=', endpoint)
        .returning('id')
        .executeTakeFirst()
      if (!gone) throw badRequest('No such subscription')
      notifiedFrom.invalidate(tx)
      return {}
    }),
)
