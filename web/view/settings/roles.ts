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

/** Roles that a user may grant, which are not more powerful than their own. */
export const rolesToGive = ({ is_owner, is_admin }: { is_owner: boolean; is_admin: boolean }) =>
  roles.filter(([role]) => is_owner || (is_admin ? role !== OWNER : role >= MEMBER))

/** Returns how many of these users are owners. */
export const ownersAmong = (people: readonly { readonly role: number }[]): number =>
  people.filter(({ role }) => role === OWNER).length
