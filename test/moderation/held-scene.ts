import assert from 'node:assert/strict'
import { type Person, world } from '../../src/testing/index.ts'

export const DAY = 86_400_000

/** iago is the owner, cordelia a moderator; ann and ben are new. */
export async function scene(settings: Record<string, unknown> = { hold_first_messages: 2 }) {
  const w = await world({ people: ['ann', 'ben'], streams: { den: { private: true, members: ['ann', 'ben'] } } })
  await w.iago.api.patch(`/users/${w.cordelia.id}`, { role: 300 })
  assert.equal((await w.iago.api.patch('/realm', settings)).msg, '')
  const queue = async (by: Person = w.cordelia) => (await by.api.get('/held_messages')).held_messages
  const decide = (id: number, decision: string, by: Person = w.cordelia, more: object = {}) =>
    by.api.patch(`/held_messages/${id}`, { decision, ...more })
  return { w, queue, decide }
}

export const send = (who: Pick<Person, 'api'>, content: string, more: object = {}) =>
  who.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content, ...more })

/** Holds a message, and returns its ID. */
export async function held(who: Pick<Person, 'api'>, content: string, more: object = {}): Promise<number> {
  const answer = await send(who, content, more)
  assert.deepEqual(
    [answer.status, answer.code, answer.msg],
    [400, 'MESSAGE_HELD', 'A moderator will review your message.'],
  )
  return answer.held_message_id
}

export const newest = async (who: Person, count = 1) =>
  (await who.api.get('/messages', { anchor: 'newest', num_before: count, num_after: 0, apply_markdown: false }))
    .messages
