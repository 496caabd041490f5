import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../src/testing/index.ts'
import { listen } from './listen.ts'

const success = { status: 200, result: 'success', msg: '' }

test('creates a poll from a command, and everyone who sees it can vote', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const nextEvents = await listen(cordelia, ['message', 'submessage'])
  const { id } = await hamlet.says('/poll To be?\n* yes\n- no\n\nperhaps')
  const [{ message }] = await nextEvents()
  const [widget] = message.submessages
  assert.deepEqual(
    [widget.message_id, widget.sender_id, widget.msg_type, JSON.parse(widget.content)],
    [
      id,
      hamlet.id,
      'widget',
      { widget_type: 'poll', extra_data: { question: 'To be?', options: ['yes', 'no', 'perhaps'] } },
    ],
  )
  const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
  assert.deepEqual(await cordelia.api.post('/submessage', { message_id: id, msg_type: 'widget', content }), success)
  const [event] = await nextEvents()
  assert.deepEqual(event, {
    type: 'submessage',
    msg_type: 'widget',
    message_id: id,
    submessage_id: widget.id + 1,
    sender_id: cordelia.id,
    content,
  })
  const fetched = (await hamlet.api.get(`/messages/${id}`)).message.submessages
  assert.deepEqual(fetched, [
    widget,
    { id: widget.id + 1, message_id: id, sender_id: cordelia.id, msg_type: 'widget', content },
  ])
})

test('a to-do list has a title and tasks', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { id } = await hamlet.says('/todo\nrevenge: soon\nsleep')
  const [widget] = (await hamlet.api.get(`/messages/${id}`)).message.submessages
  assert.deepEqual(JSON.parse(widget.content), {
    widget_type: 'todo',
    extra_data: {
      task_list_title: 'Task list',
      tasks: [
        { task: 'revenge', desc: 'soon' },
        { task: 'sleep', desc: '' },
      ],
    },
  })
  assert.equal((await hamlet.api.patch(`/messages/${id}`, { content: 'x' })).msg, 'Widgets cannot be edited.')
  const { id: plain } = await hamlet.says('/pollen is no poll')
  assert.deepEqual((await hamlet.api.get(`/messages/${plain}`)).message.submessages, [])
})

const step = (type: string, more: object = {}) => JSON.stringify({ type, ...more })
const refused: [what: string, on: 'poll' | 'plain' | 'none', content: string, msg: string][] = [
  ['on no message', 'none', '{}', 'Invalid message(s)'],
  ["on somebody else's message that is no widget", 'plain', '{}', 'You cannot attach a submessage to this message.'],
  ['no JSON', 'poll', '{', 'Invalid json for submessage'],
  ['no step', 'poll', '7', 'Invalid poll data'],
  ['an unknown step', 'poll', step('dance'), 'Unknown type for poll data: dance'],
  ['a vote for nothing', 'poll', step('vote', { vote: 1 }), 'Invalid poll data'],
  ['a double vote', 'poll', step('vote', { key: 'canned,0', vote: 2 }), 'Invalid poll data'],
  [
    "somebody else's question",
    'poll',
    step('question', { question: 'x' }),
    "You can't edit a question unless you are the author.",
  ],
]

test('rejects invalid widget content', async (t) => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const ids = { poll: (await hamlet.says('/poll x')).id, plain: (await hamlet.says('x')).id, none: 999 }
  for (const [what, on, content, msg] of refused) {
    await t.test(what, async () => {
      const answer = await cordelia.api.post('/submessage', { message_id: ids[on], msg_type: 'widget', content })
      assert.deepEqual(answer, { status: 400, result: 'error', code: 'BAD_REQUEST', msg })
    })
  }
})
