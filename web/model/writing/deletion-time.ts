import type { Message } from '../../../src/client/index.ts'
import type { Session } from '../state/session.ts'
import { mayDelete } from './rights.ts'

/** Returns how many seconds are left to delete a message; undefined if the reader may do it at any time. */
export function deletionTime(session: Session, message: Message): number | undefined {
  const limit = session.state.realm_message_content_delete_limit_seconds
  if (limit === null || mayDelete(session, { ...message, timestamp: 0 })) return undefined
  return Math.max(0, Math.floor(message.timestamp + limit - Date.now() / 1000))
}
