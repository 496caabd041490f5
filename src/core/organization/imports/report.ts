import type { ImportReason } from '../../shapes/import.ts'
import { reasonCode } from './reason-codes.ts'

/** How many of each the source has, and the report's view of what became of them. */
export interface ImportReport {
  source: string
  /** The source's records by kind, including omitted ones. */
  found: Record<string, number>
  /** What there is now that came from the source, by kind. */
  imported: Record<string, number>
  /** Accounts: matched by email address, created, and unable to sign in. */
  people: { matched: number; created: number; stubs: number; skipped: number }
  changed: Remark[]
  left_out: Remark[]
  /** People who became stubs, the first twenty. */
  stubs: string[]
  /** The channels with the most messages. */
  channels: { name: string; messages: number }[]
  bytes: number
  first_date: number | null
  last_date: number | null
}

interface Remark {
  kind: string
  reason: string
  code?: ImportReason
  count: number
  /** The first twenty. */
  places: string[]
}

const PLACES = 20

/** Collects a report while records pass. */
export function createReport(source: string) {
  const found = new Map<string, number>()
  const imported = new Map<string, number>()
  const remarks = { changed: new Map<string, Remark>(), left_out: new Map<string, Remark>() }
  const people = { matched: 0, created: 0, stubs: 0, skipped: 0 }
  const stubs: string[] = []
  const channels = new Map<string, { name: string; messages: number }>()
  let bytes = 0
  let first: number | null = null
  let last: number | null = null
  const add = (counts: Map<string, number>, kind: string, count = 1) =>
    void counts.set(kind, (counts.get(kind) ?? 0) + count)

  function remark(which: keyof typeof remarks, kind: string, reason: string, place: string, count = 1): void {
    const key = `${kind}\n${reason}`
    const known = remarks[which].get(key)
    const code = reasonCode(reason)
    const one = known ?? { kind, reason, ...(code && { code }), count: 0, places: [] }
    if (!known) remarks[which].set(key, one)
    one.count += count
    if (one.places.length < PLACES && !one.places.includes(place)) one.places.push(place)
  }

  return {
    people,
    imported: (kind: string, count = 1) => {
      add(found, kind, count)
      add(imported, kind, count)
    },
    changed: (kind: string, reason: string, place: string) => remark('changed', kind, reason, place),
    leftOut(kind: string, reason: string, place: string, count = 1) {
      add(found, kind, count)
      remark('left_out', kind, reason, place, count)
    },
    stub: (name: string) => void (stubs.length < PLACES && stubs.push(name)),
    channel: (id: string, name: string) => void channels.set(id, { name, messages: 0 }),
    message(channel: string | undefined, date: number) {
      const known = channel === undefined ? undefined : channels.get(channel)
      if (known) known.messages++
      first = first === null ? date : Math.min(first, date)
      last = last === null ? date : Math.max(last, date)
    },
    bytes(count: number) {
      bytes += count
    },
    made: (): ImportReport => ({
      source,
      found: Object.fromEntries(found),
      imported: Object.fromEntries(imported),
      people: { ...people },
      changed: [...remarks.changed.values()],
      left_out: [...remarks.left_out.values()],
      stubs,
      channels: [...channels.values()].sort((a, b) => b.messages - a.messages).slice(0, PLACES),
      bytes,
      first_date: first,
      last_date: last,
    }),
  }
}

export type Report = ReturnType<typeof createReport>
