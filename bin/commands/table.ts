import { setRole } from '../../src/core/accounts/change-role.ts'
import { createUser } from '../../src/core/accounts/create.ts'
import { createOrganization, type NewOrganization, systemCaller } from '../../src/core/accounts/create-organization.ts'
import { issueKey } from '../../src/core/accounts/keys.ts'
import type { Chat } from '../../src/core/chat.ts'
import { badRequest } from '../../src/core/errors.ts'
import { randomText } from '../../src/core/random.ts'
import { roleNames, roles } from '../../src/core/roles.ts'
import { storeOf } from '../../src/core/store.ts'
import { findUserByEmail } from '../../src/core/users/access.ts'
import { listUsers } from '../../src/core/users/list.ts'

/** What the command line does to an open chat. Arguments and results are plain objects: they may cross a socket. */
export const commands = {
  init: (chat: Chat, args: NewOrganization) => createOrganization(chat, args),

  addUser: async (chat: Chat, args: { email: string; name: string; password?: string; role: string }) => {
    const role = roleOf(args.role)
    const caller = await systemCaller(chat)
    const password = args.password ?? randomText(chat.random, 20)
    const { user_id } = await createUser(caller, { email: args.email, full_name: args.name, password })
    const api_key = await caller.write(async (tx) => {
      await setRole(tx, user_id, role)
      return issueKey(tx, user_id)
    })
    return { user_id, email: args.email, role: args.role, password, api_key }
  },

  listUsers: async (chat: Chat, _: object) => {
    const { members } = await listUsers(await systemCaller(chat), {})
    return {
      members: members.map(({ user_id, email, full_name, role, is_bot, is_active }) => ({
        user_id,
        email,
        full_name,
        role: roleNames.find((name) => roles[name] === role) ?? String(role),
        is_bot,
        is_active,
      })),
    }
  },

  changeRole: async (chat: Chat, args: { email: string; role: string }) => {
    const role = roleOf(args.role)
    const user = await userOf(chat, args.email)
    const caller = await systemCaller(chat)
    await caller.write((tx) => setRole(tx, user.id, role))
    return { user_id: user.id, email: user.email, role: args.role }
  },

  newKey: async (chat: Chat, args: { email: string }) => {
    const user = await userOf(chat, args.email)
    const caller = await systemCaller(chat)
    const api_key = await caller.write((tx) => issueKey(tx, user.id))
    return { user_id: user.id, email: user.email, api_key }
  },

  backup: async (chat: Chat, args: { file: string }) => {
    await storeOf(chat).backup(args.file)
    return { file: args.file }
  },

  inspect: async (chat: Chat, _: object) => ({ ...(await storeOf(chat).inspect()), opened_at: chat.openedAt }),
}

export type CommandName = keyof typeof commands
export type CommandArgs<N extends CommandName> = Parameters<(typeof commands)[N]>[1]
export type CommandResult<N extends CommandName> = Awaited<ReturnType<(typeof commands)[N]>>

function roleOf(name: string): number {
  const role = roleNames.find((known) => known === name)
  if (!role) throw badRequest(`There is no role "${name}"; roles are ${roleNames.join(', ')}`)
  return roles[role]
}

async function userOf(chat: Chat, email: string) {
  const user = await findUserByEmail(storeOf(chat).db, email)
  if (!user) throw badRequest(`There is no account with the e-mail address ${email}`)
  return user
}
