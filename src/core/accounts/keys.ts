import * as v from 'valibot'
import { fold, statement } from '../../storage/index.ts'
import { publicAction } from '../action.ts'
import type { Chat } from '../chat.ts'
import { seconds } from '../clock.ts'
import { callerOf, contextOf, type Tx } from '../context.ts'
import { ChatError } from '../errors.ts'
import { text } from '../fields.ts'
import { randomText } from '../random.ts'
import { secretsOf } from '../secrets.ts'
import { storeOf } from '../store.ts'
import { type User, userColumns } from '../user.ts'
import { accounts } from '../users/user-row.ts'
import { verifyPassword } from './passwords.ts'

const KEY_LENGTH = 32
/** Keys of a user beyond this number: the oldest stop working. */
const MAX_KEYS_PER_USER = 100
/** Credentials kept in memory; only right ones are. */
const MAX_KNOWN_ACCOUNTS = 10_000

const userOfKey = statement((db, p: { digest: string }) =>
  db
    .selectFrom('api_key')
    .innerJoin('user', 'user.id', 'api_key.user_id')
    .select(userColumns.map((column) => `user.${column}` as const))
    .where('api_key.digest', '=', p.digest),
)

/**
 * The active user with this e-mail and API key, or undefined whatever the cause. Keys are found by digest in an index:
 * no secret is ever compared, so no comparison can be timed.
 */
export async function authenticate(chat: Chat, email: string, key: string): Promise<User | undefined> {
  const signedIn = await accounts.get(contextOf(chat))
  const credentials = `${key} ${email}`
  const known = signedIn.get(credentials)
  if (known) return known
  const user = await userOfApiKey(chat, key)
  if (!user?.is_active || user.email_key !== fold(email.trim())) return undefined
  if (signedIn.size >= MAX_KNOWN_ACCOUNTS) signedIn.clear()
  signedIn.set(credentials, user)
  return user
}

/** The user who has this API key, active or not; undefined if there is none. */
export async function userOfApiKey(chat: Chat, key: string): Promise<User | undefined> {
  const [user] = await userOfKey(storeOf(chat).db, { digest: secretsOf(chat).digest(key.trim()) })
  return user
}

/** A new key for a user; others go on working, as each login gets one. Only its digest is stored. */
export async function issueKey(tx: Tx, user_id: number): Promise<string> {
  const { chat, db } = tx
  const key = randomText(chat.random, KEY_LENGTH)
  await db
    .insertInto('api_key')
    .values({ user_id, digest: secretsOf(chat).digest(key), created_at: seconds(chat.clock) })
    .execute()
  await db
    .deleteFrom('api_key')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('api_key')
        .select('id')
        .where('user_id', '=', user_id)
        .orderBy('id', 'desc')
        .limit(1000)
        .offset(MAX_KEYS_PER_USER),
    )
    .execute()
  accounts.invalidate(tx)
  return key
}

export async function revokeKeys(tx: Tx, user_id: number): Promise<void> {
  await tx.db.deleteFrom('api_key').where('user_id', '=', user_id).execute()
  accounts.invalidate(tx)
}

/** POST /fetch_api_key: a password for a key. One answer for an unknown account and a wrong password. */
export const fetchApiKey = publicAction(
  {
    summary: 'Get an API key with a password',
    params: v.object({ username: text, password: text }),
    errors: ['AUTHENTICATION_FAILED'],
  },
  async ({ chat, db, client }, { username, password }) => {
    const account = await db
      .selectFrom('user')
      .select([...userColumns, 'password_hash'])
      .where('email_key', '=', fold(username.trim()))
      .executeTakeFirst()
    const right = await verifyPassword(password, account?.password_hash, chat.options.passwordCost)
    if (!account || !right || !account.is_active || account.bot_type !== null) {
      throw new ChatError('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
    }
    const { password_hash, ...user } = account
    const api_key = await callerOf(chat, user, { client }).write((tx) => issueKey(tx, user.id))
    return { api_key, email: user.email, user_id: user.id }
  },
)
