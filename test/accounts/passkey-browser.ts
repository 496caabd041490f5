import { createApp } from '../../src/http/app.ts'
import type { Answer, World } from '../../src/testing/index.ts'

export const ORIGIN = 'https://chat.example.com'

/** A browser: it keeps its cookies, and sends the header of our own pages. */
export function browser(w: World, more: Readonly<Record<string, string>> = {}) {
  const app = createApp({ chat: w.chat, rateLimit: false, publicUrl: ORIGIN })
  const cookies = new Map<string, string>()
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
