import type { User } from '../user.ts'

/** Where pictures are drawn, below the server's own address. */
export const DRAWN_AVATARS_PATH = '/user_avatars/1/drawn'

/** First letter or digit of the first and of the last word, in capitals; a question mark for a name without any. */
export function initialsOf(full_name: string): string {
  const words = full_name.split(/[\s\-_.]+/u).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  const letters = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  // Some letters have several as their capital: ß, ŉ.
  return letters.map((letter) => [...letter.toUpperCase()][0]).join('') || '?'
}

/** A colour by its angle; steps of the golden angle keep neighbours apart. */
const hueOf = (user_id: number): number => Math.round((user_id * 137.508) % 360)

/**
 * The address says all that is in the picture. So nobody learns from it what they were not told with it, it needs no
 * sign-in and no look-up, and can be kept for ever: who changes their name gets another.
 */
export const drawnAvatarUrl = ({ id, full_name }: Pick<User, 'id' | 'full_name'>): string =>
  `${DRAWN_AVATARS_PATH}/${hueOf(id)}-${encodeURIComponent(initialsOf(full_name))}.svg`

/** The picture of an address, by the last part of its path, decoded; undefined for one that `drawnAvatarUrl` never makes. */
export function drawAvatar(file: string): string | undefined {
  const [, hue, initials] = /^(\d{1,3})-([\p{L}\p{N}]{1,2}|\?)\.svg$/u.exec(file) ?? []
  if (hue === undefined || initials === undefined || Number(hue) > 360) return undefined
  const size = [...initials].length > 1 ? 40 : 50
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100">' +
    `<rect width="100" height="100" fill="hsl(${Number(hue)},45%,42%)"/>` +
    `<text x="50" y="52" font-family="system-ui,sans-serif" font-size="${size}" fill="#fff" text-anchor="middle" ` +
    `dominant-baseline="central">${initials}</text></svg>`
  )
}
