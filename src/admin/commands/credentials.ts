import * as v from 'valibot'
import { password as passwordField } from '../../core/accounts/create.ts'
import { tokenParams } from '../../core/accounts/create-api-key.ts'
import { issueToken } from '../../core/accounts/issue-token.ts'
import { endKeys as endKeysOf, issueKey, setPassword } from '../../core/accounts/keys.ts'
import { keysOf } from '../../core/accounts/own-keys.ts'
import { issuePasswordLink } from '../../core/accounts/password-links.ts'
import { hashPassword } from '../../core/accounts/passwords.ts'
import { resetSecondFactor } from '../../core/accounts/reset-second-factor.ts'
import { record } from '../../core/kernel/audit.ts'
import { randomText } from '../../core/kernel/base/random.ts'
import type { Chat } from '../../core/kernel/chat.ts'
import { check } from '../../core/kernel/check.ts'
import { contextOf } from '../../core/kernel/context.ts'
import { badRequest } from '../../core/kernel/errors.ts'
import { linkBase } from '../../core/kernel/public-url.ts'
import { accountOf, command, email, recordUser, writeAsOwner } from './command.ts'

/** Returns a password for an account that was created without one. */
export const newPassword = (chat: Chat): string => randomText(chat.random, 20)

/** Issues a limited key, also to a bot. */
export const newLimitedKey = command(
  v.object({ email, ...tokenParams, channels: v.optional(v.array(v.string())) }),
  async (chat, { email, ...given }) =>
    writeAsOwner(chat, async (tx) => {
      const user = await accountOf(tx, email)
      const rule = { subject: 'key', made: ({ id }: { id: number }) => id } as const
      const issued = await record(tx, { action: 'createApiKey', rule, params: {} }, () => issueToken(tx, user, given))
      return { user_id: user.id, email: user.email, ...issued }
    }),
)

export const newKey = command(v.object({ email, name: v.optional(v.string()) }), async (chat, { email, name }) =>
  writeAsOwner(chat, async (tx) => {
    const user = await accountOf(tx, email)
    const api_key = await recordUser(tx, 'issueKey', user.id, () => issueKey(tx, user.id, name), {
      api_keys: 'one more',
      ...(name !== undefined && { name }),
    })
    return { user_id: user.id, email: user.email, api_key }
  }),
)

export const listKeys = command(v.object({ email }), async (chat, params) => {
  const context = contextOf(chat)
  const user = await accountOf(context, params.email)
  return { user_id: user.id, email: user.email, api_keys: await keysOf(context, user.id) }
})

/** Revokes one key of an account, or all of them. Clients that read events with a revoked key are disconnected. */
export const endKeys = command(v.object({ email, key_id: v.optional(v.number()) }), async (chat, { email, key_id }) =>
  writeAsOwner(chat, async (tx) => {
    const user = await accountOf(tx, email)
    const which = key_id === undefined ? {} : { only: [key_id] }
    const details = { api_keys: key_id === undefined ? 'all revoked' : `${key_id} revoked` }
    const ended = await recordUser(tx, 'endApiKey', user.id, () => endKeysOf(tx, user.id, which), details)
    if (ended === 0 && key_id !== undefined) throw badRequest(`${user.email} has no API key ${key_id}`)
    return { user_id: user.id, email: user.email, ended }
  }),
)

/** Sets a new password, generated when missing. Revokes all API keys of the account. */
export const resetPassword = command(
  v.object({ email, password: v.optional(v.string()) }),
  async (chat, { email, ...given }) => {
    const password = given.password ?? newPassword(chat)
    check(v.object({ password: passwordField }), { password })
    const password_hash = await hashPassword(password, chat.options.passwordCost)
    return writeAsOwner(chat, async (tx) => {
      const user = await accountOf(tx, email)
      if (user.bot_type !== null) throw badRequest(`${user.email} is a bot. Bots use API keys instead of passwords`)
      await recordUser(tx, 'setPassword', user.id, () => setPassword(tx, user.id, password_hash))
      return { user_id: user.id, email: user.email, password }
    })
  },
)

/** Removes a lost second factor. */
export const resetFactor = command(v.object({ email }), async (chat, params) =>
  writeAsOwner(chat, async (tx) => {
    const user = await accountOf(tx, params.email)
    await resetSecondFactor(tx, { user_id: user.id })
    return { user_id: user.id, email: user.email }
  }),
)

/** Returns a link with which the owner of an account sets a new password, once. */
export const passwordLink = command(v.object({ email }), async (chat, params) =>
  writeAsOwner(chat, async (tx) => {
    const user = await accountOf(tx, params.email)
    const create = () => issuePasswordLink(tx, user.id)
    const details = { password_link: 'created' }
    const { path, expires_at } = await recordUser(tx, 'createPasswordLink', user.id, create, details)
    return { user_id: user.id, email: user.email, base: linkBase(chat) ?? null, path, expires_at }
  }),
)
