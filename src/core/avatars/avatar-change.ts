import type { Tx } from '../context.ts'
import { everyone, only } from '../event-log/audience.ts'
import { emit } from '../event-log/emit.ts'
import type { User } from '../user.ts'
import { avatarUrl } from './avatar-url.ts'

/** Emits the event of a changed avatar, if it did change: uploaded, removed, or drawn from another name. */
export async function emitAvatarChange(tx: Tx, before: User, after: User): Promise<void> {
  const avatar_url = avatarUrl(tx.chat, after)
  if (avatar_url === avatarUrl(tx.chat, before)) return
  const { id: user_id, avatar_source, avatar_version } = after
  const person = { user_id, avatar_source, avatar_url, avatar_url_medium: avatar_url, avatar_version }
  await emit(tx, { type: 'realm_user', op: 'update', person }, everyone)
  if (after.bot_owner_id === null) return
  await emit(tx, { type: 'realm_bot', op: 'update', bot: { user_id, avatar_url } }, only(after.bot_owner_id))
}
