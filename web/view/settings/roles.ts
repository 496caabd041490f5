import { pageTexts } from '../../texts/page-texts.ts'
export const OWNER = 100
const ADMINISTRATOR = 200
const MODERATOR = 300
export const MEMBER = 400

/** Roles by their numbers in the API, from the most powerful. */
export const roles = [
  [OWNER, pageTexts.roles.owner],
  [ADMINISTRATOR, pageTexts.roles.administrator],
  [MODERATOR, pageTexts.roles.moderator],
  [MEMBER, pageTexts.roles.member],
  [600, pageTexts.roles.guest],
] as const

export const roleName = (role: number): string => roles.find(([value]) => value === role)?.[1] ?? String(role)

/** Those that somebody may give to others: nobody gives more than they have themselves. */
export const rolesToGive = ({ is_owner, is_admin }: { is_owner: boolean; is_admin: boolean }) =>
  roles.filter(([role]) => is_owner || (is_admin ? role !== OWNER : role >= MEMBER))

/** How many of these people own the organization. */
export const ownersAmong = (people: readonly { readonly role: number }[]): number =>
  people.filter(({ role }) => role === OWNER).length
