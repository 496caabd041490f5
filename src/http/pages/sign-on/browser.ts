import { browserName } from '../../../core/accounts/sessions.ts'
import type { Browser } from '../../../core/accounts/sign-on/sign-in.ts'
import { newToken } from '../../../core/accounts/sign-on/steps.ts'
import type { Context } from '../../../core/kernel/context.ts'
import { basePath } from '../../../core/kernel/public-url.ts'

type Here = Pick<Context, 'chat' | 'origin'>

/** How long a browser is recognized, in seconds: as long as its sign-in waits. */
const MAX_AGE = 900

/** Returns the name of the cookie that recognizes a browser, which other hosts of the domain can't set over HTTPS. */
function cookieName({ chat, origin }: Here): string {
  if (!origin.startsWith('https:')) return 'chat_sign_on'
  return basePath(chat) === '' ? '__Host-chat_sign_on' : '__Secure-chat_sign_on'
}

/** Returns the browser of a request, and undefined if it has begun no sign-in. */
export function browserOf(visitor: Here, { cookie, user_agent }: Headers): Browser | undefined {
  const id = new RegExp(`(?:^|;)\\s*${cookieName(visitor)}=([A-Za-z0-9]{32})(?:;|$)`).exec(cookie ?? '')?.[1]
  return id === undefined ? undefined : { id, name: browserName(user_agent ?? '') }
}

/** Returns the browser and the cookie that identifies it. The cookie isn't a session, and gives no access. */
export function recognized(visitor: Here, headers: Headers): { browser: Browser; cookie: string } {
  const browser = browserOf(visitor, headers) ?? {
    id: newToken(visitor.chat),
    name: browserName(headers.user_agent ?? ''),
  }
  const isSecure = visitor.origin.startsWith('https:')
  const attributes = `Max-Age=${MAX_AGE}; Path=${basePath(visitor.chat) || '/'}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return { browser, cookie: `${cookieName(visitor)}=${browser.id}; ${attributes}` }
}

interface Headers {
  cookie?: string | null | undefined
  user_agent?: string | null | undefined
}
