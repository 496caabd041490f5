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
