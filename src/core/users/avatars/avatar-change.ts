import { observersOf } from '../../access/user-visibility.ts'
import { emit } from '../../events/log/emit.ts'
import type { SystemTx } from '../../kernel/context.ts'
import type { User } from '../../kernel/user.ts'
import { avatarUrl } from './avatar-url.ts'

/** Emits the event of a changed avatar if it changed: uploaded, removed, or drawn from another name. */
export async function emitAvatarChange(tx: SystemTx, before: User, after: User): Promise<void> {
  const avatar_url = avatarUrl(tx.chat, after)
  if (avatar_url === avatarUrl(tx.chat, before)) return
  const { id: user_id, avatar_source, avatar_version } = after
  const avatar_url_medium = avatarUrl(tx.chat, after, 'medium')
  const person = { user_id, avatar_source, avatar_url, avatar_url_medium, avatar_version }
  await emit(tx, { type: 'realm_user', op: 'update', person }, await observersOf(tx, after))
}
