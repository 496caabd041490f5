import type { FetchAnswer } from './post.ts'

/** Returns where an answer redirects to, or undefined if it doesn't. Throws for an address that nobody should follow. */
export function redirectTarget({ status, headers: { location } }: Omit<FetchAnswer, 'bytes'>, from: string) {
  if (![301, 302, 303, 307, 308].includes(status) || !location) return undefined
  if (!URL.canParse(location, from)) throw new Error('the server redirected to an address that is not valid')
  const target = new URL(location, from)
  if (!/^https?:$/.test(target.protocol)) throw new Error(`the server redirected to ${target.protocol}`)
  return target.href
}
