import { listenFromNow } from '../../bots/profiles/outgoing-bots.ts'
import { randomText } from '../../kernel/base/random.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type RoleName, roleNames, roles } from '../../kernel/roles.ts'
import { userColumns } from '../../kernel/user.ts'
import { findUserByEmail } from '../../users/access.ts'
import { addUser } from '../create.ts'
import { createOrganization, systemCaller } from '../create-organization.ts'
import { issueKey } from '../keys.ts'

/** Users known from the documentation and tests of Zulip clients, with their usual addresses. */
const people = [
  ['iago@zulip.com', 'Iago', roles.administrator],
  ['shiva@zulip.com', 'Shiva', roles.moderator],
  ['hamlet@zulip.com', 'King Hamlet', roles.member],
  ['cordelia@zulip.com', "Cordelia, Lear's daughter", roles.member],
  ['othello@zulip.com', 'Othello, the Moor of Venice', roles.member],
  ['prospero@zulip.com', 'Prospero from The Tempest', roles.member],
  ['AARON@zulip.com', 'aaron', roles.member],
  ['ZOE@zulip.com', 'Zoe', roles.member],
  ['polonius@zulip.com', 'Polonius', roles.guest],
] as const

const GENERIC = 1
const INCOMING = 2
const OUTGOING = 3
/** Bots of Zulip's development server: names, types and owners. The last one posts to a bot server on this machine. */
const bots = [
  ['default-bot@zulip.com', 'Zulip Default Bot', GENERIC, 'desdemona@zulip.com'],
  ['webhook-bot@zulip.com', 'Zulip Webhook Bot', INCOMING, 'AARON@zulip.com'],
  ['outgoing-webhook@zulip.com', 'Outgoing Webhook', OUTGOING, 'AARON@zulip.com'],
] as const
const BOT_SERVER = 'http://127.0.0.1:5002'

/**
 * Creates an organization for development, with the well-known users and bots, and Desdemona as its owner. They have no
 * passwords. A chat with `dev` gives out their keys.
 *
 * @throws ChatError BAD_REQUEST if an organization exists
 */
export async function createDevOrganization(chat: Chat) {
  const owner = { owner_email: 'desdemona@zulip.com', owner_name: 'Desdemona' }
  const created = await createOrganization(chat, { org: 'Zulip Dev', ...owner })
  await (await systemCaller(chat)).write(async (tx) => {
    for (const [email, full_name, role] of people) await addUser(tx, { email, full_name, role })
    for (const [email, full_name, bot_type, owner] of bots) {
      const bot_owner_id = (await findUserByEmail(tx.db, owner))!.id
      const token = randomText(tx.chat.random, 32)
      const service = bot_type === OUTGOING ? { payload_url: BOT_SERVER, interface: 1, token } : null
      const { id } = await addUser(tx, { email, full_name, bot_type, bot_owner_id, bot: { service } })
      if (service) await listenFromNow(tx, id)
    }
  })
  return created
}

/** An account with a key, for programs that test against the server. */
export interface DevAccount {
  user_id: number
  email: string
  full_name: string
  role: RoleName
  api_key: string
}

/**
 * Returns the active accounts of people, each with a new API key. For chats with `dev`, which give out keys anyway.
 */
export async function devAccounts(chat: Chat): Promise<DevAccount[]> {
  return (await systemCaller(chat)).write(async (tx) => {
    const people = await tx.db
      .selectFrom('user')
      .select(userColumns)
      .where('bot_type', 'is', null)
      .where('is_active', '=', 1)
      .orderBy('id')
      .execute()
    const accounts: DevAccount[] = []
    for (const { id: user_id, delivery_email: email, full_name, role: value } of people) {
      const role = roleNames.find((name) => roles[name] === value)!
      accounts.push({ user_id, email, full_name, role, api_key: await issueKey(tx, user_id) })
    }
    return accounts
  })
}
