import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { world } from '../../src/testing/world.ts'

test('adds alert words case-insensitively without duplicates and removes them', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const [events] = await verifyEvents([hamlet], async () => {
    const added = await hamlet.api.post('/users/me/alert_words', { alert_words: ['Skull', ' ghost '] })
    assert.deepEqual(added.alert_words, ['ghost', 'Skull'])
    await hamlet.api.post('/users/me/alert_words', { alert_words: ['SKULL'] })
    const removed = await hamlet.api.delete('/users/me/alert_words', { alert_words: ['skull', 'absent'] })
    assert.deepEqual(removed.alert_words, ['ghost'])
    assert.deepEqual((await hamlet.api.get('/users/me/alert_words')).alert_words, ['ghost'])
  })
  assert.equal(events!.length, 2)
})

test('flags later messages that contain an alert word', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  await iago.says('a ghost')
  await hamlet.api.post('/users/me/alert_words', { alert_words: ['ghost'] })
  const { id } = await iago.says('another ghost')
  const { messages } = await hamlet.api.get('/messages', { anchor: 'newest', num_before: 2, num_after: 0 })
  const flagged = messages.filter((message: { flags: string[] }) => message.flags.includes('has_alert_word'))
  assert.deepEqual(
    flagged.map((message: { id: number }) => message.id),
    [id],
  )
})

test('matches whole alert words only, whatever characters they contain or touch', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const alert_words = ['cat', 'big cat', 'c++', '++', '\u{1f642}', 'été', 'a_b', '.net core', 'x y z']
  await hamlet.api.post('/users/me/alert_words', { alert_words })
  const texts: Record<string, boolean> = {
    'a cat, here': true,
    'the CAT': true,
    'a concatenation of cats': false,
    'big cathedral': false,
    'very big cats': false,
    'very big cat!': true,
    'in c++ again': true,
    'in c+ again': false,
    'i ++ j': true,
    'i++j': false,
    'well \u{1f642}': true,
    'un été là': true,
    'un étés là': false,
    '\u{1d400}cat': true,
    'so a_b it is': true,
    'so a_bc it is': false,
    'on .net core now': true,
    'on .net  core now': false,
    'w x y z': true,
    'w x y, z': false,
  }
  for (const [text, expected] of Object.entries(texts)) {
    const { id } = await iago.says(text)
    const { message } = await hamlet.api.get(`/messages/${id}`)
    assert.equal(message.flags.includes('has_alert_word'), expected, text)
  }
  await hamlet.api.delete('/users/me/alert_words', { alert_words })
  const { id } = await iago.says('a cat, c++')
  assert.deepEqual((await hamlet.api.get(`/messages/${id}`)).message.flags.includes('has_alert_word'), false)
})

test('rejects invalid alert words', async () => {
  await using w = await world()
  const { api } = w.people.hamlet
  const blank = await api.post('/users/me/alert_words', { alert_words: [' '] })
  assert.equal(blank.msg, 'alert_words[0] cannot be blank')
  const long = await api.post('/users/me/alert_words', { alert_words: ['x'.repeat(101)] })
  assert.equal(long.msg, 'alert_words[0] is too long (limit: 100 characters)')
})
