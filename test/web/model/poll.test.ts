import assert from 'node:assert/strict'
import test from 'node:test'
import { pollOf, tasksOf } from '../../../web/model/reading/poll.ts'

const step = (id: number, sender_id: number, data: object) => ({
  id,
  message_id: 1,
  sender_id,
  msg_type: 'widget',
  content: JSON.stringify(data),
})

test("a poll reflects votes, retractions, added options and its author's question", () => {
  const { question, options } = pollOf(1, { question: 'Where?', options: ['Here', 'There'] }, [
    step(10, 2, { type: 'vote', key: 'canned,0', vote: 1 }),
    step(12, 2, { type: 'vote', key: 'canned,0', vote: -1 }),
    step(11, 3, { type: 'vote', key: 'canned,1', vote: 1 }),
    step(13, 3, { type: 'new_option', idx: 1, option: 'Nowhere' }),
    step(14, 2, { type: 'vote', key: '3,1', vote: 1 }),
    step(15, 2, { type: 'question', question: 'Mine?' }),
    step(16, 1, { type: 'question', question: 'Where then?' }),
  ])
  assert.equal(question, 'Where then?')
  assert.deepEqual(options, [
    { key: 'canned,0', text: 'Here', voters: [] },
    { key: 'canned,1', text: 'There', voters: [3] },
    { key: '3,1', text: 'Nowhere', voters: [2] },
  ])
})

test('a task is done after an odd number of toggles', () => {
  const { title, tasks } = tasksOf(1, { task_list_title: 'Picnic', tasks: [{ task: 'Bread', desc: 'two' }] }, [
    step(10, 2, { type: 'strike', key: '0,canned' }),
    step(11, 2, { type: 'new_task', key: 1, task: 'Cheese', desc: '', completed: false }),
    step(12, 3, { type: 'strike', key: '1,2' }),
    step(13, 1, { type: 'strike', key: '1,2' }),
    { ...step(14, 1, {}), content: 'not JSON' },
  ])
  assert.equal(title, 'Picnic')
  assert.deepEqual(
    tasks.map(({ text, done }) => [text, done]),
    [
      ['Bread', true],
      ['Cheese', false],
    ],
  )
})
