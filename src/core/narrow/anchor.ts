import * as v from 'valibot'
import { parseIsoMs } from '../kernel/base/times.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { text } from '../kernel/fields.ts'
import type { Narrow } from './compile.ts'
import type { Condition } from './condition.ts'
import { findMessages } from './find-messages.ts'
import { isAtHome, isMuted } from './operators/mutes.ts'

/** The anchor for "newest", and the anchor's value when nothing is unread; exactly representable as a double. */
export const NEWEST = 10_000_000_000_000_000
export const OLDEST = 0

/** An id or a word. Any number: the one for "newest" is not a safe integer. */
export const anchorParam = v.union([v.number(), text])

/** A date or a time in ISO 8601, in UTC unless it names a zone, as seconds. */
export const anchorDate = v.pipe(
  text,
  v.transform((written) => parseIsoMs(written.trim())),
  v.number('Invalid anchor_date'),
  v.transform((ms) => ms / 1000),
)

/**
 * The message id that an anchor means in a narrow. Throws "Invalid anchor".
 *
 * @param date for the anchor "date": it is the first message from this time on
 */
export async function resolveAnchor(
  caller: Caller,
  narrow: Narrow,
  anchor: string | number,
  date?: number | null,
): Promise<number> {
  if (anchor === 'date' && date != null) return (await firstSince(caller, narrow, date)) ?? NEWEST
  if (anchor === 'newest') return NEWEST
  if (anchor === 'oldest') return OLDEST
  if (anchor === 'first_unread') return (await firstUnread(caller, narrow)) ?? NEWEST
  const place = typeof anchor === 'string' && !/^\s*-?\d+\s*$/.test(anchor) ? Number.NaN : Number(anchor)
  if (!Number.isInteger(place)) throw badRequest('Invalid anchor')
  return Math.min(Math.max(place, OLDEST), NEWEST)
}

async function firstSince(caller: Caller, narrow: Narrow, time: number): Promise<number | undefined> {
  const only: Condition = (row) => row('message.sent_at', '>=', Math.ceil(time))
  const [id] = await findMessages(caller, narrow, { from: OLDEST, direction: 'asc', limit: 1, only })
  return id
}

/**
 * The oldest unread message of a narrow. Muted messages, and those in streams the caller has left, do not count
 * unless the narrow selects them: clients do not list them among other messages.
 */
export async function firstUnread(caller: Caller, narrow: Narrow): Promise<number | undefined> {
  const only = await shown(caller, narrow)
  const [id] = await findMessages(caller, narrow, {
    from: OLDEST,
    direction: 'asc',
    limit: 1,
    unread: true,
    ...(only && { only }),
  })
  return id
}

async function shown(caller: Caller, narrow: Narrow): Promise<Condition | undefined> {
  const about = new Set(narrow.terms.filter((term) => !term.negated).map((term) => term.operator))
  if (about.has('topic') && about.has('channel')) return undefined
  if (!about.has('channel')) return (await isAtHome(caller)).sql
  const muted = await isMuted(caller, { topicsOnly: true })
  return (row) => row.not(muted.sql(row))
}
