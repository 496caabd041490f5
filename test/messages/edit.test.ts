import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import type { SettingName } from '../../src/core/settings/organization-table.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { listen, set } from './listen.ts'

const changed = { status: 200, result: 'success', msg: '', detached_uploads: [] }
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('edits a message for everyone who has it', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const { id } = await hamlet.says('to be')
  await cordelia.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  w.clock.advance(60_000)
  const nextEvents = await listen(cordelia, ['update_message'])
  assert.deepEqual(await hamlet.api.patch(`/messages/${id}`, { content: 'or **not** to be' }), changed)
  const at = Math.floor(w.clock.now() / 1000)
  assert.deepEqual(await nextEvents(), [
    {
      type: 'update_message',
      user_id: hamlet.id,
      edit_timestamp: at,
      message_id: id,
      message_ids: [id],
      rendering_only: false,
      flags: ['starred'],
      stream_id: await w.streamId('general'),
      stream_name: 'general',
      orig_content: 'to be',
      orig_rendered_content: '<p>to be</p>',
      content: 'or **not** to be',
      rendered_content: '<p>or <strong>not</strong> to be</p>',
      is_me_message: false,
    },
  ])
  const { message, raw_content } = await cordelia.api.get(`/messages/${id}`)
  assert.equal(raw_content, 'or **not** to be')
  assert.deepEqual([message.last_edit_timestamp, message.last_moved_timestamp], [at, undefined])
  assert.equal(message.edit_history[0].prev_content, 'to be')
})

test('sends nothing when the content is unchanged', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { id } = await hamlet.says('to be')
  await w.events()
  assert.deepEqual(await hamlet.api.patch(`/messages/${id}`, { content: 'to be' }), changed)
  assert.deepEqual(await w.events(), [])
})

test('replaces empty content with "(deleted)"', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { id } = await hamlet.says('to be')
  await hamlet.api.patch(`/messages/${id}`, { content: ' ' })
  assert.equal((await hamlet.api.get(`/messages/${id}`)).raw_content, '(deleted)')
})

test('updates mentions from the text and keeps flags users set', async () => {
  await using w = await world()
  const { hamlet, cordelia, iago } = w.people
  const { id } = await hamlet.says('@**cordelia** hello')
  await cordelia.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  const flagsOf = async (who: Person) => (await who.api.get(`/messages/${id}`)).message.flags.sort()
  assert.deepEqual(await flagsOf(cordelia), ['mentioned', 'starred'])
  await hamlet.api.patch(`/messages/${id}`, { content: '@**iago** hello' })
  assert.deepEqual([await flagsOf(cordelia), await flagsOf(iago)], [['starred'], ['mentioned']])
  await hamlet.api.patch(`/messages/${id}`, { content: '@**all** hello' })
  assert.deepEqual(await flagsOf(iago), ['stream_wildcard_mentioned', 'wildcard_mentioned'])
})

test('finds an edited message by its new words', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { id } = await hamlet.says('elderberry')
  await hamlet.api.patch(`/messages/${id}`, { content: 'gooseberry' })
  const found = async (word: string) => {
    const narrow = [{ operator: 'search', operand: word }]
    const { messages } = await hamlet.api.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow })
    return messages.map((message: { id: number }) => message.id)
  }
  assert.deepEqual([await found('elderberry'), await found('gooseberry')], [[], [id]])
})

interface Refusal {
  what: string
  settings?: Partial<Record<SettingName, unknown>>
  who?: 'iago' | 'hamlet' | 'cordelia'
  direct?: boolean
  later?: number
  params: object
  msg: string
  fields?: Readonly<Record<string, unknown>>
  code?: string
}

const refusals: Refusal[] = [
  { what: 'nothing', params: {}, msg: 'Nothing to change' },
  { what: 'the topic it has', params: { topic: 'greetings' }, msg: 'Nothing to change' },
  {
    what: 'content where editing is off',
    settings: { allow_message_editing: false },
    params: { content: 'x' },
    msg: 'Your organization has turned off message editing',
  },
  {
    what: "somebody else's content",
    who: 'iago',
    params: { content: 'x' },
    msg: "You don't have permission to edit this message",
  },
  {
    what: 'content too late',
    later: 601,
    params: { content: 'x' },
    msg: 'The time limit for editing this message has passed',
  },
  {
    what: 'content over another edit',
    params: { content: 'x', prev_content_sha256: sha256('something else') },
    code: 'EXPECTATION_MISMATCH',
    msg: "'prev_content_sha256' value does not match the expected value.",
  },
  {
    what: 'general chat where it is not allowed',
    settings: { topics_policy: 'disable_empty_topic' },
    params: { topic: '' },
    fields: { empty_topic_display_name: 'general chat' },
    msg: 'Sending messages to the general chat is not allowed in this channel.',
  },
  {
    what: 'the topic without permission',
    settings: { can_move_messages_between_topics_group: 'role:administrators' },
    params: { topic: 'x' },
    msg: "You don't have permission to edit this message",
  },
  {
    what: 'the mark of a resolved topic without permission',
    settings: { can_resolve_topics_group: 'role:administrators' },
    params: { topic: '✔ greetings' },
    msg: "You don't have permission to resolve topics.",
  },
  {
    what: 'the topic too late',
    later: 604_801,
    params: { topic: 'x' },
    msg: "The time limit for editing this message's topic has passed.",
  },
  {
    what: 'the stream without permission',
    settings: { can_move_messages_between_channels_group: 'role:administrators' },
    params: { stream_id: 'other' },
    msg: "You don't have permission to move this message",
  },
  {
    what: 'the stream too late',
    later: 604_801,
    params: { stream_id: 'other' },
    msg: "The time limit for editing this message's channel has passed",
  },
  { what: 'to a stream that is none', params: { stream_id: 999 }, msg: 'Invalid stream ID' },
  { what: 'to a stream out of sight', params: { stream_id: 'secret' }, msg: 'Invalid stream ID' },
  {
    what: 'content and stream at once',
    params: { stream_id: 'other', content: 'x' },
    msg: 'Cannot change message content while changing channel',
  },
  {
    what: 'the topic of a direct one',
    direct: true,
    params: { topic: 'x' },
    msg: 'Direct messages cannot have topics.',
  },
  {
    what: 'the stream of a direct one',
    direct: true,
    params: { stream_id: 'other' },
    msg: 'Direct messages cannot be moved to channels.',
  },
  {
    what: 'a topic that is too long',
    params: { topic: 'x'.repeat(61) },
    msg: 'Topic is too long: at most 60 characters',
  },
  { what: 'a strange propagate_mode', params: { topic: 'x', propagate_mode: 'all' }, msg: 'Invalid propagate_mode' },
]

test('rejects an invalid edit and changes nothing', async (t) => {
  for (const refusal of refusals) {
    await t.test(refusal.what, async () => {
      await using w: World = await world({ streams: { other: {}, secret: { private: true } } })
      const { hamlet, cordelia } = w.people
      const { id } = await hamlet.says('to be', refusal.direct ? { people: [cordelia] } : {})
      for (const [name, value] of Object.entries(refusal.settings ?? {})) await set(w, name as SettingName, value)
      w.clock.advance((refusal.later ?? 0) * 1000)
      const params = { ...refusal.params } as { stream_id?: string | number }
      if (typeof params.stream_id === 'string') params.stream_id = await w.streamId(params.stream_id)
      await w.events()
      assert.deepEqual(await w.people[refusal.who ?? 'hamlet'].api.patch(`/messages/${id}`, params), {
        status: 400,
        result: 'error',
        code: refusal.code ?? 'BAD_REQUEST',
        msg: refusal.msg,
        ...refusal.fields,
      })
      assert.deepEqual(await w.events(), [])
    })
  }
})

test('accepts an edit with the correct hash of the previous content', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { id } = await hamlet.says('to be')
  const params = { content: 'x', prev_content_sha256: sha256('to be') }
  assert.deepEqual(await hamlet.api.patch(`/messages/${id}`, params), changed)
})
