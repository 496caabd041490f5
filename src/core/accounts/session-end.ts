import type { Selectable } from 'kysely'
import type { ApiKeyTable } from '../../storage/index.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Context } from '../kernel/context.ts'
import { settingsOf } from '../settings/organization.ts'
import { keyUseOf } from './key-use.ts'

const DAY = 24 * 3600

type Session = Pick<Selectable<ApiKeyTable>, 'id' | 'created_at' | 'last_used_at'>

/** Returns when a session ends unless it is used before; undefined if the organization's settings never end it. */
export async function sessionEnd(
  context: Pick<Context, 'chat' | 'cache'>,
  { id, created_at, last_used_at }: Session,
): Promise<number | undefined> {
  const { session_max_days, session_idle_days } = await settingsOf(context as Context)
  const used = keyUseOf(context.chat).noted(id)?.at ?? last_used_at ?? created_at
  const ends = [
    ...(session_max_days === null ? [] : [created_at + session_max_days * DAY]),
    ...(session_idle_days === null ? [] : [used + session_idle_days * DAY]),
  ]
  return ends.length === 0 ? undefined : Math.min(...ends)
}

/** Returns whether a session is too old, or has not been used for too long. */
export async function hasEnded(context: Pick<Context, 'chat' | 'cache'>, session: Session): Promise<boolean> {
  const end = await sessionEnd(context, session)
  return end !== undefined && end <= seconds(context.chat.clock)
}
