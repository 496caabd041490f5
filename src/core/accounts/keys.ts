import { addressKey, after, type Soon, statement } from '../../storage/index.ts'
import { endReadersOfKeys } from '../events/log/end-queues.ts'
import { seconds } from '../kernel/base/clock.ts'
import { randomText } from '../kernel/base/random.ts'
import { defineCacheById } from '../kernel/cache.ts'
import type { Chat } from '../kernel/chat.ts'
import { type Caller, contextOf, type SystemTx } from '../kernel/context.ts'
import { accountDeactivated, ChatError } from '../kernel/errors.ts'
import { secretsOf } from '../kernel/secrets.ts'
import { dialectOf, storeOf } from '../kernel/store.ts'
import type { User } from '../kernel/user.ts'
import { userColumns } from '../kernel/user.ts'
import { accounts, changeUser, type SignedIn } from '../users/people.ts'
import { endPush } from './devices.ts'
import { keyUseOf } from './key-use.ts'
import { hasEnded } from './session-end.ts'
import { tokenEndsOf } from './tokens/ends.ts'
import { grantIn, isToken } from './tokens/token.ts'

export type { SignedIn }

const KEY_LENGTH = 32

/** Returns whether a text has the form of an API key, limited or not. */
export const isKey = (text: string): boolean => /^[A-Za-z0-9]{32}$/.test(text.trim()) || isToken(text.trim())
/** A user's oldest keys beyond this number are revoked. */
const MAX_KEYS_PER_USER = 100
/** How many valid credentials are cached. */
const MAX_KNOWN_ACCOUNTS = 10_000
const MAX_KEY_NAME_LENGTH = 100

const ownerOfKey = statement((db, p: { digest: string }) =>
  db
    .selectFrom('api_key')
    .innerJoin('user', 'user.id', 'api_key.user_id')
    .select(userColumns.map((column) => `user.${column}` as const))
    .select(['api_key.id as key_id', 'api_key.kind', 'api_key.created_at', 'api_key.last_used_at'])
    .select(['api_key.expires_at', 'api_key.scopes', 'api_key.channels'])
    .where('api_key.digest', '=', p.digest),
)

/**
 * Returns the user with this email address and API key; undefined if they don't belong together. Keys are found by
 * digest in an index. No secret is ever compared, so timing reveals nothing.
 *
 * @param address - the network address of the request, which the list of keys shows
 * @throws ChatError USER_DEACTIVATED if the key is right and the account is deactivated
 * @example
 * const signedIn = await authenticate(chat, 'ann@example.com', 'her API key')
 */
export const authenticate = async (
  chat: Chat,
  email: string,
  key: string,
  address?: string,
): Promise<SignedIn | undefined> => authenticateSoon(chat, email, key, address)

/** Like `authenticate`, for requests: immediate for known credentials. */
export const authenticateSoon = (
  chat: Chat,
  email: string,
  key: string,
  address?: string,
): Soon<SignedIn | undefined> =>
  after(accounts.get(contextOf(chat)), (signedIn) => {
    const credentials = `${key} ${email}`
    const known = signedIn.get(credentials)
    if (known) return noted(chat, known, address)
    return after(findByApiKey(chat, key), (found) => {
      if (!found || !isAddressOf(found.user, email)) return undefined
      if (!found.user.is_active) throw accountDeactivated()
      // Sessions and limited keys are looked up each time, because they end without a change.
      if (!found.is_session && !found.grant) {
        if (signedIn.size >= MAX_KNOWN_ACCOUNTS) signedIn.clear()
        signedIn.set(credentials, found)
      }
      return noted(chat, found, address)
    })
  })

function noted(chat: Chat, found: SignedIn, address: string | undefined): SignedIn {
  keyUseOf(chat).note(found.key_id, address)
  return found
}

/** Clients sign in with the address of the account or with the one that other users see. */
const isAddressOf = (user: User, address: string): boolean =>
  [user.email_key, addressKey(user.email)].includes(addressKey(address.trim()))

/**
 * Returns the user with this API key, for clients that can't send an email address with it; undefined if there is
 * none.
 *
 * @throws ChatError USER_DEACTIVATED
 */
export async function authenticateByKey(chat: Chat, key: string, address?: string): Promise<SignedIn | undefined> {
  const found = await findByApiKey(chat, key)
  if (!found) return undefined
  if (!found.user.is_active) throw accountDeactivated()
  return noted(chat, found, address)
}

/** Returns the user with this API key, active or not; undefined if there is none, or if it has ended. */
export async function findByApiKey(chat: Chat, key: string): Promise<SignedIn | undefined> {
  const [row] = await ownerOfKey(storeOf(chat).db, { digest: secretsOf(chat).digest(key.trim()) })
  if (!row) return undefined
  const { key_id, kind, created_at, last_used_at, expires_at, scopes, channels, ...user } = row
  if (kind === 'key') return { user, key_id }
  if (kind === 'token') {
    if (expires_at !== null && expires_at <= seconds(chat.clock)) return undefined
    if (expires_at !== null) tokenEndsOf(chat).note(expires_at)
    return { user, key_id, grant: grantIn({ scopes, channels }) }
  }
  const has = await hasEnded(contextOf(chat), { id: key_id, created_at, last_used_at })
  return has ? undefined : { user, key_id, is_session: true }
}

/**
 * Issues another key to a user, as each sign-in does. Other keys keep working. Only the digest is stored.
 *
 * @param name - the program it is for, as its owner will see it in the list of keys
 * @param kind - `session` for a browser's, which ends after some time
 * @param provider_session - the digest of the session at an identity provider that ends it, too
 * @throws StorageError if the database can't be written
 * @example
 * const key = await contextOf(chat).write((tx) => issueKey(tx, user_id, 'backup script'))
 */
export async function issueKey(
  tx: SystemTx,
  user_id: number,
  name: string = tx.client,
  kind: 'key' | 'session' = 'key',
  provider_session: string | null = null,
): Promise<string> {
  const { chat, db } = tx
  const key = randomText(chat.random, KEY_LENGTH)
  const shortened = [...name].slice(0, MAX_KEY_NAME_LENGTH).join('')
  const values = { user_id, digest: secretsOf(chat).digest(key), name: shortened, created_at: seconds(chat.clock) }
  await db
    .insertInto('api_key')
    .values({ ...values, kind, last_used_at: null, last_address: tx.address ?? null, provider_session })
    .execute()
  const tooMany = await db
    .selectFrom('api_key')
    .select('id')
    .where('user_id', '=', user_id)
    // Signing in often must not revoke a limited key, which some program may depend on.
    .where('kind', '!=', 'token')
    .orderBy('id', 'desc')
    .limit(1000)
    .offset(MAX_KEYS_PER_USER)
    .execute()
  if (tooMany.length > 0) await endKeys(tx, user_id, { only: tooMany.map((row) => row.id) })
  return key
}

/** A user's keys with these ids, or all of them. */
export interface WhichKeys {
  only?: readonly number[]
  except?: number | undefined
}

/**
 * Revokes keys of a user. They stop working immediately, and event streams opened with them close.
 *
 * @returns the number of revoked keys
 * @throws StorageError if the database can't be written
 * @example
 * await contextOf(chat).write((tx) => endKeys(tx, user_id))
 */
export async function endKeys(tx: SystemTx, user_id: number, { only, except }: WhichKeys = {}): Promise<number> {
  let ending = tx.db.deleteFrom('api_key').where('user_id', '=', user_id)
  if (only) ending = ending.where('id', 'in', dialectOf(tx.chat).idsIn(only))
  if (except !== undefined) ending = ending.where('id', '!=', except)
  const ended = (await ending.returning('id').execute()).map((row) => row.id)
  if (ended.length === 0) return 0
  accounts.invalidate(tx)
  for (const id of ended) validKeys.invalidate(tx, id)
  await endReadersOfKeys(tx, user_id, ended)
  return ended.length
}

const keyById = statement((db, p: { id: number }) => db.selectFrom('api_key').select('id').where('id', '=', p.id))
const validKeys = defineCacheById('api-key', async (db, id) => (await keyById(db, { id })).length > 0)

/**
 * Throws INVALID_API_KEY if the caller's key or session was revoked since. For long operations, and for writes that make a way
 * in: what ends the access of a thief must not miss the request that is under way.
 */
export async function requireKey(caller: Caller): Promise<void> {
  const { key_id } = caller
  if (key_id === undefined) return
  if (!(await validKeys.get(caller, key_id))) throw new ChatError('INVALID_API_KEY', 'Invalid API key')
}

/** Revokes all password links of a user. */
export const endPasswordLinks = async (tx: SystemTx, user_id: number): Promise<void> =>
  void (await tx.db.deleteFrom('password_link').where('user_id', '=', user_id).execute())

/** Ends sign-ins that somebody is in the middle of: what they have proved was already checked. */
export async function endSignIns({ db }: SystemTx, user_id: number): Promise<void> {
  for (const table of ['sign_on_step', 'sign_in_ticket'] as const)
    await db.deleteFrom(table).where('user_id', '=', user_id).execute()
}

/** Ends changes of the address that wait for a confirmation, which the mailbox of somebody else may give. */
export const endEmailChanges = async (tx: SystemTx, user_id: number): Promise<void> =>
  void (await tx.db
    .deleteFrom('email_change')
    .where('user_id', '=', user_id)
    .where('confirmed_at', 'is', null)
    .execute())

/** Revokes the password links that a user created for others, whose passwords they may no longer set. */
export const endPasswordLinksBy = async (tx: SystemTx, user_id: number): Promise<void> =>
  void (await tx.db.deleteFrom('password_link').where('created_by', '=', user_id).execute())

/**
 * Changes the password of an account. Ends what a thief may have made: all its keys, except the request's own, the push
 * notifications of mobile devices, and changes of its address that wait for a confirmation.
 *
 * @throws StorageError if the database can't be written
 */
export async function setPassword(
  tx: SystemTx,
  user_id: number,
  password_hash: string,
  keep_key_id?: number | undefined,
  first_password_at: number | null = null,
): Promise<void> {
  await changeUser(tx, user_id, { password_hash, first_password_at })
  await endPasswordLinks(tx, user_id)
  await endEmailChanges(tx, user_id)
  await endSignIns(tx, user_id)
  await endKeys(tx, user_id, { except: keep_key_id })
  await endPush(tx, user_id)
}
