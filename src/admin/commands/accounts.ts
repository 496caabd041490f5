import * as v from 'valibot'
import { setRole } from '../../core/accounts/change-role.ts'
import {
  addUser as addAccount,
  email as emailField,
  fullName,
  password as passwordField,
} from '../../core/accounts/create.ts'
import { systemCaller } from '../../core/accounts/create-organization.ts'
import { deactivateUser, reactivateUser } from '../../core/accounts/deactivate.ts'
import { issueKey } from '../../core/accounts/keys.ts'
import { hashPassword } from '../../core/accounts/passwords.ts'
import { setFullName } from '../../core/accounts/update-user.ts'
import { check } from '../../core/kernel/check.ts'
import { badRequest } from '../../core/kernel/errors.ts'
import { roleNames, roles } from '../../core/kernel/roles.ts'
import { listUsers as listAccounts } from '../../core/users/list.ts'
import { accountOf, command, email, recordNewUser, recordUser, writeAsOwner } from './command.ts'
import { newPassword } from './credentials.ts'

const DEFAULT_BOT_TYPE = 1

export function roleOf(name: string): number {
  const role = roleNames.find((known) => known === name)
  if (!role) throw badRequest(`Unknown role "${name}". The roles are ${roleNames.join(', ')}`)
  return roles[role]
}

const roleName = (role: number): string => roleNames.find((name) => roles[name] === role) ?? String(role)

/** Adds a person with a password, generated when absent. */
export const addUser = command(
  v.object({ email: emailField, name: fullName, password: v.optional(passwordField), role: v.string() }),
  async (chat, { email, name, role, ...given }) => {
    const account = { email, full_name: name, role: roleOf(role) }
    const password = given.password ?? newPassword(chat)
    const password_hash = await hashPassword(password, chat.options.passwordCost)
    return writeAsOwner(chat, async (tx) => {
      const { id: user_id } = await recordNewUser(tx, () => addAccount(tx, { ...account, password_hash }))
      return { user_id, email, role, password, api_key: await issueKey(tx, user_id) }
    })
  },
)

/** Adds a bot: it has no password, and its owner gets an event. */
export const addBot = command(
  v.object({ email: emailField, name: fullName, role: v.string(), owner: v.optional(v.string()) }),
  async (chat, { email, name, role, owner }) =>
    writeAsOwner(chat, async (tx) => {
      const bot_owner_id = owner === undefined ? tx.user.id : (await accountOf(tx, owner)).id
      const account = { email, full_name: name, role: roleOf(role), bot_type: DEFAULT_BOT_TYPE, bot_owner_id }
      const { id: user_id } = await recordNewUser(tx, () => addAccount(tx, account))
      return { user_id, email, role, api_key: await issueKey(tx, user_id) }
    }),
)

export const listUsers = command(v.object({}), async (chat) => {
  const { members } = await listAccounts(await systemCaller(chat), {})
  return {
    members: members.map(({ user_id, email, full_name, role, is_bot, is_active }) => ({
      user_id,
      email,
      full_name,
      role: roleName(role),
      is_bot,
      is_active,
    })),
  }
})

export const changeRole = command(v.object({ email, role: v.string() }), async (chat, params) =>
  writeAsOwner(chat, async (tx) => {
    const user = await accountOf(tx, params.email)
    await recordUser(tx, 'updateUser', user.id, () => setRole(tx, user.id, roleOf(params.role)))
    return { user_id: user.id, email: user.email, role: params.role }
  }),
)

export const setActive = command(v.object({ email, active: v.boolean() }), async (chat, params) =>
  writeAsOwner(chat, async (tx) => {
    const { id: user_id, email } = await accountOf(tx, params.email)
    await (params.active ? reactivateUser : deactivateUser)(tx, { user_id })
    return { user_id, email, is_active: params.active }
  }),
)

export const rename = command(v.object({ email, name: v.string() }), async (chat, params) => {
  const { full_name } = check(v.object({ full_name: fullName }), { full_name: params.name })
  return writeAsOwner(chat, async (tx) => {
    const user = await accountOf(tx, params.email)
    await recordUser(tx, 'updateUser', user.id, () => setFullName(tx, user, full_name))
    return { user_id: user.id, email: user.email, full_name }
  })
})
