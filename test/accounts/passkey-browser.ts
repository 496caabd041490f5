import assert from 'node:assert/strict'
import { storeOf } from '../../src/core/kernel/store.ts'
import { createApp } from '../../src/http/app.ts'
import { type Answer, type Person, type World, world } from '../../src/testing/index.ts'
import type { Authenticator, Flaw } from './authenticator.ts'

export const ORIGIN = 'https://chat.example.com'

/** A browser: it keeps its cookies, and sends the header of our own pages. */
export function browser(
  w: Pick<World, 'chat'>,
  more: Readonly<Record<string, string>> = {},
  cookies = new Map<string, string>(),
) {
  const app = createApp({ chat: w.chat, rateLimit: false, publicUrl: ORIGIN })
  return {
    cookies,
    async ask(method: string, path: string, params: Readonly<Record<string, unknown>> = {}) {
      const body = new URLSearchParams()
      for (const [name, value] of Object.entries(params))
        if (value !== undefined) body.set(name, typeof value === 'string' ? value : JSON.stringify(value))
      const headers = {
        'x-requested-with': 'test',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...more,
      }
      const init = { method, headers, ...(method !== 'GET' && { body }) }
      const response = await app.fetch(new Request(`${ORIGIN}/json${path}`, init))
      for (const text of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(text)!
        cookies.set(name!, value!)
      }
      return Object.assign({ status: response.status }, await response.json()) as Answer
    },
  }
}
export type TestBrowser = ReturnType<typeof browser>

/** A world where passkeys work. */
export const opened = () => world({ chat: { publicUrl: ORIGIN } })
export const login = ({ email, password }: Person) => ({ username: email, password })

/** Adds a passkey in a browser that has just signed in. */
export async function added(b: TestBrowser, who: Person, made: Authenticator, name = 'Laptop') {
  await b.ask('POST', '/session', login(who))
  const { options } = await b.ask('POST', '/users/me/passkeys/options', { password: who.password })
  const answer = await b.ask('POST', '/users/me/passkeys', { response: made.create(options), name })
  assert.equal(answer.status, 200, answer.msg)
  return answer
}
export async function signIn(b: TestBrowser, made: Authenticator, flaw: Flaw = {}) {
  const { options } = await b.ask('POST', '/session/passkey/options')
  return b.ask('POST', '/session/passkey', { response: made.get(options, flaw) })
}
export const auditOf = async (w: World, action: string) =>
  storeOf(w.chat).db.selectFrom('audit').selectAll().where('action', '=', action).execute()
