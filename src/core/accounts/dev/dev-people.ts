import type { Chat } from '../../chat.ts'
import { roles } from '../../roles.ts'
import { addUser } from '../create.ts'
import { createOrganization, systemCaller } from '../create-organization.ts'

/** The people that documentation and tests of Zulip clients know, with their usual addresses. */
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

/**
 * An organization for development: the well-known people, with Desdemona as its owner. They have no passwords; a
 * chat with `dev` gives out their keys.
 *
 * @throws ChatError BAD_REQUEST where there is an organization already
 */
export async function createDevOrganization(chat: Chat) {
  const owner = { owner_email: 'desdemona@zulip.com', owner_name: 'Desdemona' }
  const created = await createOrganization(chat, { org: 'Zulip Dev', ...owner })
  await (await systemCaller(chat)).write(async (tx) => {
    for (const [email, full_name, role] of people) await addUser(tx, { email, full_name, role })
  })
  return created
}
