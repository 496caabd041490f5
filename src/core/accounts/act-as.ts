import type { Chat } from '../kernel/chat.ts'
import { type Caller, type CallerOptions, callerOf, contextOf, currentUser } from '../kernel/context.ts'
import { badRequest, ChatError } from '../kernel/errors.ts'
import type { Grant } from '../kernel/scopes.ts'
import { findUserByEmail } from '../users/access.ts'
import { findByApiKey } from './keys.ts'

/** The user to act as: by email address, id, or API key. */
export type Identity = { email: string } | { user_id: number } | { api_key: string }

/**
 * Returns a caller for one of the chat's users, to call actions with. It follows the account: the user's current role
 * decides what it may do, and calls fail with USER_DEACTIVATED after the account is deactivated.
 *
 * @throws ChatError BAD_REQUEST "No such user", INVALID_API_KEY, USER_DEACTIVATED
 * @example
 * const ann = await actAs(chat, { email: 'ann@example.com' })
 * await sendMessage(ann, { type: 'stream', to: 'general', topic: 'hello', content: 'Good morning' })
 */
export async function actAs(chat: Chat, identity: Identity, options: CallerOptions = {}): Promise<Caller> {
  const { user_id, ...key } = await resolve(chat, identity)
  return callerOf(chat, await currentUser(contextOf(chat), user_id), { ...options, ...key })
}

async function resolve(
  chat: Chat,
  identity: Identity,
): Promise<{ user_id: number; key_id?: number; grant?: Grant | undefined }> {
  const { db } = contextOf(chat)
  if ('api_key' in identity) {
    const found = await findByApiKey(chat, identity.api_key)
    if (!found) throw new ChatError('INVALID_API_KEY', 'Invalid API key')
    return { user_id: found.user.id, key_id: found.key_id, ...(found.grant && { grant: found.grant }) }
  }
  const user =
    'email' in identity
      ? await findUserByEmail(db, identity.email)
      : await db.selectFrom('user').select('id').where('id', '=', identity.user_id).executeTakeFirst()
  if (!user) throw badRequest('No such user')
  return { user_id: user.id }
}
