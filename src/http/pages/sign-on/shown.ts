import { SET_UP_FACTOR_PATH } from '../../../core/accounts/second-factor/required.ts'
import type { Next } from '../../../core/accounts/sign-on/sign-in.ts'
import type { Context } from '../../../core/kernel/context.ts'
import { servedPath } from '../../../core/kernel/public-url.ts'
import { escapeText } from '../../../core/markup/html.ts'
import type { Page, Words } from '../../serve/page.ts'

/** Pages between the provider and the chat. Each has the token of its step in its address. */
export const STEP_PATHS = {
  factor: '/accounts/login/second_factor',
  app: '/accounts/login/app',
  link: '/accounts/login/link',
  set_up: SET_UP_FACTOR_PATH,
} as const
/** Where the desktop app redeems its token. */
export const REDEEM_PATH = '/accounts/login/subdomain'

export const title: Words = ({ common }) => common.signIn

/** Returns the page of what the browser does next. */
export function pageOf({ chat }: Context, next: Next): Page {
  if (next.kind === 'session') {
    return { status: 200, title, body: '', session: next, goTo: servedPath(chat, next.next ?? '/') }
  }
  if (next.kind === 'desktop') {
    const body: Words = ({ signOn }) => `<p>${signOn.desktop}</p>
<p><code>${escapeText(next.text)}</code></p>`
    return { status: 200, title: ({ signOn }) => signOn.desktopTitle, body }
  }
  return { status: 200, title, body: '', goTo: servedPath(chat, `${STEP_PATHS[next.kind]}?step=${next.token}`) }
}
