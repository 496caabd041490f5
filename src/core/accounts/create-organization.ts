import * as v from 'valibot'
import { createSystemGroups } from '../groups/system-groups.ts'
import { COMMAND_LINE } from '../kernel/audit.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Chat } from '../kernel/chat.ts'
import { check } from '../kernel/check.ts'
import { type Caller, callerOf, contextOf } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { roles } from '../kernel/roles.ts'
import { storeOf } from '../kernel/store.ts'
import { systemBots } from '../kernel/system-bots.ts'
import { userColumns } from '../kernel/user.ts'
import { forgetSettings } from '../settings/organization.ts'
import { organizationSettings } from '../settings/organization-table.ts'
import { insertStream } from '../streams/create.ts'
import { makeDefaultStream } from '../streams/default-streams.ts'
import { asSystemBot, systemBot, welcomeBot } from '../users/system-bot.ts'
import { addUser, email, fullNameOf, insertUser, password as passwordSchema } from './create.ts'
import { defaultDescription } from './default-description.ts'
import { issueKey } from './keys.ts'
import { openSetUp } from './password-links.ts'
import { generatePassword, hashPassword } from './passwords.ts'

export interface NewOrganization {
  org: string
  owner_email: string
  owner_name: string
  /** Generated and returned if missing. */
  owner_password?: string
}

export interface CreateOptions {
  /** Also opens a link by which the owner names the organization and themselves. `setUpPath` returns it until it is used. */
  setUp?: boolean
  /** The password to use when the input has none, for a caller that began to hash one earlier. */
  generated?: Promise<{ readonly password: string; readonly hash: string }> | undefined
}

const newOrganization = v.object({
  org: organizationSettings.name.schema,
  owner_email: email,
  owner_name: fullNameOf("The owner's"),
  owner_password: v.optional(passwordSchema),
})

/**
 * Returns whether the database has an organization. It can have at most one.
 *
 * @throws StorageError if the database can't be read
 */
export async function hasOrganization(chat: Chat): Promise<boolean> {
  return (await storeOf(chat).db.selectFrom('organization').select('id').executeTakeFirst()) !== undefined
}

/**
 * Creates the organization of a new database, its owner, its first stream, and the server's own bot.
 *
 * @throws ChatError BAD_REQUEST for an invalid value, and if an organization exists
 * @example
 * const owner = { owner_email: 'olga@example.com', owner_name: 'Olga' }
 * const { email, password, api_key } = await createOrganization(chat, { org: 'Example', ...owner })
 */
export async function createOrganization(chat: Chat, input: NewOrganization, options: CreateOptions = {}) {
  const { org, owner_email, owner_name, owner_password } = check(newOrganization, input)
  const cost = chat.options.passwordCost
  const { password, hash: password_hash } =
    owner_password === undefined
      ? await (options.generated ?? generatePassword(chat.random, cost))
      : { password: owner_password, hash: await hashPassword(owner_password, cost) }
  // There is no account yet, so the write has no user until it creates one.
  return contextOf(chat).write(async (start) => {
    if (await start.db.selectFrom('organization').select('id').executeTakeFirst()) {
      throw badRequest('This database already has an organization')
    }
    const uuid = crypto.randomUUID()
    await start.db
      .insertInto('organization')
      .values({
        name: org,
        description: defaultDescription,
        created_at: seconds(chat.clock),
        uuid,
      })
      .execute()
    forgetSettings(start)
    await createSystemGroups(start)
    for (const bot of Object.values(systemBots)) await insertUser(start, { ...bot, bot_type: 1, is_system_bot: true })
    systemBot.invalidate(start)
    welcomeBot.invalidate(start)
    const tx = await asSystemBot(start)
    const stream = await insertStream(tx, {
      name: 'general',
      description: "For anything that doesn't fit in another channel.",
    })
    await makeDefaultStream(tx, stream)
    const owner = await addUser(tx, { email: owner_email, full_name: owner_name, role: roles.owner, password_hash })
    const api_key = await issueKey(tx, owner.id)
    if (options.setUp) await openSetUp(tx, owner.id, uuid)
    return { user_id: owner.id, email: owner.email, password, api_key, org }
  })
}

/**
 * Returns a caller with an owner's rights, for the command line and other tools on the machine itself. With `except`, an
 * account that the caller will deactivate, it is another owner if there is one.
 *
 * @throws ChatError BAD_REQUEST if there is no organization yet
 */
export async function systemCaller(chat: Chat, { except }: { except?: number } = {}): Promise<Caller> {
  const owners = await storeOf(chat)
    .db.selectFrom('user')
    .select(userColumns)
    .where('role', '=', roles.owner)
    .where('is_active', '=', 1)
    .orderBy('id')
    .limit(2)
    .execute()
  const owner = owners.find(({ id }) => id !== except) ?? owners[0]
  if (!owner) throw badRequest("The organization doesn't exist yet")
  return callerOf(chat, owner, { address: COMMAND_LINE })
}
