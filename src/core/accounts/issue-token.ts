import { recordAct } from '../kernel/audit.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Chat } from '../kernel/chat.ts'
import { contextOf, onBehalfOf, type SystemTx, type Tx } from '../kernel/context.ts'
import { badRequest, invalidField, notPermitted } from '../kernel/errors.ts'
import { isOwner } from '../kernel/roles.ts'
import { type KeyScope, keyScopes } from '../kernel/scopes.ts'
import { secretsOf } from '../kernel/secrets.ts'
import type { User } from '../kernel/user.ts'
import { settingsOf } from '../settings/organization.ts'
import { findStreamToSendTo } from '../streams/stored.ts'
import { endKeys } from './keys.ts'
import { newToken } from './tokens/token.ts'

const DAY = 86_400
/** Limited keys of one account. */
export const MAX_TOKENS_PER_USER = 100
/** Scopes that can be limited to channels. */
const ofChannels: ReadonlySet<KeyScope> = new Set(['send', 'webhook'])

/** Scopes that only owners can give a key. */
const ofOwners: ReadonlySet<KeyScope> = new Set(['provision', 'provision_groups'])

/** What a limited key is to permit, and until when. */
export interface NewToken {
  name: string
  scopes: readonly KeyScope[]
  expires_in_days?: number | null | undefined
  channels?: readonly (number | string)[] | null | undefined
}

/**
 * Issues a limited key to an account. It is returned once, because only its digest is stored.
 *
 * @param user - the account, which must be the one of the write, unless the command line issues it
 * @throws ChatError BAD_REQUEST for scopes that the account can't give away, and for channels that it can't send to
 */
export async function issueToken(tx: Tx, user: User, given: NewToken): Promise<{ id: number; api_key: string }> {
  const { chat, db, address = null } = tx
  const name = given.name.trim()
  if (name === '') throw invalidField('name', 'Give the key a name.')
  const scopes = keyScopes.filter((scope) => given.scopes.includes(scope))
  if (scopes.length === 0) throw invalidField('scopes', 'Choose at least one scope.')
  if (scopes.some((scope) => ofOwners.has(scope)) && !isOwner(user))
    throw notPermitted('Only owners can create keys for provisioning.')
  const days = await daysOf(tx, given)
  const channels = await channelIds(onBehalfOf(tx, user), given)
  const { count } = await db
    .selectFrom('api_key')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user.id)
    .where('kind', '=', 'token')
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_TOKENS_PER_USER)
    throw badRequest(`You have ${MAX_TOKENS_PER_USER} limited keys. Revoke one first.`)
  const now = seconds(chat.clock)
  const api_key = newToken(chat.random)
  const { id } = await db
    .insertInto('api_key')
    .values({
      user_id: user.id,
      digest: secretsOf(chat).digest(api_key),
      name,
      kind: 'token',
      created_at: now,
      last_used_at: null,
      last_address: address,
      provider_session: null,
      expires_at: days === null ? null : now + days * DAY,
      scopes: scopes.join(' '),
      channels: channels === undefined ? null : JSON.stringify(channels),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, api_key }
}

/** Returns after how many days the key ends; null for never. The organization may limit it. */
async function daysOf(tx: Tx, { expires_in_days }: NewToken): Promise<number | null> {
  const { api_token_max_days: most } = await settingsOf(tx)
  const days = expires_in_days ?? most
  if (most !== null && days! > most)
    throw invalidField('expires_in_days', `Limited keys of this organization expire after at most ${most} days.`)
  return days
}

/** Returns the ids of the channels. The account must know all of them. */
async function channelIds(tx: Tx, { channels, scopes }: NewToken): Promise<number[] | undefined> {
  if (channels == null) return undefined
  if (channels.length === 0) throw invalidField('channels', 'Choose at least one channel, or leave it out.')
  if (!scopes.every((scope) => ofChannels.has(scope)))
    throw invalidField('channels', 'Only keys that send messages can be limited to channels.')
  const ids = new Set<number>()
  for (const channel of channels) {
    const stream = await findStreamToSendTo(tx, channel)
    if (!stream) throw invalidField('channels', `There is no channel "${channel}".`)
    ids.add(stream.id)
  }
  return [...ids].sort((a, b) => a - b)
}

/** Revokes the limited keys that have expired, which cuts their waiting polls. */
export const endExpiredTokens = (chat: Chat): Promise<void> =>
  contextOf(chat).write(async (tx: SystemTx) => {
    const ended = await tx.db
      .selectFrom('api_key')
      .select(['id', 'user_id', 'name'])
      .where('kind', '=', 'token')
      .where('expires_at', '<=', seconds(chat.clock))
      .execute()
    for (const { id, user_id, name } of ended) {
      await endKeys(tx, user_id, { only: [id] })
      await recordAct(tx, {
        action: 'endApiKey',
        subject_kind: 'key',
        subject_id: id,
        before: { name },
        after: { expired: true },
      })
    }
  })
