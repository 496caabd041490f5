import { domainToASCII } from 'node:url'
import type { Insertable } from 'kysely'
import * as v from 'valibot'
import { addressKey, fold, statement, type UserTable } from '../../storage/index.ts'
import { type BotProfile, storeBotProfile } from '../bots/profiles/profile.ts'
import { botView } from '../bots/profiles/view.ts'
import { administratorsAnd } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { emitNewMembers } from '../groups/system-groups.ts'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import { lengthOf, MAX_EMAIL_LENGTH, MAX_FULL_NAME_LENGTH, MIN_PASSWORD_LENGTH } from '../kernel/base/limits.ts'
import { onBehalfOf, type SystemTx, type Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, line, text } from '../kernel/fields.ts'
import { isGuest, roles } from '../kernel/roles.ts'
import { type User, userColumns } from '../kernel/user.ts'
import { liftSuppression } from '../mail/suppressed.ts'
import { silentMention } from '../messages/notices/words.ts'
import { sendDirect, sendToTopic } from '../messages/send/post-message.ts'
import { requireAllowedFields } from '../review/filters/require.ts'
import { settingsOf } from '../settings/organization.ts'
import { putUserSetting, userSettings } from '../settings/user.ts'
import { giveSettingDefaults } from '../settings/user-defaults.ts'
import { id } from '../shapes/values.ts'
import { subscribeToDefaults } from '../streams/default-streams.ts'
import { findUserByEmail } from '../users/access.ts'
import { invalidatePeople } from '../users/people.ts'
import { asSystemBot, welcomeBot } from '../users/system-bot.ts'
import { emitNewUser } from '../users/visibility-changes.ts'
import { emailProblem } from './allowed-addresses.ts'
import { isCommon } from './password-rules.ts'
import { hashPassword } from './passwords.ts'
import { EASY_TO_GUESS, requireUnpredictable } from './predictable-password.ts'

// A plausibility check. Only sending mail would show whether it arrives.
const EMAIL = /^[^\s@"<>(),:;[\]\\]+@[^\s@"<>(),:;[\]\\]+$/

// Letters of other scripts that look like ASCII would let someone write as somebody else.
const ASCII_LOCAL_PART = /^[\x21-\x7e]+@/

const isEmail = (s: string): boolean =>
  EMAIL.test(s) && ASCII_LOCAL_PART.test(s) && s.length <= MAX_EMAIL_LENGTH && isDomain(s.slice(s.indexOf('@') + 1))

// A domain outside ASCII must have a name that mail servers can look up.
const isDomain = (domain: string): boolean => /^[\x21-\x7e]+$/.test(domain) || domainToASCII(domain) !== ''

export const email = v.pipe(
  line,
  v.check((s) => isEmail(s), 'Enter a valid email address.'),
)
/** The email address of a new account, with its checks. */
const newEmail = v.pipe(
  line,
  v.check((s) => isEmail(s), 'Bad name or username'),
)
export const fullName = v.pipe(
  line,
  v.check((s) => lengthOf(s) >= 2, 'Name too short!'),
  v.check((s) => lengthOf(s) <= MAX_FULL_NAME_LENGTH, `Name too long! Maximum is ${MAX_FULL_NAME_LENGTH} characters.`),
  v.check((s) => !/[*`\\>"@]/.test(s), 'Invalid characters in name!'),
  // `@**name|7**` mentions a user by name and id, so a name of that form could be mistaken for someone else.
  v.check((s) => !/\|\d+$/.test(s), 'Invalid format!'),
)
/** The same in a form with several names, where the API's sentence would not say which is too short. */
export const fullNameOf = (whose: string) =>
  v.pipe(
    line,
    v.check((s) => lengthOf(s) >= 2, `${whose} name must have at least 2 characters.`),
    fullName,
  )
export const password = v.pipe(
  text,
  v.minLength(MIN_PASSWORD_LENGTH, `Password must have at least ${MIN_PASSWORD_LENGTH} characters`),
  v.maxLength(1000, 'Password is too long'),
  v.check((s) => !isCommon(s), EASY_TO_GUESS),
)

/**
 * POST /users: creates an account as an administrator.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST if the address is taken, or a name, address or password is invalid
 * @example
 * const { user_id } = await createUser(admin, { email: 'ann@example.com', full_name: 'Ann', password: 'correct horse' })
 */
export const createUser = action(
  {
    name: 'createUser',
    summary: 'Create a user',
    audit: { subject: 'user', made: ({ user_id }) => user_id },
    params: v.object({
      email: described(newEmail, 'Email address of the account.'),
      full_name: described(fullName, 'Full name.'),
      password: described(password, 'Password for the new account.'),
    }),
    result: v.strictObject({ user_id: id }),
    idempotencyKey: 'one write',
    role: 'administrator',
  },
  async (caller, params) => {
    const password_hash = await hashPassword(params.password, caller.chat.options.passwordCost)
    return caller.write(async (tx) => {
      if (await emailProblem(tx, params.email)) {
        throw badRequest(`Email '${params.email}' not allowed in this organization`)
      }
      const { email, full_name } = params
      await requireAllowedFields(tx, { full_name })
      await requireUnpredictable(tx, { email, full_name }, { password: params.password })
      const { id } = await addUser(tx, { email, full_name, password_hash, awaits_sign_in: true })
      return { user_id: id }
    })
  },
)

export interface NewUser {
  email: string
  full_name: string
  role?: number
  password_hash?: string | null
  bot_type?: number | null
  bot_owner_id?: number | null
  /** Whether to subscribe the user to the default streams; true for all but guests by default. */
  defaults?: boolean
  /** A bot's values that differ from the defaults. */
  bot?: Partial<BotProfile>
  is_system_bot?: boolean
  /** Whether it counts as joined only from the first sign-in. */
  awaits_sign_in?: boolean
  /** Whether its owner proved to read mail at the address. */
  is_verified?: boolean
}

/** Creates an account in the usual way: with an announcement, default streams and a welcome message. */
export async function addUser(tx: Tx, account: NewUser): Promise<User> {
  const user = await insertUser(tx, account)
  await emitNewUser(tx, user)
  await emitNewMembers(tx, [user])
  if (user.bot_owner_id !== null) {
    if (account.bot) await storeBotProfile(tx, user.id, account.bot)
    await emit(
      tx,
      { type: 'realm_bot', op: 'add', bot: await botView(tx, user.id) },
      administratorsAnd(user.bot_owner_id),
    )
  }
  if (user.bot_type === null) {
    if (account.defaults ?? user.role !== roles.guest) await subscribeToDefaults(onBehalfOf(tx, user), [user])
    await giveSettingDefaults(tx, user.id)
    await setLanguage(tx, user.id)
    await greet(tx, user)
  }
  return user
}

/**
 * Creates accounts of people, all or none, with as few events as possible. `settleIn` is left to the caller. Returns
 * the users, or the reason for each invalid account. In that case nothing may be committed.
 */
export async function addPeople(
  tx: Tx,
  accounts: readonly NewUser[],
): Promise<{ users: User[]; errors: { index: number; message: string }[] }> {
  const users: User[] = []
  const errors: { index: number; message: string }[] = []
  for (const [index, account] of accounts.entries()) {
    try {
      users.push(await insertUser(tx, account))
    } catch (error) {
      errors.push({ index, message: (error as Error).message })
    }
  }
  if (errors.length > 0) return { users, errors }
  for (const user of users) {
    await emitNewUser(tx, user)
    await giveSettingDefaults(tx, user.id)
    await setLanguage(tx, user.id)
  }
  await emitNewMembers(tx, users)
  return { users, errors }
}

/** Subscribes users to the default streams and greets them. */
export async function settleIn(tx: Tx, users: readonly User[]): Promise<void> {
  const members = users.filter((user) => !isGuest(user))
  if (members.length > 0) await subscribeToDefaults(tx, members)
  for (const user of users) await greet(tx, user)
}

/** Sends a new user a welcome message, and announces the account. */
async function greet(tx: Tx, user: User): Promise<void> {
  await sendWelcome(tx, user)
  await announceAccount(tx, user)
}

async function setLanguage(tx: Tx, user_id: number): Promise<void> {
  const { default_language } = await settingsOf(tx)
  if (default_language === userSettings.default_language.default) return
  await putUserSetting(tx, user_id, 'default_language', default_language)
}

/** The other columns have the same value in every new account. */
type NewRow = Omit<Insertable<UserTable>, 'avatar_version' | 'is_active' | 'is_deleted' | 'timezone'>

const insertRow = statement((db, p: NewRow) =>
  db
    .insertInto('user')
    .values({
      email: p.email,
      delivery_email: p.delivery_email,
      email_key: p.email_key,
      full_name: p.full_name,
      name_key: p.name_key,
      role: p.role,
      is_active: 1,
      bot_type: p.bot_type,
      bot_owner_id: p.bot_owner_id,
      is_system_bot: p.is_system_bot,
      date_joined: p.date_joined,
      timezone: '',
      avatar_source: p.avatar_source,
      avatar_version: 1,
      avatar_blob_id: null,
      password_hash: p.password_hash,
      awaits_sign_in: p.awaits_sign_in,
      email_verified_at: p.email_verified_at,
      is_deleted: 0,
    })
    .returning(userColumns),
)

/** Inserts only the row, for the first accounts of a database. */
export async function insertUser(tx: SystemTx, account: NewUser): Promise<User> {
  if (await findUserByEmail(tx.db, account.email)) throw badRequest(`Email '${account.email}' already in use`)
  const name_key = fold(account.full_name)
  if ((await settingsOf(tx)).require_unique_names) {
    const same = await tx.db.selectFrom('user').select('id').where('name_key', '=', name_key).executeTakeFirst()
    if (same) throw badRequest('Unique names required in this organization.')
  }
  invalidatePeople(tx)
  const [user] = await insertRow(tx.db, {
    email: account.email,
    delivery_email: account.email,
    email_key: addressKey(account.email),
    full_name: account.full_name,
    name_key,
    role: account.role ?? roles.member,
    bot_type: account.bot_type ?? null,
    bot_owner_id: account.bot_owner_id ?? null,
    is_system_bot: account.is_system_bot ? 1 : 0,
    date_joined: seconds(tx.chat.clock),
    password_hash: account.password_hash ?? null,
    awaits_sign_in: account.awaits_sign_in ? 1 : 0,
    avatar_source: (await settingsOf(tx)).default_avatar_source,
    email_verified_at: account.is_verified ? seconds(tx.chat.clock) : null,
  })
  if (account.is_verified) await liftSuppression(tx, account.email)
  return user!
}

/** Some clients cannot start on an empty home view, so every account starts with something to read. */
export async function sendWelcome(tx: Tx, user: User): Promise<void> {
  const { name } = await settingsOf(tx)
  const content = `Hello, and welcome to ${name}! This is a direct message. You can write to people like this, or in a channel, where every message has a topic.`
  await sendDirect(onBehalfOf(tx, await welcomeBot.get(tx)), [user], content)
}

/** Announces a new account in the stream that the organization has chosen for it. */
async function announceAccount(tx: Tx, user: User): Promise<void> {
  const { signup_announcements_stream_id: stream_id } = await settingsOf(tx)
  if (stream_id === -1) return
  // A silent mention, because the new user needs no notification.
  const content = `${silentMention(user)} joined this organization.`
  await sendToTopic(await asSystemBot(tx), stream_id, 'signups', content)
}
