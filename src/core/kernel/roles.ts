import type { User } from './user.ts'

/** Values of `role`. The specification doesn't list them; these are the Zulip API's. */
export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const
export type RoleName = keyof typeof roles

export const roleNames = Object.keys(roles) as RoleName[]
export const isRole = (value: number): boolean => Object.values(roles).some((role) => role === value)

type WithRole = Pick<User, 'role'>
export const isOwner = (user: WithRole): boolean => user.role === roles.owner
export const isAdministrator = (user: WithRole): boolean => user.role <= roles.administrator
export const isModerator = (user: WithRole): boolean => user.role <= roles.moderator
export const isGuest = (user: WithRole): boolean => user.role === roles.guest
export const isBot = (user: Pick<User, 'bot_type'>): boolean => user.bot_type !== null
