import assert from 'node:assert/strict'
import test from 'node:test'
import { register } from '../../src/core/events/queues/register.ts'
import { world } from '../../src/testing/index.ts'

const python = { name: 'Try it', pygments_language: 'Python', url_template: 'https://python.example.com/?c={code}' }

test('adds and removes playgrounds and sends everyone the whole list', async () => {
  await using w = await world()
  const { iago, polonius } = w.people
  const { id } = await iago.api.post('/realm/playgrounds', python)
  const { id: second } = await iago.api.post('/realm/playgrounds', { ...python, name: ' Another ' })
  const [one, two] = [
    { id, ...python },
    { id: second, ...python, name: 'Another' },
  ]
  const state = await register(polonius, { fetch_event_types: ['realm_playgrounds'] })
  assert.deepEqual(state.realm_playgrounds, [one, two])
  assert.equal((await iago.api.delete(`/realm/playgrounds/${id}`)).status, 200)
  assert.deepEqual(await w.events(), [
    { type: 'realm_playgrounds', realm_playgrounds: [one] },
    { type: 'realm_playgrounds', realm_playgrounds: [one, two] },
    { type: 'realm_playgrounds', realm_playgrounds: [two] },
  ])
})

const refused: [params: Record<string, unknown>, msg: string][] = [
  [{ ...python, name: ' ' }, 'This field cannot be blank.'],
  [{ ...python, pygments_language: 'a$b' }, 'Invalid characters in pygments language'],
  [{ ...python, pygments_language: 'x'.repeat(41) }, 'pygments_language is too long (limit: 40 characters)'],
  [{ ...python, url_template: 'https://example.com/{code' }, 'Invalid URL template.'],
  [{ ...python, url_template: 'https://example.com/' }, 'Missing the required variable "code" in the URL template'],
  [
    { ...python, url_template: 'https://example.com/{code}{x}' },
    '"code" should be the only variable present in the URL template',
  ],
  [python, 'Realm playground with this Realm, Pygments language and Name already exists.'],
]

test('rejects invalid playgrounds', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  await iago.api.post('/realm/playgrounds', python)
  for (const [params, msg] of refused) {
    const answer = await iago.api.post('/realm/playgrounds', params)
    assert.deepEqual([answer.status, answer.code, answer.msg], [400, 'BAD_REQUEST', msg])
  }
  assert.equal((await iago.api.delete('/realm/playgrounds/999')).msg, 'Invalid playground')
  for (const answer of [
    await hamlet.api.post('/realm/playgrounds', python),
    await hamlet.api.delete('/realm/playgrounds/1'),
  ]) {
    assert.equal(answer.msg, 'Must be an organization administrator')
  }
})
