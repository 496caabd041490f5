import type { Expression } from 'kysely'
import type { Db } from '../../../storage/index.ts'
import { groupBy } from '../../kernel/base/lists.ts'
import { defineCacheById } from '../../kernel/cache.ts'
import { roles } from '../../kernel/roles.ts'
import type { User } from '../../kernel/user.ts'

/**
 * Describes which users receive an event: those that match any of these members. It names roles and streams instead of
 * individual readers, so that its size doesn't grow with the organization.
 */
export interface Audience {
  /** Users with this role or a more powerful one; 600 is everyone. */
  role?: number
  users?: readonly number[]
  /** Users subscribed to this stream, or to one of these, when the event happened … */
  stream?: number | readonly number[]
  /** … and, with protected history, when one of these messages was sent. */
  since_message?: number | readonly number[]
  /** Of these subscribers, only those who are also subscribed to another stream … */
  also_in?: Subscribed
  /** … or only those who are not. */
  not_in?: Subscribed
  /** Users to exclude in any case. */
  except?: readonly number[]
}

/** Subscribers of a stream. With a message, those who were subscribed when it was sent. */
export interface Subscribed {
  stream: number
  since_message?: number
}

export const everyone: Audience = { role: 600 }
/** This user, and all administrators. */
export const administratorsAnd = (user_id: number): Audience => ({ role: roles.administrator, users: [user_id] })
export const only = (...users: number[]): Audience => ({ users })

/**
 * One subscription period of a user in a stream, in message and in event ids: from inclusive, to exclusive, Infinity
 * while it lasts.
 */
export interface Period {
  stream_id: number
  from_message: number
  to_message: number
  from_event: number
  to_event: number
}

export type Periods = ReadonlyMap<number, readonly Period[]>

/** A user's subscription periods, by stream. */
export const periodsOfUser = defineCacheById('periods', (db, user_id) => loadPeriods(db, user_id))

/** @param streams only these; all unless given */
export async function loadPeriods(db: Db, user_id: number, streams?: Expression<number>): Promise<Periods> {
  let query = db.selectFrom('subscription_period').selectAll().where('user_id', '=', user_id)
  if (streams) query = query.where('stream_id', 'in', streams)
  const rows = await query.orderBy('stream_id').orderBy('from_message_id').execute()
  const periods = rows.map((row) => ({
    stream_id: row.stream_id,
    from_message: row.from_message_id,
    to_message: row.to_message_id ?? Number.POSITIVE_INFINITY,
    from_event: row.from_event_id,
    to_event: row.to_event_id ?? Number.POSITIVE_INFINITY,
  }))
  return groupBy(periods, (period) => period.stream_id)
}

/** Returns whether an event of the log at `position` is for this user. */
export function isFor(
  audience: Audience,
  position: number,
  user: Pick<User, 'id' | 'role'>,
  periods: Periods,
): boolean {
  if (audience.except?.includes(user.id)) return false
  if (audience.role !== undefined && user.role <= audience.role) return true
  if (audience.users?.includes(user.id)) return true
  if (audience.stream === undefined) return false
  const { also_in, not_in } = audience
  if (also_in && !isForSubscriber(also_in, position, periods.get(also_in.stream))) return false
  if (not_in && isForSubscriber(not_in, position, periods.get(not_in.stream))) return false
  if (typeof audience.stream === 'number') return isForSubscriber(audience, position, periods.get(audience.stream))
  return audience.stream.some((stream_id) => isForSubscriber(audience, position, periods.get(stream_id)))
}

function isForSubscriber(
  { since_message }: Audience,
  position: number,
  periods: readonly Period[] | undefined,
): boolean {
  if (!periods?.some((period) => period.from_event <= position && position < period.to_event)) return false
  if (since_message === undefined) return true
  const messages = [since_message].flat()
  return periods.some((period) => messages.some((id) => period.from_message <= id && id < period.to_message))
}
