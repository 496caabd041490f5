import { isChatError } from '../../../../src/client/index.ts'
import { groupName } from '../../../model/reading/groups.ts'
import { isolated } from '../../../model/state/isolated.ts'
import { listOf } from '../../../model/state/language.ts'
import type { Session } from '../../../model/state/session.ts'
import { pageTexts } from '../../../texts/page-texts.ts'

/** A place where a group is in use, as the server names it. */
type Use =
  | { type: 'subgroup'; supergroup_ids: readonly number[] }
  | { type: 'channel'; channel_id: number }
  | { type: 'user_group'; group_id: number }
  | { type: 'realm' }

/** An error of deactivating a group, with the places where the group is still in use. */
export function withUses(session: Session, error: unknown): unknown {
  if (!isChatError(error) || error.code !== 'CANNOT_DEACTIVATE_GROUP_IN_USE') return error
  const uses = (error.data.objections as readonly Use[]).map((use) => wordsOf(session, use))
  return new Error(pageTexts.groups.inUse(listOf([...new Set(uses)])))
}

function wordsOf(session: Session, use: Use): string {
  if (use.type === 'subgroup')
    return pageTexts.groups.usedInGroups(listOf(use.supergroup_ids.map((id) => isolated(groupName(session, id)))))
  if (use.type === 'user_group') return pageTexts.groups.usedByGroup(isolated(groupName(session, use.group_id)))
  if (use.type === 'realm') return pageTexts.groups.usedByOrganization
  const stream = session.state.streams.find(({ stream_id }) => stream_id === use.channel_id)
  return stream ? pageTexts.groups.usedByChannel(isolated(stream.name)) : pageTexts.groups.usedByHiddenChannel
}
