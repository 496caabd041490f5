import assert from 'node:assert/strict'
import test from 'node:test'
import { diffHtml } from '../../src/core/markup/diff.ts'
import { world } from '../../src/testing/world.ts'
import { processorTime } from '../processor-time.ts'

test('history begins with the original message', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { id } = await iago.says('one **two**', { topic: '' })
  await iago.api.patch(`/messages/${id}`, { content: 'one three' })
  const { message_history } = await hamlet.api.get(`/messages/${id}/history`)
  const timestamp = Math.floor(w.clock.now() / 1000)
  assert.deepEqual(message_history, [
    {
      topic: 'general chat',
      content: 'one **two**',
      rendered_content: '<p>one <strong>two</strong></p>',
      user_id: iago.id,
      timestamp,
    },
    {
      topic: 'general chat',
      content: 'one three',
      rendered_content: '<p>one three</p>',
      user_id: iago.id,
      timestamp,
      prev_content: 'one **two**',
      prev_rendered_content: '<p>one <strong>two</strong></p>',
      content_html_diff:
        '<div><p>one <span class="highlight_text_deleted">two</span><span class="highlight_text_inserted">three</span></p></div>',
    },
  ])
})

test('history includes topic changes', async () => {
  await using w = await world()
  const { iago } = w.people
  const { id } = await iago.says('hello', { topic: 'old' })
  assert.equal((await iago.api.patch(`/messages/${id}`, { topic: 'new' })).result, 'success')
  const { message_history } = await iago.api.get(`/messages/${id}/history`)
  assert.deepEqual(
    message_history.map(({ topic, prev_topic }: { topic: string; prev_topic?: string }) => ({ topic, prev_topic })),
    [
      { topic: 'old', prev_topic: undefined },
      { topic: 'new', prev_topic: 'old' },
    ],
  )
})

test("hides history from users who can't see the message", async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const { id } = await iago.says('for hamlet', { people: [hamlet] })
  for (const message_id of [id, 9999]) {
    const { status, msg, code } = await cordelia.api.get(`/messages/${message_id}/history`)
    assert.deepEqual({ status, msg, code }, { status: 400, msg: 'Invalid message(s)', code: 'BAD_REQUEST' })
  }
})

test('compares word by word and escapes the text', () => {
  const mark = (kind: string, text: string) => `<span class="highlight_text_${kind}">${text}</span>`
  assert.equal(
    diffHtml('<p>the old plan of &lt;script&gt;</p>', '<p>the new plan of &lt;b&gt;</p>'),
    `<div><p>the ${mark('deleted', 'old')}${mark('inserted', 'new')} plan of ${mark('deleted', '&lt;script&gt;')}${mark('inserted', '&lt;b&gt;')}</p></div>`,
  )
  assert.equal(diffHtml('<p>a</p>', '<p>a</p>'), '<div><p>a</p></div>')
  const long = (word: string) => `<p>${Array.from({ length: 2000 }, (_, i) => word + i).join(' ')}</p>`
  assert.ok(processorTime(() => diffHtml(long('a'), long('b'))) < 1000)
})

test('keeps the texts of the first and the newest 100 edits, and who made all of them', async () => {
  await using w = await world()
  const { iago } = w.people
  const { id } = await iago.says('version 0', { topic: 'lunch' })
  for (let i = 1; i <= 110; i++) {
    await iago.api.patch(`/messages/${id}`, { content: `version ${i}` })
    if (i === 60) await iago.api.patch(`/messages/${id}`, { topic: 'dinner' })
  }
  const texts = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `version ${from + i}`)
  const gone = (count: number) => Array<string>(count).fill('This version is no longer stored.')
  const { message_history } = await iago.api.get(`/messages/${id}/history`)
  const contents = message_history.map(({ content }: { content: string }) => content)
  assert.deepEqual(
    [contents.length, contents.slice(0, 12), contents.slice(-2)],
    [112, ['version 0', ...gone(9), 'version 10', 'version 11'], texts(109, 110)],
  )
  const { message } = await iago.api.get(`/messages/${id}`)
  const before = message.edit_history.map(({ prev_content }: { prev_content?: string }) => prev_content)
  assert.equal(before.length, 111)
  assert.deepEqual(before.filter((text: string | undefined) => text !== undefined).reverse(), [
    'version 0',
    ...texts(10, 109),
  ])
  for (const { user_id, timestamp } of message.edit_history) assert.deepEqual([user_id, timestamp > 0], [iago.id, true])
})

test('gives each message of a page its own history, however long the others are', async () => {
  await using w = await world()
  const { iago } = w.people
  const counts = [0, 130, 2, 60, 60, 0, 99, 1]
  const ids: number[] = []
  for (const count of counts) {
    const { id } = await iago.says('first')
    for (let i = 0; i < count; i++) await iago.api.patch(`/messages/${id}`, { content: `${id} ${i}` })
    ids.push(id)
  }
  const { messages } = await iago.api.get('/messages', { anchor: ids[0], num_before: 0, num_after: 20 })
  const histories = messages.map((message: { edit_history?: unknown[] }) => message.edit_history?.length ?? 0)
  assert.deepEqual(histories, counts)
})

test('answers with fewer messages when their histories are too large for one answer', async () => {
  await using w = await world({ chat: { limits: { answerCharacters: 20_000 } } })
  const { iago } = w.people
  for (let i = 0; i < 4; i++) {
    const { id } = await iago.says('first')
    for (let edit = 0; edit < 10; edit++)
      await iago.api.patch(`/messages/${id}`, { content: `${'x'.repeat(500)} ${edit}` })
  }
  const { messages, found_oldest } = await iago.api.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
  assert.deepEqual([messages.length, found_oldest], [1, false])
})
