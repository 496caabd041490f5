import type { Chat } from '../core/kernel/chat.ts'
import { type App, createApp } from '../http/app.ts'

/** The API's response: the status, and the members of the JSON object. */
export interface Answer {
  status: number
  result: 'success' | 'error'
  msg: string
  code?: string
  // biome-ignore lint/suspicious/noExplicitAny: an answer's members depend on the operation.
  [member: string]: any
}

/** A request: the path below /api/v1, and the parameters. */
export type Call = (path: string, params?: Readonly<Record<string, unknown>>) => Promise<Answer>
export interface Api {
  get: Call
  post: Call
  put: Call
  patch: Call
  delete: Call
  /** Posts a multipart form with one file. */
  upload(path: string, bytes: Uint8Array<ArrayBuffer>, name?: string): Promise<Answer>
}

/**
 * Returns the API as clients use it, without a socket. Parameters are encoded like clients do (text unchanged,
 * everything else as JSON), and responses are decoded, with their status. Each request has the headers of `more`.
 */
export function apiOf(
  chat: Chat,
  who?: { email: string; key: string },
  more: Readonly<Record<string, string>> = {},
): Api {
  const headers: Record<string, string> = { ...more, ...(who && { authorization: basic(who.email, who.key) }) }
  const answer = async (path: string, init: RequestInit): Promise<Answer> => {
    const app = appOf(chat)
    const response = await app.fetch(new Request(`http://localhost${app.basePath}/api/v1${path}`, { ...init, headers }))
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const members = isJson ? await response.json() : { text: await response.text() }
    return Object.assign({ status: response.status }, members) as Answer
  }
  const inQuery =
    (method: string): Call =>
    (path, params = {}) => {
      const query = encode(params).toString()
      return answer(query ? `${path}?${query}` : path, { method })
    }
  const inBody =
    (method: string): Call =>
    (path, params = {}) =>
      answer(path, { method, body: encode(params) })
  return {
    get: inQuery('GET'),
    post: inBody('POST'),
    put: inBody('PUT'),
    patch: inBody('PATCH'),
    delete: inBody('DELETE'),
    upload(path, bytes, name = 'image.png') {
      const body = new FormData()
      body.set('filename', new Blob([bytes]), name)
      return answer(path, { method: 'POST', body })
    },
  }
}

/** One app for all people of a chat, because building its route table is most of the work. */
function appOf(chat: Chat): App {
  const app = apps.get(chat) ?? createApp({ chat, rateLimit: false })
  apps.set(chat, app)
  return app
}
const apps = new WeakMap<Chat, App>()

const basic = (email: string, key: string) => `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`

function encode(params: Readonly<Record<string, unknown>>): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return form
}
