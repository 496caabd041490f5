import { type GroupGraph, groupGraph, isDirectSystemMember } from '../access/group-graph.ts'
import { seconds } from '../kernel/base/clock.ts'
import { KeptJson } from '../kernel/base/kept-json.ts'
import type { Caller } from '../kernel/context.ts'
import { pacer } from '../kernel/slices.ts'
import { isSpectator } from '../kernel/spectator.ts'
import type { User } from '../kernel/user.ts'
import type { SystemGroupName } from '../settings/group-setting-value.ts'
import { settingsOf } from '../settings/organization.ts'
import { people } from '../users/people.ts'
import type { Group } from './settings.ts'
import { storedGroups } from './stored.ts'
import { groupView } from './view.ts'

type People = Awaited<ReturnType<typeof people.get>>

/** The data that lists are made from. */
interface Sources {
  groups: readonly Group[]
  graph: GroupGraph
  /** Seconds after which a member becomes a full member. */
  waiting: number
  /** Seconds since 1970: within these times, no member becomes a full member. */
  from: number
  to: number
}

interface Made extends Sources {
  /** By everything that makes lists differ. */
  lists: Map<string, Promise<Buffer>>
}

/** Cached lists, dropped together with the accounts they were made from. */
const made = new WeakMap<People, Made>()

/**
 * Returns all groups as register shows them. The JSON is made once for all readers, until a group or account changes
 * or a member becomes a full member. People without an account don't see members.
 */
export async function groupList(reader: Caller, includeDeactivated: boolean): Promise<KeptJson> {
  const all = await people.get(reader)
  const groups = await storedGroups.get(reader)
  const graph = await groupGraph.get(reader)
  const waiting = (await settingsOf(reader)).waiting_period_threshold * 86_400
  const now = seconds(reader.chat.clock)
  let kept = made.get(all)
  if (!kept || kept.groups !== groups || kept.graph !== graph || kept.waiting !== waiting || !holds(kept, now)) {
    kept = { groups, graph, waiting, from: now, to: nextChange(all.users, now, waiting), lists: new Map() }
    made.set(all, kept)
  }
  const withMembers = !isSpectator(reader.user)
  const key = `${includeDeactivated} ${withMembers}`
  const { lists, ...sources } = kept
  const make = () => makeList(reader, all.users, sources, { includeDeactivated, withMembers })
  return new KeptJson(async () => {
    const list = lists.get(key) ?? make()
    lists.set(key, list)
    return [await list]
  })
}

const holds = ({ from, to }: Sources, now: number): boolean => from <= now && now < to

/** Returns when the next member becomes a full member. */
function nextChange(users: readonly User[], now: number, waiting: number): number {
  let next = Number.POSITIVE_INFINITY
  for (const { date_joined } of users) {
    const full = date_joined + waiting
    if (full > now && full < next) next = full
  }
  return next
}

async function makeList(
  reader: Caller,
  users: readonly User[],
  { groups, graph, waiting, from }: Sources,
  { includeDeactivated, withMembers }: { includeDeactivated: boolean; withMembers: boolean },
): Promise<Buffer> {
  const active = users.filter((user) => user.is_active === 1)
  const isActive = new Set(active.map((user) => user.id))
  const inSystemGroup = (name: SystemGroupName) =>
    active.filter(
      (user) => user.is_system_bot === 0 && isDirectSystemMember(name, user, user.date_joined + waiting <= from),
    )
  const membersOf = ({ id, name, is_system_group }: Group): number[] => {
    if (!withMembers) return []
    if (is_system_group) return inSystemGroup(name as SystemGroupName).map((user) => user.id)
    return ascending([...(graph.members.get(id) ?? [])].filter((user_id) => isActive.has(user_id)))
  }
  const turn = pacer(reader)
  const texts: string[] = []
  for (const group of groups) {
    if (group.is_deactivated && !includeDeactivated) continue
    const subgroups = ascending([...(graph.subgroups.get(group.id) ?? [])])
    texts.push(JSON.stringify(groupView(graph, group, membersOf(group), subgroups)))
    await turn()
  }
  return Buffer.from(`[${texts.join()}]`)
}

const ascending = (ids: number[]): number[] => ids.sort((a, b) => a - b)
