import { type Random, randomText } from '../../core/kernel/base/random.ts'
import { cookieIn } from './cookie.ts'

/** The names that Zulip has from Django. */
const COOKIE = 'csrftoken'
const HEADER = 'x-csrftoken'

/**
 * Returns whether a request repeats its `csrftoken` cookie in a header, as test suites of clients do at Zulip's development
 * server. Pages of other sites can neither read the cookie nor send the header.
 */
export const provesCsrfToken = (req: Request): boolean => {
  const token = cookieIn(req, COOKIE)
  return token !== undefined && token === req.headers.get(HEADER)
}

/** Returns the cookie with a new token. Scripts of our own pages may read it. */
export const newCsrfCookie = (random: Random, path: string): string =>
  `${COOKIE}=${randomText(random, 32)}; Path=${path}; SameSite=Lax`
