import { groupGraph, groupSettingView } from '../../access/group-graph.ts'
import { allows } from '../../access/permissions.ts'
import { type Caller, onBehalfOf } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { isBot } from '../../kernel/roles.ts'
import type { User } from '../../kernel/user.ts'
import { settingsOf } from '../../settings/organization.ts'
import { organizationSettings } from '../../settings/organization-table.ts'
import { noAuthorizedUsers, requireUnblocked } from '../../users/blocks.ts'

/**
 * Throws unless at least one of these users, who include the caller, has the permission for direct messages, and of two
 * people neither has blocked the other.
 */
export async function requireDirectPermission(caller: Caller, people: readonly User[]): Promise<void> {
  await requireUnblocked(caller, people)
  if (isFree(caller, people)) return
  const { direct_message_permission_group: value } = await settingsOf(caller)
  if (value === 'role:everyone') return
  for (const user of people) {
    if (await allows(onBehalfOf(caller, user), value, organizationSettings.direct_message_permission_group)) return
  }
  const graph = await groupGraph.get(caller)
  const isNobody = groupSettingView(graph, value) === graph.systemId.get('role:nobody')
  throw isNobody ? badRequest('Direct messages are disabled in this organization.') : noAuthorizedUsers()
}

/** Throws where the conversation has no messages yet, and the caller may not start one. */
export async function requireInitiating(
  caller: Caller,
  people: readonly User[],
  conversation_id: number,
): Promise<void> {
  if (isFree(caller, people)) return
  const { direct_message_initiator_group: value } = await settingsOf(caller)
  if (await allows(caller, value, organizationSettings.direct_message_initiator_group)) return
  const firstMessage = await caller.db
    .selectFrom('message')
    .select('id')
    .where('conversation_id', '=', conversation_id)
    .limit(1)
    .executeTakeFirst()
  if (!firstMessage) throw badRequest('You do not have permission to initiate direct message conversations.')
}

/** Direct messages with bots, to oneself, and from the server need no permission. */
export const isFree = ({ user: { id, is_system_bot } }: Caller, people: readonly User[]): boolean =>
  is_system_bot === 1 || people.every((other) => other.id === id || isBot(other))
