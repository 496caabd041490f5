import * as v from 'valibot'
import { setRole } from '../core/accounts/change-role.ts'
import { createUser } from '../core/accounts/create.ts'
import { createOrganization, systemCaller } from '../core/accounts/create-organization.ts'
import { issueKey } from '../core/accounts/keys.ts'
import type { Chat } from '../core/chat.ts'
import { check } from '../core/check.ts'
import { badRequest } from '../core/errors.ts'
import { randomText } from '../core/random.ts'
import { roleNames, roles } from '../core/roles.ts'
import { storeOf } from '../core/store.ts'
import { findUserByEmail } from '../core/users/access.ts'
import { listUsers } from '../core/users/list.ts'

/** A command of the command line: what it takes, checked, for it may come over a socket, and what it does to a chat. */
interface Command<P extends v.GenericSchema, R extends object> {
  params: P
  run(chat: Chat, params: v.InferOutput<P>, report: (progress: string) => void): Promise<R>
}

const command = <P extends v.GenericSchema, R extends object>(params: P, run: Command<P, R>['run']): Command<P, R> => ({
  params,
  run,
})

const email = v.string()

export const commands = {
  init: command(
    v.object({ org: v.string(), owner_email: email, owner_name: v.string(), owner_password: v.optional(v.string()) }),
    (chat, params) => {
      const { owner_password, ...organization } = params
      return createOrganization(chat, { ...organization, ...(owner_password !== undefined && { owner_password }) })
    },
  ),

  addUser: command(
    v.object({ email, name: v.string(), password: v.optional(v.string()), role: v.string() }),
    async (chat, params) => {
      const role = roleOf(params.role)
      const caller = await systemCaller(chat)
      const password = params.password ?? randomText(chat.random, 20)
      const { user_id } = await createUser(caller, { email: params.email, full_name: params.name, password })
      const api_key = await caller.write(async (tx) => {
        await setRole(tx, user_id, role)
        return issueKey(tx, user_id)
      })
      return { user_id, email: params.email, role: params.role, password, api_key }
    },
  ),

  listUsers: command(v.object({}), async (chat) => {
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
  }),

  changeRole: command(v.object({ email, role: v.string() }), async (chat, params) => {
    const role = roleOf(params.role)
    const user = await userOf(chat, params.email)
    const caller = await systemCaller(chat)
    await caller.write((tx) => setRole(tx, user.id, role))
    return { user_id: user.id, email: user.email, role: params.role }
  }),

  newKey: command(v.object({ email }), async (chat, params) => {
    const user = await userOf(chat, params.email)
    const caller = await systemCaller(chat)
    const api_key = await caller.write((tx) => issueKey(tx, user.id))
    return { user_id: user.id, email: user.email, api_key }
  }),

  backup: command(v.object({ file: v.string() }), async (chat, { file }) => {
    await storeOf(chat).backup(file)
    return { file }
  }),

  inspect: command(v.object({}), async (chat) => ({ ...storeOf(chat).inspect(), opened_at: chat.openedAt })),
}

export type CommandName = keyof typeof commands
export type CommandArgs<N extends CommandName> = v.InferInput<(typeof commands)[N]['params']>
export type CommandResult<N extends CommandName> = Awaited<ReturnType<(typeof commands)[N]['run']>>
export const commandNames = Object.keys(commands) as CommandName[]

/** Checks the arguments and runs the command. Throws ChatError with a sentence for whoever typed it. */
export async function runCommand<N extends CommandName>(
  chat: Chat,
  name: N,
  args: unknown,
  report: (progress: string) => void,
): Promise<CommandResult<N>> {
  const { params, run } = commands[name] as unknown as Command<v.GenericSchema, CommandResult<N>>
  return run(chat, check(params, args), report)
}

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
