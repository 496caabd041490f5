import assert from 'node:assert/strict'
import test from 'node:test'
import { type Api, world } from '../../src/testing/index.ts'

/**
 * Every request that names a stream, made by an outsider: for a stream they may not know of, and for one that does
 * not exist.
 */
const questions: Record<string, (api: Api, stream: { id: number; name: string }) => Promise<object>> = {
  'GET a stream': (api, { id }) => api.get(`/streams/${id}`),
  'GET its id': (api, { name }) => api.get('/get_stream_id', { stream: name }),
  'GET its members': (api, { id }) => api.get(`/streams/${id}/members`),
  'GET its topics': (api, { id }) => api.get(`/users/me/${id}/topics`),
  'GET whether somebody is in it': (api, { id }) => api.get(`/users/2/subscriptions/${id}`),
  'PATCH a stream': (api, { id }) => api.patch(`/streams/${id}`, { description: 'x' }),
  'archive it': (api, { id }) => api.delete(`/streams/${id}`),
  'delete a topic': (api, { id }) => api.post(`/streams/${id}/delete_topic`, { topic_name: 'x' }),
  'send by name': (api, { name }) => api.post('/messages', { type: 'stream', to: name, topic: 'x', content: 'x' }),
  'send by id': (api, { id }) => api.post('/messages', { type: 'stream', to: id, topic: 'x', content: 'x' }),
  'type in it': (api, { id }) => api.post('/typing', { type: 'stream', op: 'start', stream_id: id, topic: 'x' }),
  'mark it as read': (api, { id }) => api.post('/mark_stream_as_read', { stream_id: id }),
  'mark a topic as read': (api, { id }) => api.post('/mark_topic_as_read', { stream_id: id, topic_name: 'x' }),
  'leave it': (api, { name }) => api.delete('/users/me/subscriptions', { subscriptions: [name] }),
  'follow a topic': (api, { id }) => api.post('/user_topics', { stream_id: id, topic: 'x', visibility_policy: 3 }),
  'read it by name': (api, { name }) => api.get('/messages', { ...window, narrow: [['channel', name]] }),
  'read it by id': (api, { id }) => api.get('/messages', { ...window, narrow: [['channel', id]] }),
  'register for it': (api, { name }) => api.post('/register', { event_types: ['message'], narrow: [['stream', name]] }),
}
const window = { anchor: 'newest', num_before: 1, num_after: 0 }

for (const who of ['hamlet', 'polonius'] as const) {
  test(`answers ${who} identically for a private and a nonexistent stream`, async () => {
    await using w = await world({ streams: { secret: { private: true, members: ['iago'] } } })
    const { api } = w.people[who]
    const secret = { id: await w.streamId('secret'), name: 'secret' }
    const absent = { id: 999_999, name: 'absent' }
    for (const [what, ask] of Object.entries(questions)) {
      const [there, gone] = [await ask(api, secret), await ask(api, absent)]
      const detail = JSON.stringify(there)
        .replaceAll(String(secret.id), String(absent.id))
        .replaceAll('secret', 'absent')
      assert.equal(detail, JSON.stringify(gone).replaceAll(String(secret.id), String(absent.id)), what)
      assert.equal((there as { result: string }).result, 'error', what)
    }
  })
}
