import { fold, isUnset } from '../../../storage/index.ts'
import { changeMembersBySync } from '../../groups/sync-members.ts'
import { onBehalfOf, type Tx } from '../../kernel/context.ts'
import { isChatError } from '../../kernel/errors.ts'
import { roles } from '../../kernel/roles.ts'
import { findUser, type User } from '../../kernel/user.ts'
import { requireAllowedFields } from '../../review/filters/require.ts'
import { findStreamToSync } from '../../streams/access.ts'
import { addSubscribers } from '../../streams/join.ts'
import { setRole } from '../change-role.ts'
import { type AccountRules, EVERYBODY } from '../providers/account-rules.ts'
import type { Person } from '../providers/protocol.ts'
import { setFullName } from '../update-user.ts'
import { availableName } from './names.ts'
import { syncPicture } from './picture.ts'

/** Entra sends at most 200 groups, and a link instead of more. Longer lists are a mistake. */
const MAX_GROUPS = 200

/**
 * Applies what the provider says about a person at each sign-in. A claim that is missing changes nothing, and only what
 * the file lists is touched. A problem is logged and doesn't prevent the sign-in.
 *
 * @param server - a write on behalf of the server
 */
export async function syncPerson(server: Tx, config: AccountRules, person: Person, user_id: number): Promise<void> {
  const each = async (what: AccountRules['sync'][number], work: (user: User) => Promise<void>) => {
    if (!config.sync.includes(what)) return
    try {
      await work((await findUser(server.db, user_id))!)
    } catch (error) {
      if (!isChatError(error)) throw error
      const { logger } = server.chat.options
      logger.warn(
        { provider: config.name, user_id },
        `the ${what} of an account could not be changed: ${error.message}`,
      )
    }
  }
  await each('name', async (user) => {
    if (person.name === undefined) return
    const full_name = await availableName(server, person.name, user)
    if (full_name === user.full_name) return
    await requireAllowedFields(onBehalfOf(server, user), { full_name })
    await setFullName(server, user, full_name)
  })
  await each('picture', async ({ id }) => {
    const { picture } = person
    if (picture !== undefined) server.afterCommit(() => void syncPicture(server.chat, config.name, id, picture))
  })
  await each('role', async (user) => {
    const role = roleOf(config, person)
    if (role !== undefined && role !== user.role) await setRole(server, user.id, role)
  })
  await each('groups', (user) => syncGroups(server, config, person, user))
}

/** Returns the highest role that the person's roles map to. */
export function roleOf({ roles: map }: AccountRules, { roles: named = [], groups = [] }: Person): number | undefined {
  const found = [...named, ...groups].flatMap((name) => (Object.hasOwn(map, name) ? [roles[map[name]!]] : []))
  return found.length === 0 ? undefined : Math.min(...found)
}

async function syncGroups(server: Tx, config: AccountRules, { groups }: Person, user: User): Promise<void> {
  const { logger } = server.chat.options
  const isTooLong = groups !== undefined && groups.length > MAX_GROUPS
  if (isTooLong) {
    const remedy = 'Let the provider send only the groups that this server needs'
    logger.warn({ provider: config.name, user_id: user.id }, `${groups.length} groups are too many. ${remedy}`)
  }
  const isKnown = groups !== undefined && !isTooLong
  const has = new Set([EVERYBODY, ...(isKnown ? groups : [])])
  const belongs = new Map<string, boolean>()
  for (const [theirs, ours] of Object.entries(config.groups)) {
    if (isKnown || theirs === EVERYBODY) belongs.set(ours, (belongs.get(ours) ?? false) || has.has(theirs))
  }
  for (const [name, member] of belongs) {
    const group = await server.db
      .selectFrom('user_group')
      .selectAll()
      .where('name_key', '=', fold(name.trim()))
      .where('is_system_group', '=', isUnset)
      .where('is_deactivated', '=', isUnset)
      .executeTakeFirst()
    if (group) await changeMembersBySync(server, group, user.id, member)
    else logger.warn({ provider: config.name }, `there is no group "${name}", which the provider names`)
  }
  for (const [theirs, names] of Object.entries(config.channels)) {
    if (!has.has(theirs)) continue
    for (const given of names) {
      const name = given.replace(/^#/, '')
      const stream = await findStreamToSync(server, fold(name.trim()))
      if (stream && config.is_from_page && stream.invite_only === 1)
        logger.warn(
          { provider: config.name },
          `a provider of the page can't add people to the private channel "${name}"`,
        )
      else if (stream) await addSubscribers(onBehalfOf(server, user), [stream], [user])
      else logger.warn({ provider: config.name }, `there is no channel "${name}", which the provider names`)
    }
  }
}
