import * as v from 'valibot'
import type { Caller } from '../context.ts'
import { badRequest } from '../errors.ts'
import { text } from '../fields.ts'
import type { Narrow } from './compile.ts'
import type { Condition } from './condition.ts'
import { findMessages } from './find-messages.ts'
import { isAtHome, isMuted } from './operators/mutes.ts'

/** "The newest there is", and the anchor's value when nothing is unread; exact in a double. */
export const NEWEST = 10_000_000_000_000_000
export const OLDEST = 0

/** An id or a word. Any number: the one that stands for the newest is beyond what counts as a safe integer. */
export const anchorParam = v.union([v.number(), text])

/** The place in a narrow that an anchor names. Throws "Invalid anchor". */
export async function resolveAnchor(caller: Caller, narrow: Narrow, anchor: string | number): Promise<number> {
  if (anchor === 'newest') return NEWEST
  if (anchor === 'oldest') return OLDEST
  if (anchor === 'first_unread') return (await firstUnread(caller, narrow)) ?? NEWEST
  const place = typeof anchor === 'string' && !/^\s*-?\d+\s*$/.test(anchor) ? Number.NaN : Number(anchor)
  if (!Number.isInteger(place)) throw badRequest('Invalid anchor')
  return Math.min(Math.max(place, OLDEST), NEWEST)
}

/**
 * The oldest unread message of a narrow. What is muted, or in channels the caller has left, does not count, unless the
 * narrow is about just that: clients do not list it among other messages.
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
