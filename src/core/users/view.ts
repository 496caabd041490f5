import { isoTime } from '../kernel/base/times.ts'
import type { Chat } from '../kernel/chat.ts'
import { isAdministrator, isGuest, isOwner } from '../kernel/roles.ts'
import { isSpectator } from '../kernel/spectator.ts'
import type { User } from '../kernel/user.ts'
import type { UserView } from '../shapes/user.ts'
import { avatarUrl, shownAvatarUrl } from './avatars/avatar-url.ts'
import { seesEmail } from './email.ts'
import { placeholderEmail } from './unknown-user.ts'

export interface UserViewOptions {
  client_gravatar: boolean
  /** The reader. Without one, the view has everything, for the log. */
  reader?: Pick<User, 'id' | 'role'>
}

const DAY = 86_400

/** The domain of the addresses of stubs, which no mail server accepts. */
export const STUB_DOMAIN = 'imported.invalid'

/** Whether an import created the account for somebody whose address it didn't know. Nobody can sign in to it. */
const isStub = ({ email_key }: Pick<User, 'email_key'>): boolean => email_key.endsWith(`@${STUB_DOMAIN}`)

/** In seconds since 1970. */
const startOfDay = (time: number): number => time - (time % DAY)

/**
 * Returns a user as the API shows them (specification, User record). People without an account see only public data.
 */
export function userView(chat: Chat, user: User, { client_gravatar, reader }: UserViewOptions): UserView {
  const isBot = user.bot_type !== null
  const forAll = reader !== undefined && isSpectator(reader)
  const email = forAll ? placeholderEmail(chat.options.publicUrl, user.id) : user.email
  return {
    user_id: user.id,
    email,
    delivery_email: !reader || seesEmail(reader, user) ? user.delivery_email : null,
    full_name: user.full_name,
    avatar_url: shownAvatarUrl(avatarUrl(chat, { ...user, email }), client_gravatar),
    avatar_version: user.avatar_version,
    bot_type: user.bot_type,
    ...(isBot && { bot_owner_id: user.bot_owner_id }),
    date_joined: isoTime(forAll ? startOfDay(user.date_joined) : user.date_joined),
    is_active: user.is_active === 1,
    is_admin: isAdministrator(user),
    is_billing_admin: false,
    is_bot: isBot,
    is_guest: isGuest(user),
    is_owner: isOwner(user),
    role: user.role,
    timezone: forAll ? '' : user.timezone,
    is_imported_stub: isStub(user),
    ...(user.is_deleted === 1 && { is_deleted: true as const }),
    ...(user.is_system_bot === 1 && { is_system_bot: true }),
  }
}
