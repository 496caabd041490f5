import { readFileSync } from 'node:fs'
import { createApp } from '../../../src/http/app.ts'
import { type World, world } from '../../../src/testing/index.ts'

export const fixture = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${path}.json`, import.meta.url), 'utf8'))

/** A world in which hamlet has an incoming webhook. */
export async function withWebhook(more: Readonly<Record<string, unknown>> = {}) {
  const w = await world()
  const names = { full_name: 'Grave', short_name: 'grave', bot_type: 2 }
  const { user_id, api_key } = await w.people.hamlet.api.post('/bots', { ...names, ...more })
  return { w, key: api_key as string, bot_id: user_id as number }
}

interface Sent {
  json?: unknown
  form?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
}

/** Posts to an integration as another service does. */
export async function post(w: World, path: string, { json, form, headers }: Sent) {
  const response = await createApp({ chat: w.chat, rateLimit: false }).fetch(
    new Request(`http://localhost/api/v1/external/${path}`, {
      method: 'POST',
      headers: { ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
      body: form ? new URLSearchParams(form) : JSON.stringify(json),
    }),
  )
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  return { status: response.status, type, text, ...(type.startsWith('application/json') && JSON.parse(text)) }
}

/** The newest message that hamlet has: where it is and what it says. */
export async function newest(w: World) {
  const { messages } = await w.people.hamlet.api.get('/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
  })
  const [{ type, display_recipient, subject, content, sender_full_name }] = messages
  return { place: type === 'stream' ? `${display_recipient} > ${subject}` : 'direct', content, sender_full_name }
}
