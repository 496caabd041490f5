import { seconds } from '../../kernel/base/clock.ts'
import type { Context, SystemTx } from '../../kernel/context.ts'
import { ChatError } from '../../kernel/errors.ts'
import { roles } from '../../kernel/roles.ts'
import type { User } from '../../kernel/user.ts'
import { settingsOf } from '../../settings/organization.ts'
import { hasSecondFactor, newTicket, newTotpSecret } from './factor.ts'

/** Path of the page that sets up a second factor that the organization requires. */
export const SET_UP_FACTOR_PATH = '/accounts/login/set_up'

/** How long people have to set one up, from when it is required, or from when they joined. */
const GRACE_SECONDS = 7 * 24 * 3600
/** How long the page that sets one up waits. */
const SET_UP_SECONDS = 600
/** The row of the organization's settings with the time of its last change. Clients don't see it. */
const SINCE = 'second_factor_required_since'

/** The lowest role that needs one, by the value of the setting. */
const lowest = {
  nobody: 0,
  owners: roles.owner,
  administrators: roles.administrator,
  moderators: roles.moderator,
  members: roles.member,
  everyone: roles.guest,
} as const

/** Records that owners have changed the roles, so that everybody has some time. */
export async function noteRequirement({ chat, db }: SystemTx): Promise<void> {
  const value = JSON.stringify(seconds(chat.clock))
  await db
    .insertInto('organization_setting')
    .values({ name: SINCE, value })
    .onConflict((oc) => oc.column('name').doUpdateSet({ value }))
    .execute()
}

type Account = Pick<User, 'id' | 'role' | 'bot_type' | 'date_joined'>

/** Returns from when on an account needs a second factor that it lacks, in seconds since 1970; undefined if never. */
export async function neededFrom(context: Context, account: Account): Promise<number | undefined> {
  const { id, role, bot_type, date_joined } = account
  const { second_factor_required_for } = await settingsOf(context)
  if (bot_type !== null || role > lowest[second_factor_required_for]) return undefined
  if (await hasSecondFactor(context, id)) return undefined
  const row = await context.db
    .selectFrom('organization_setting')
    .select('value')
    .where('name', '=', SINCE)
    .executeTakeFirst()
  return Math.max(row ? Number(row.value) : 0, date_joined) + GRACE_SECONDS
}

/** Returns whether an account must set up a second factor before it may sign in. */
export async function needsSecondFactor(context: Context, account: Account): Promise<boolean> {
  const from = await neededFrom(context, account)
  return from !== undefined && from <= seconds(context.chat.clock)
}

/** Throws AUTHENTICATION_FAILED if the account must set one up first, where no page can ask for it. */
export async function requireSecondFactor(tx: SystemTx, account: Account): Promise<void> {
  if (!(await needsSecondFactor(tx, account))) return
  throw new ChatError(
    'AUTHENTICATION_FAILED',
    'Your organization requires a second factor. Sign in to the web client to set it up',
  )
}

/** Returns a ticket for the page that sets one up, for an account that needs it and was proved otherwise. */
export async function openSetUp(tx: SystemTx, user_id: number, session_name: string): Promise<string> {
  await newTotpSecret(tx, user_id)
  return newTicket(tx, user_id, session_name, SET_UP_SECONDS)
}
