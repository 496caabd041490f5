import type { User } from '../../kernel/user.ts'

/** Path of drawn avatars, below the server's own address. */
export const DRAWN_AVATARS_PATH = '/user_avatars/1/drawn'

/**
 * Returns the first letter or digit of the first and last word, in capitals; a question mark for a name without any.
 */
export function initialsOf(full_name: string): string {
  const words = full_name.split(/[\s\-_.]+/u).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  const letters = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  // The capital of some letters is several letters: ß, ŉ.
  return letters.map((letter) => [...letter.toUpperCase()][0]).join('') || '?'
}

/** A color by its hue. Steps of the golden angle keep the colors of successive ids apart. */
const hueOf = (user_id: number): number => Math.round((user_id * 137.508) % 360)

type Named = Pick<User, 'id' | 'full_name'>

/** 100 or 500 pixels a side. */
export type AvatarSize = 'small' | 'medium'

/** What an initials avatar shows, and its size. */
export interface DrawnAvatar {
  hue: number
  initials: string
  size: AvatarSize
}

/**
 * Returns the address of an initials avatar, which contains everything that the image shows. It therefore reveals
 * nothing more, needs no sign-in and no query, and can be cached forever. A changed name gives another address.
 */
export const drawnAvatarUrl = ({ id, full_name }: Named, size: AvatarSize = 'small'): string =>
  `${DRAWN_AVATARS_PATH}/${hueOf(id)}-${encodedInitials(full_name)}${size === 'medium' ? '-medium' : ''}.png`

/** By name, because each sent or read message includes the address of its sender's avatar. */
const encoded = new Map<string, string>()
const MAX_ENCODED = 10_000

function encodedInitials(full_name: string): string {
  const known = encoded.get(full_name)
  if (known !== undefined) return known
  if (encoded.size >= MAX_ENCODED) encoded.clear()
  const initials = encodeURIComponent(initialsOf(full_name))
  encoded.set(full_name, initials)
  return initials
}

/**
 * Reads the last part of such an address, decoded. Returns undefined for one that `drawnAvatarUrl` never returns.
 */
export function readDrawnAvatar(file: string): DrawnAvatar | undefined {
  const [, hue, initials, medium] = /^(\d{1,3})-([\p{L}\p{N}]{1,2}|\?)(-medium)?\.png$/u.exec(file) ?? []
  if (hue === undefined || initials === undefined || Number(hue) > 360) return undefined
  return { hue: Number(hue), initials, size: medium ? 'medium' : 'small' }
}
