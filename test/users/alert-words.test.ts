import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { world } from '../../src/testing/world.ts'

test('alert words are added once, whatever their capitals, and removed', async () => {
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

test('a message with an alert word is flagged from then on', async () => {
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

test('what is no alert word', async () => {
  await using w = await world()
  const { api } = w.people.hamlet
  const blank = await api.post('/users/me/alert_words', { alert_words: [' '] })
  assert.equal(blank.msg, 'alert_words[0] cannot be blank')
  const long = await api.post('/users/me/alert_words', { alert_words: ['x'.repeat(101)] })
  assert.equal(long.msg, 'alert_words[0] is too long (limit: 100 characters)')
})
