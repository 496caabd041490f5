import * as v from 'valibot'
import { recordAct } from '../../kernel/audit.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { requireOpenOrganization, type SystemTx } from '../../kernel/context.ts'
import { isOwner, roles } from '../../kernel/roles.ts'
import { findUser, type User } from '../../kernel/user.ts'
import { sendDirect } from '../../messages/send/post-message.ts'
import { findUserByEmail } from '../../users/access.ts'
import { changeUser } from '../../users/people.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import { emailProblem } from '../allowed-addresses.ts'
import { addUser, email as emailShape } from '../create.ts'
import type { AccountRules } from '../providers/account-rules.ts'
import { signOnFailed } from '../providers/failed.ts'
import type { Person } from '../providers/protocol.ts'
import { passwordRule } from '../providers/sign-on.ts'
import { endWaysIn, isVerified, noteVerified } from '../verified-email.ts'
import { emailWelcome } from '../welcome-email.ts'
import { acceptedName, availableName } from './names.ts'
import { roleOf, syncPerson } from './sync.ts'

/** The account that a person signs in to, or the one whose password must be entered first to link it. */
export type Found = { account: User } | { link_to: User }

/**
 * Returns whose account it is, in one write: the identity's, or the one of its proved address, or a new one.
 *
 * @throws SIGN_ON_FAILED with the reason, and REALM_DEACTIVATED
 */
export async function whoseAccount(tx: SystemTx, config: AccountRules, person: Person): Promise<Found> {
  await requireOpenOrganization(tx)
  if (config.require && !config.require.any.some((value) => person.required.includes(value))) {
    throw signOnFailed('not_in_group')
  }
  const { id, unproved } = await identified(tx, config, person)
  if (id === undefined) return { link_to: unproved }
  await syncPerson(await asSystemBot(tx), config, person, id)
  return { account: (await findUser(tx.db, id))! }
}

type Identified = { id: number; unproved?: undefined } | { id?: undefined; unproved: User }

async function identified(tx: SystemTx, config: AccountRules, person: Person): Promise<Identified> {
  const { db, chat } = tx
  const known = await db
    .selectFrom('identity')
    .innerJoin('user', 'user.id', 'identity.user_id')
    .select(['identity.id as identity_id', 'user.id', 'user.is_active', 'user.email_key'])
    .where('identity.issuer', '=', person.issuer)
    .where('identity.subject', '=', person.subject)
    .executeTakeFirst()
  if (known) {
    if (!known.is_active) throw signOnFailed('deactivated')
    const seen = { email: person.email ?? null, last_used_at: seconds(chat.clock), provider: config.name }
    await db.updateTable('identity').set(seen).where('id', '=', known.identity_id).execute()
    return { id: known.id }
  }
  const address = v.is(emailShape, person.email) ? person.email : undefined
  const account = address === undefined ? undefined : await findUserByEmail(db, address)
  const vouches = address !== undefined && person.is_verified && isTrusted(config, address)
  if (account) {
    // A bot's address is nobody's, and must not become somebody's.
    if (account.bot_type !== null) throw signOnFailed('not_invited')
    if (!account.is_active) throw signOnFailed(vouches ? 'deactivated' : 'not_invited')
    // The address alone isn't enough. Its holder can link the account with the password.
    if (!vouches || ownersAskFirst(config, account, address) || (await mustKeepPassword(tx, account)))
      return { unproved: account }
    await claim(tx, account)
    await link(tx, config, person, account)
    return { id: account.id }
  }
  if (config.create === 'never') throw signOnFailed('not_invited')
  if (address === undefined || !person.is_verified) throw signOnFailed('address_unverified')
  if (!vouches || (await emailProblem(tx, address)) !== undefined) throw signOnFailed('not_invited')
  return { id: (await create(tx, config, person, address)).id }
}

/** Returns whether the provider may vouch for an address of this domain. */
const isTrusted = (rules: AccountRules, address: string): boolean =>
  rules.trusted_domains.includes('*') || namesDomain(rules, address)

const namesDomain = ({ trusted_domains }: AccountRules, address: string): boolean =>
  trusted_domains.includes(address.slice(address.lastIndexOf('@') + 1).toLowerCase())

/** One owner alone can't let a provider that vouches for every address sign in as another owner. */
const ownersAskFirst = (rules: AccountRules, account: User, address: string): boolean =>
  rules.is_from_page === true && isOwner(account) && !namesDomain(rules, address)

/**
 * An account that is there for the day the provider fails keeps its password. Linking it would remove that if its
 * address was never proved.
 */
const mustKeepPassword = async (tx: SystemTx, account: User): Promise<boolean> => {
  const { allowed, limited } = await passwordRule(tx, account.delivery_email)
  return allowed && limited && !(await isVerified(tx, account.id))
}

/**
 * Prepares an account for the holder of its address. If nobody had proved the address, somebody else may have made the
 * account to wait for them, so everything that signs in to it ends first.
 */
async function claim(tx: SystemTx, account: User): Promise<void> {
  if (await isVerified(tx, account.id)) return
  await changeUser(tx, account.id, { password_hash: null })
  await endWaysIn(tx, account.id)
  await noteVerified(tx, account.id)
}

/** Links an account at a provider to an account here, and tells its owner. */
export async function link(tx: SystemTx, config: AccountRules, person: Person, account: User): Promise<void> {
  await insertIdentity(tx, config, person, account.id)
  await recordAct(tx, {
    action: 'linkIdentity',
    subject_kind: 'user',
    subject_id: account.id,
    actor_id: account.id,
    after: { provider: config.name, identity_email: person.email ?? null },
  })
  const content = `Your account was linked to ${config.display_name}, so you can sign in with it. If this wasn't you, unlink it in your settings, under **Account**, and tell an owner.`
  await sendDirect(await asSystemBot(tx), [account], content)
}

async function insertIdentity({ db, chat }: SystemTx, { name }: AccountRules, person: Person, user_id: number) {
  const now = seconds(chat.clock)
  const { issuer, subject, email = null } = person
  const row = { user_id, issuer, subject, provider: name, email, created_at: now, last_used_at: now }
  await db.insertInto('identity').values(row).execute()
}

async function create(tx: SystemTx, config: AccountRules, person: Person, address: string): Promise<User> {
  const server = await asSystemBot(tx)
  const role = (config.sync.includes('role') && roleOf(config, person)) || roles.member
  const full_name = await availableName(tx, await acceptedName(tx, person.name, address))
  const user = await addUser(server, { email: address, full_name, role })
  await insertIdentity(tx, config, person, user.id)
  await noteVerified(tx, user.id)
  await emailWelcome(tx, user)
  await recordAct(tx, {
    action: 'createUserBySignOn',
    subject_kind: 'user',
    subject_id: user.id,
    actor_id: user.id,
    after: { provider: config.name, full_name: user.full_name, delivery_email: user.delivery_email, role: user.role },
  })
  return user
}
