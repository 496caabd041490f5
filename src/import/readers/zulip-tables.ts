import type { Archive } from '../archive/archive.ts'
import { asObjects, asText, type Json, readList } from '../archive/json.ts'
import { breather, readMembers } from '../archive/json-members.ts'
import type { Placed } from '../format.ts'

/** The tables of a `realm.json` from any version. Missing tables have no rows. */
export class ZulipTables {
  readonly #tables: Readonly<Record<string, Json>>
  readonly #used = new Set<string>()

  constructor(tables: Json) {
    this.#tables = tables
  }

  rows(name: string): Json[] {
    this.#used.add(name)
    return asObjects(this.#tables[name])
  }

  /** Tables with rows that were not imported. */
  *leftOut(): Generator<Placed> {
    for (const [name, rows] of Object.entries(this.#tables)) {
      if (this.#used.has(name) || derived.has(name) || !Array.isArray(rows) || rows.length === 0) continue
      const kind = `row of ${name.replace(/^zerver_/, '')}`
      yield {
        record: { type: 'left_out', kind, reason: "it isn't supported", place: name, count: rows.length },
        place: name,
      }
    }
  }
}

/** What follows from other tables, or belongs to the exporting server. */
const derived = new Set([
  'zerver_presencesequence',
  'zerver_userpresence',
  'zerver_useractivity',
  'zerver_useractivityinterval',
  'zerver_realmauditlog',
  'zerver_onboardingusermessage',
])

export const readTables = async (archive: Archive): Promise<ZulipTables> =>
  new ZulipTables(await readMembers(archive, 'realm.json'))

/** Types of recipients: people, channels, and groups of people. */
export const kinds = { person: 1, stream: 2, group: 3 } as const
export interface ZulipRecipient {
  kind: number
  id: string
}

/** Ids of the exporting server, as texts. */
export const idOf = (value: Json): string | undefined => asText(value)

/** Lists by a member's value. */
export function byMember(rows: readonly Json[], member: string): Map<string, Json[]> {
  const lists = new Map<string, Json[]>()
  for (const row of rows) {
    const key = idOf(row[member])
    if (key === undefined) continue
    const list = lists.get(key)
    if (list) list.push(row)
    else lists.set(key, [row])
  }
  return lists
}

/** The same for long tables: it yields to other work. */
export async function byMemberInTurns(rows: readonly Json[], member: string): Promise<Map<string, Json[]>> {
  const breathe = breather()
  const lists = new Map<string, Json[]>()
  for (let at = 0; at < rows.length; at += TURN) {
    for (const [key, some] of byMember(rows.slice(at, at + TURN), member)) {
      const list = lists.get(key)
      if (list) for (const row of some) list.push(row)
      else lists.set(key, some)
    }
    await breathe()
  }
  return lists
}
const TURN = 10_000

/** Where uploads, avatars and pictures of emoji are: entries of `records.json`. */
export async function recordsOf(archive: Archive, folder: string): Promise<Json[]> {
  return asObjects(await readList(archive, `${folder}/records.json`))
}

/** Where a row is, for messages to people. */
export const placeOf = (table: string, row: Json): string => `${table}:${idOf(row.id) ?? '?'}`
