import type { User } from '../user.ts'

/** Path of drawn avatars, below the server's own address. */
export const DRAWN_AVATARS_PATH = '/user_avatars/1/drawn'

/** First letter or digit of the first and of the last word, in capitals; a question mark for a name without any. */
export function initialsOf(full_name: string): string {
  const words = full_name.split(/[\s\-_.]+/u).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  const letters = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  // The capital of some letters is several letters: ß, ŉ.
  return letters.map((letter) => [...letter.toUpperCase()][0]).join('') || '?'
}

/** A colour by its hue; steps of the golden angle keep the colours of successive ids apart. */
const hueOf = (user_id: number): number => Math.round((user_id * 137.508) % 360)

/**
 * The address contains all that the picture shows. So it reveals nothing more, needs no sign-in and no query,
 * and can be cached for ever: a changed name gives another address.
 */
export const drawnAvatarUrl = ({ id, full_name }: Pick<User, 'id' | 'full_name'>): string =>
  `${DRAWN_AVATARS_PATH}/${hueOf(id)}-${encodedInitials(full_name)}.svg`

/** By name: each message that is sent or read has the address of its sender's. */
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
 * The picture of an address, by the last part of its path, decoded; undefined for one that `drawnAvatarUrl` never
 * returns.
 */
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
