import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Context } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id, none } from '../kernel/fields.ts'
import { keyScopes } from '../kernel/scopes.ts'
import { empty, id as idShape, integer, unixTime } from '../shapes/values.ts'
import { endPush } from './devices.ts'
import { isSession, proof, requireProof } from './key-page.ts'
import { keyUseOf } from './key-use.ts'
import { endEmailChanges, endKeys, endSignIns, issueKey, requireKey } from './keys.ts'
import { forgetOtherDevices } from './known-devices.ts'
import { sessionEnd } from './session-end.ts'
import { grantIn } from './tokens/token.ts'

/** An API key as its owner sees it. The key itself is shown once, when it is issued. */
const keyShape = v.strictObject({
  id: idShape,
  /** The program it was issued to. */
  name: v.string(),
  created_at: unixTime,
  /** null before its first use. */
  last_used_at: v.nullable(unixTime),
  /** Network address of the last use, or of the sign-in; null if unknown. */
  last_address: v.nullable(v.string()),
  /** `session` for a browser's, `token` for a limited key. */
  kind: v.picklist(['key', 'session', 'token']),
  /** When a limited key ends, or a session unless it is used before; null for never. */
  expires_at: v.nullable(unixTime),
  /** What a limited key permits; null for keys without limits. */
  scopes: v.nullable(v.array(v.picklist(keyScopes))),
  /** IDs of the only channels that a limited key sends to; null for all. */
  channels: v.nullable(v.array(idShape)),
})
export type KeyView = v.InferOutput<typeof keyShape>

/**
 * Returns the API keys of a user, oldest first.
 *
 * @throws StorageError if the database can't be read
 * @example
 * const keys = await keysOf(contextOf(chat), 5)
 */
export async function keysOf(context: Context, user_id: number): Promise<KeyView[]> {
  const { chat, db } = context
  const rows = await db
    .selectFrom('api_key')
    .select(['id', 'name', 'created_at', 'last_used_at', 'last_address', 'kind', 'expires_at', 'scopes', 'channels'])
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute()
  const { noted } = keyUseOf(chat)
  const views: KeyView[] = []
  for (const row of rows) {
    const expires_at = row.kind === 'session' ? ((await sessionEnd(context, row)) ?? null) : row.expires_at
    // Removed once a day.
    if (expires_at !== null && expires_at <= seconds(chat.clock)) continue
    const { at: last_used_at = row.last_used_at, address } = noted(row.id) ?? {}
    const { scopes = null, channels = null } = row.kind === 'token' ? grantIn(row) : {}
    const limits = { scopes: scopes && [...scopes], channels: channels && [...channels] }
    views.push({ ...row, ...limits, last_used_at, last_address: address ?? row.last_address, expires_at })
  }
  return views
}

/**
 * GET /users/me/api_keys: lists the caller's keys. `current` marks the key of this request.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 */
export const listApiKeys = action(
  {
    name: 'listApiKeys',
    summary: 'List your API keys',
    params: none,
    result: v.strictObject({ api_keys: v.array(v.strictObject({ ...keyShape.entries, current: v.boolean() })) }),
  },
  async (caller) => {
    const keys = await keysOf(caller, caller.user.id)
    return { api_keys: keys.map((key) => ({ ...key, current: key.id === caller.key_id })) }
  },
)

/**
 * DELETE /users/me/api_keys/{key_id}: revokes a key of the caller.
 *
 * @throws BAD_REQUEST "No such API key"
 */
export const endApiKey = action(
  {
    name: 'endApiKey',
    summary: 'Revoke one of your API keys',
    audit: { subject: 'key', id: ({ key_id }) => key_id },
    params: v.object({ key_id: described(id, 'ID of the key, from the list of keys.') }),
    result: empty,
  },
  async (caller, { key_id }) =>
    caller.write(async (tx) => {
      const ended = await endKeys(tx, tx.user.id, { only: [key_id] })
      if (ended === 0) throw badRequest('No such API key')
      return {}
    }),
)

/**
 * DELETE /users/me/api_keys: signs the caller out everywhere else. All keys but the one of this request are revoked,
 * and mobile devices get no notifications anymore. Sign-ins and changes of the address that aren't finished end, too.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 */
export const signOutEverywhere = action(
  {
    name: 'signOutEverywhere',
    summary: 'Sign out everywhere else',
    audit: {
      subject: 'user',
      id: (_, { user }) => user.id,
      details: (_, { revoked }) => (revoked > 0 ? { api_keys: 'others revoked', revoked } : undefined),
    },
    params: none,
    result: v.strictObject({
      /** How many sessions and keys ended. */
      revoked: integer,
    }),
  },
  (caller) =>
    caller.write(async (tx) => {
      const { user, key_id } = tx
      const revoked = await endKeys(tx, user.id, { except: key_id })
      await endPush(tx, user.id)
      await endSignIns(tx, user.id)
      await endEmailChanges(tx, user.id)
      await forgetOtherDevices(tx)
      return { revoked }
    }),
)

/**
 * POST /users/me/api_key/regenerate: replaces all of the caller's keys with a new one, and forgets their devices. Sign-ins and
 * changes of the address that aren't finished end, too. A browser's session needs a confirmation, because the key outlasts it.
 *
 * @throws BAD_REQUEST in a browser's session without a confirmation
 * @throws AUTHENTICATION_FAILED for a wrong password
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 */
export const regenerateApiKey = action(
  {
    name: 'regenerateApiKey',
    summary: 'Regenerate your API key',
    audit: { subject: 'user', id: (_, { user }) => user.id, details: () => ({ api_keys: 'replaced' }) },
    params: v.object({ password: proof }),
    result: v.strictObject({ api_key: v.string() }),
    secret: true,
    errors: ['AUTHENTICATION_FAILED'],
  },
  async (caller, { password }) => {
    if (await isSession(caller)) await requireProof(caller, password ?? '')
    return caller.write(async (tx) => {
      await requireKey(tx)
      await endKeys(tx, tx.user.id)
      await endPush(tx, tx.user.id)
      await endSignIns(tx, tx.user.id)
      await endEmailChanges(tx, tx.user.id)
      return { api_key: await issueKey(tx, tx.user.id) }
    })
  },
)
