import { manualClock } from '../../src/core/kernel/base/clock.ts'
import { createApp } from '../../src/http/app.ts'
import type { AskNamedServer } from '../../src/network/provider.ts'
import { type World, type WorldSeed, world } from '../../src/testing/index.ts'
import type { LogEntry } from '../../src/testing/server.ts'
import { type Claims, type FakeProvider, fakeProvider, ISSUER } from './fake-provider.ts'

export const ORIGIN = 'https://chat.example.com'

/** A provider as the file names it. */
export const keycloak = {
  name: 'keycloak',
  display_name: 'Company login',
  issuer: ISSUER,
  client_id: 'chat',
  client_secret: 'a secret',
  trusted_domains: ['example.com'],
  create: 'allowed_domains',
} as const

interface SceneOptions {
  provider?: object
  /** More members of the file. */
  file?: object
  /** More providers of the file, with their fakes. */
  others?: readonly { config: object; fake: (now: () => number) => FakeProvider }[]
  /** Providers that the file doesn't name. */
  elsewhere?: readonly ((now: () => number) => FakeProvider)[]
  seed?: WorldSeed
}

/** A world with an identity provider, whose answers the test decides. */
export async function scene({ provider = {}, file = {}, others = [], elsewhere = [], seed = {} }: SceneOptions = {}) {
  const log: LogEntry[] = []
  const clock = manualClock()
  const fake = fakeProvider({ now: () => clock.now() })
  const fakes = [fake, ...[...others.map((other) => other.fake), ...elsewhere].map((make) => make(() => clock.now()))]
  const ask: AskNamedServer = (request) => {
    const found = fakes.find(({ issuer }) => new URL(issuer).origin === new URL(request.url).origin)
    if (!found) throw new Error(`nobody answers ${request.url}`)
    return found.ask(request)
  }
  const collect = (level: LogEntry['level']) => (details: object, message: string) =>
    void log.push({ level, message, details })
  const config = { providers: [{ ...keycloak, ...provider }, ...others.map((other) => other.config)], ...file }
  const chat = {
    publicUrl: ORIGIN,
    signOn: { config, ask },
    logger: { info: collect('info'), warn: collect('warn'), error: collect('error') },
    ...seed.chat,
  }
  const w = await world({ ...seed, chat } as WorldSeed, clock)
  const app = createApp({ chat: w.chat, publicUrl: chat.publicUrl })
  return {
    w: w as World,
    fake,
    fakes,
    log,
    app,
    clock,
    browser: () => browserOf(app.fetch, fake),
    warnings: () => log.filter(({ level }) => level === 'warn').map(({ message }) => message),
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  }
}
export type Scene = Awaited<ReturnType<typeof scene>>

export interface Shown {
  status: number
  location: string | null
  html: string
  headers: Headers
}

/** A browser that keeps cookies but doesn't follow redirects. */
export function browserOf(fetch: (request: Request) => Promise<Response>, fake?: FakeProvider) {
  const cookies = new Map<string, string>()
  const browser = {
    cookies,
    session: () => cookies.get('__Host-chat_session'),
    /** Signs out. */
    end: (headers: Record<string, string> = {}) => browser.open('/json/session', undefined, headers, 'DELETE'),
    async open(
      path: string,
      fields?: Record<string, string>,
      headers: Record<string, string> = {},
      method = fields ? 'POST' : 'GET',
    ): Promise<Shown> {
      const url = new URL(path, ORIGIN)
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const init = { method, ...(fields && { body: new URLSearchParams(fields) }) }
      const response = await fetch(
        new Request(url, {
          ...init,
          headers: { 'user-agent': 'Firefox/140 Linux', ...headers, ...(cookie && { cookie }) },
        }),
      )
      for (const set of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
        if (/Max-Age=0/.test(set)) cookies.delete(name!)
        else cookies.set(name!, value!)
      }
      const location = response.headers.get('location')
      return { status: response.status, location, html: await response.text(), headers: response.headers }
    },
    /** Presses the provider's button, and returns the address at the provider. */
    async start(query = '', provider = 'keycloak'): Promise<string> {
      const shown = await browser.open(`/accounts/login/social/oidc/${provider}${query}`)
      if (shown.location === null) throw new Error(shown.html)
      return shown.location
    },
    /** Signs in with these claims, up to the page after the provider. */
    async signIn(claims: Claims, query = ''): Promise<Shown> {
      return browser.open(fake!.consent(await browser.start(query), claims))
    },
    /** Returns who is signed in. */
    async me(): Promise<Record<string, unknown>> {
      const { html } = await browser.open('/json/users/me')
      return JSON.parse(html)
    },
  }
  return browser
}
export type Browser = ReturnType<typeof browserOf>

export const ann = { sub: 'subject-1', email: 'ann@example.com', email_verified: true, name: 'Ann Lee' }
