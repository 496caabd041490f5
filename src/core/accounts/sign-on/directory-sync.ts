import { DirectoryFailed } from '../../../network/ldap/ldap-connection.ts'
import { addressKey } from '../../../storage/index.ts'
import { leads } from '../../events/log/follow-peers.ts'
import { record } from '../../kernel/audit.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf, type SystemTx, type Tx } from '../../kernel/context.ts'
import { badRequest, isChatError } from '../../kernel/errors.ts'
import { storeOf } from '../../kernel/store.ts'
import { findUser } from '../../kernel/user.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import type { DirectoryMember, SignOnDirectory } from '../providers/directory.ts'
import { LDAP } from '../providers/ldap.ts'
import { signOnOf } from '../providers/sign-on.ts'
import { deactivate, setActive } from '../set-active.ts'
import { type Gone, isAlarming, type Linked, linkedAccounts, planSync, type SyncPlan } from './directory-plan.ts'
import { syncPerson } from './sync.ts'

/** Accounts changed in one write, which keeps it short. */
const SLICE = 20

export interface SyncOptions {
  /** Only say what would change. */
  dry_run?: boolean
  /** Deactivate however many are gone. */
  confirmed?: boolean
  /** Stop if another process leads. */
  nightly?: boolean
}

/** An account that a sync changed, or would change. */
export interface SyncChange {
  user_id: number
  full_name: string
  change: 'deactivate' | 'reactivate' | 'update'
  reason?: string
}

export interface SyncResult {
  /** People in the directory, and accounts that belong to one. */
  people: number
  accounts: number
  changes: SyncChange[]
}

/**
 * Updates the accounts of people in the directory, and deactivates the accounts of people who left it. Nobody is created. Any doubt
 * about the answer of the directory changes nothing.
 *
 * @throws BAD_REQUEST with a sentence for the operator
 */
export async function syncDirectory(chat: Chat, options: SyncOptions = {}): Promise<SyncResult> {
  const directory = signOnOf(chat)?.directory
  if (!directory) throw badRequest('The sign-on file has no member "ldap". Name the file with --sign-on')
  if (!directory.isReadable) throw badRequest('The directory can\'t be read without "bind_dn" in the sign-on file')
  const { peers } = storeOf(chat)
  const unlock = peers ? await peers.tryLock('directory sync') : lockHere(chat)
  if (!unlock) throw badRequest('Another sync is running. Wait until it has finished')
  try {
    return await runSync(chat, directory, options)
  } catch (error) {
    throw error instanceof DirectoryFailed ? badRequest(`Nothing was changed: ${error.message}`) : error
  } finally {
    await unlock()
  }
}

const syncing = new WeakSet<Chat>()
function lockHere(chat: Chat): (() => Promise<void>) | undefined {
  if (syncing.has(chat)) return undefined
  syncing.add(chat)
  return async () => void syncing.delete(chat)
}

async function runSync(chat: Chat, directory: SignOnDirectory, options: SyncOptions): Promise<SyncResult> {
  const context = contextOf(chat)
  const members = await directory.people()
  if (members.length === 0) {
    throw badRequest('The directory returned nobody, so nothing was changed. Check "base" and "filter"')
  }
  const linked = await linkedAccounts(context)
  const { break_glass } = signOnOf(chat)!
  const compared = planSync(linked, members, directory.rules, (address) => break_glass.has(addressKey(address)))
  const plan = await withoutMistakes(directory, compared)
  if (isAlarming(plan) && !options.confirmed && !options.dry_run) {
    const part = `${plan.gone.length} of ${plan.active} accounts`
    throw badRequest(
      `${part} would be deactivated, so nothing was changed. Look at them with "chat-server ldap sync --dry-run", and confirm with --yes`,
    )
  }
  const result: SyncResult = { people: members.length, accounts: linked.length, changes: [] }
  if (options.dry_run) {
    const back = plan.here.filter(({ linked: { is_active, gone_at } }) => !is_active && gone_at !== null)
    result.changes.push(...plan.gone.map(changeOf), ...back.map(({ linked }) => about(linked, 'reactivate')))
    return result
  }
  const steps = [
    ...plan.here.map((one) => (tx: Tx) => refresh(tx, directory, one)),
    ...plan.gone.map((one) => (tx: Tx) => remove(tx, one)),
  ]
  for (let i = 0; i < steps.length; i += SLICE) {
    if (options.nightly && !leads(chat)) break
    // The write may run again, so what it changes counts after it.
    const changes = await context.write(async (tx) => {
      const server = await asSystemBot(tx)
      const some: SyncChange[] = []
      for (const step of steps.slice(i, i + SLICE)) some.push(...(await step(server)))
      return some
    })
    result.changes.push(...changes)
  }
  return result
}

/** A page that was lost must deactivate nobody, so absent people are looked up once more. */
async function withoutMistakes(directory: SignOnDirectory, plan: SyncPlan): Promise<SyncPlan> {
  const absent = plan.gone.filter(({ reason }) => reason === 'absent').map(({ linked }) => linked.subject)
  if (absent.length === 0) return plan
  const there = await directory.stillThere(absent)
  return { ...plan, gone: plan.gone.filter(({ linked }) => !there.has(linked.subject)) }
}

const about = ({ user_id, full_name }: Linked, change: SyncChange['change']): SyncChange => ({
  user_id,
  full_name,
  change,
})
const changeOf = ({ linked, reason }: Gone): SyncChange => ({ ...about(linked, 'deactivate'), reason })

/** Updates an account, and reactivates it if a sync had deactivated it. */
async function refresh(
  server: Tx,
  { rules }: SignOnDirectory,
  { linked, member }: { linked: Linked; member: DirectoryMember },
): Promise<SyncChange[]> {
  const { user_id, identity_id } = linked
  const user = await findUser(server.db, user_id)
  const isBack = !user?.is_active && linked.gone_at !== null
  if (!user || !(user.is_active || isBack)) return []
  const before = await stateOf(server, user_id)
  await recorded(server, user_id, { provider: LDAP }, async () => {
    if (isBack) await setActive(server, user, true)
    await syncPerson(server, rules, member, user_id)
  })
  if ((member.email ?? null) !== linked.email) {
    const email = member.email ?? null
    await server.db.updateTable('identity').set({ email }).where('id', '=', identity_id).execute()
  }
  if (isBack) return [about(linked, 'reactivate')]
  return (await stateOf(server, user_id)) === before ? [] : [about(linked, 'update')]
}

/** What a sync may change in an account, to compare. */
async function stateOf({ db }: SystemTx, user_id: number): Promise<string> {
  const user = (await findUser(db, user_id))!
  return JSON.stringify([user.full_name, user.role, await groupsOf(db, user_id)])
}

const groupsOf = async (db: SystemTx['db'], user_id: number): Promise<number[]> => {
  const rows = await db.selectFrom('user_group_member').select('group_id').where('user_id', '=', user_id).execute()
  return rows.map(({ group_id }) => group_id).sort((a, b) => a - b)
}

async function remove(server: Tx, { linked, reason }: Gone): Promise<SyncChange[]> {
  const { user_id, identity_id } = linked
  const user = await findUser(server.db, user_id)
  if (!user?.is_active) return []
  try {
    await recorded(server, user_id, { provider: LDAP, reason }, () => deactivate(server, user))
  } catch (error) {
    if (!isChatError(error)) throw error
    server.chat.options.logger.warn({ user_id }, `an account that left the directory stays: ${error.message}`)
    return []
  }
  const gone_at = seconds(server.chat.clock)
  await server.db.updateTable('identity').set({ gone_at }).where('id', '=', identity_id).execute()
  return [changeOf({ linked, reason })]
}

/** Records what a sync changed in an account, with its groups. Nothing is no row. */
async function recorded(tx: Tx, user_id: number, more: object, work: () => Promise<void>): Promise<void> {
  const before = await groupsOf(tx.db, user_id)
  const isRemoval = 'reason' in more
  const details = async () => {
    const groups = await groupsOf(tx.db, user_id)
    if (String(groups) !== String(before)) return { ...more, groups_before: before, groups }
    return isRemoval ? { ...more } : undefined
  }
  await record(tx, { action: 'syncDirectory', rule: { subject: 'user', id: () => user_id, details }, params: {} }, work)
}

/** Runs the sync of each day. A failure is a line in the log. */
export async function syncNightly(chat: Chat): Promise<void> {
  if (!signOnOf(chat)?.directory?.isReadable) return
  const { logger } = chat.options
  try {
    const { people, accounts, changes } = await syncDirectory(chat, { nightly: true })
    const count = (change: SyncChange['change']) => changes.filter((one) => one.change === change).length
    const numbers = { deactivated: count('deactivate'), reactivated: count('reactivate'), updated: count('update') }
    logger.info({ people, accounts, ...numbers }, 'accounts were synchronized with the directory')
  } catch (error) {
    if (!isChatError(error)) throw error
    logger.warn({ provider: LDAP }, `accounts were not synchronized with the directory: ${error.message}`)
  }
}
