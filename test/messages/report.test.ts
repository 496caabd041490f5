import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { type Person, type World, world } from '../../src/testing/world.ts'

const report = (who: Person, id: number, params: object) => who.api.post(`/messages/${id}/report`, params as never)
const inChannel = async (w: World) => {
  const narrow = [['channel', 'moderation']]
  const asked = { anchor: 'newest', num_before: 9, num_after: 0, narrow }
  const plain = (await w.iago.api.get('/messages', { ...asked, apply_markdown: false })).messages
  const html = (await w.iago.api.get('/messages', asked)).messages
  return plain
    .map(({ subject, content, sender_full_name }: Record<string, string>, i: number) => {
      return { subject, content: content!, html: html[i].content, sender_full_name }
    })
    .filter(({ subject }: { subject: string }) => subject !== 'channel events')
}

/** Hamlet is not in the channel where reports arrive. */
async function moderated() {
  const w = await world({
    streams: { moderation: { private: true, members: ['iago'] }, secret: { private: true, members: ['hamlet'] } },
  })
  await w.iago.api.patch('/realm', { moderation_request_channel_id: await w.streamId('moderation') })
  return w
}

test('posts a report with its reason and the message, which notifies nobody mentioned in it', async () => {
  await using w = await moderated()
  const { hamlet, cordelia, iago } = w.people
  const { id } = await cordelia.says('you ```fool``` @**iago** and @**all**', { stream: 'general', topic: 'plot' })
  assert.equal((await report(hamlet, id, { report_type: 'harassment', description: ' it hurts ' })).msg, '')
  const [posted, ...more] = await inChannel(w)
  assert.deepEqual(
    [posted.subject, posted.sender_full_name, more.length],
    ['cordelia moderation', 'Notification Bot', 0],
  )
  const at = new Date(w.clock.now()).toISOString().slice(0, 19)
  assert.ok(
    posted.content.startsWith(
      `@_**hamlet|${hamlet.id}** reported a message sent by @_**cordelia|${cordelia.id}** at <time:${at}Z>.\n\n\`\`\`\` quote\n**Harassment**\n\nit hurts\n\`\`\`\`\n\n`,
    ),
    posted.content,
  )
  assert.match(
    posted.html,
    /<div class="spoiler-block"><div class="spoiler-header">\s*<p><a href="[^"]*#narrow\/channel/,
  )
  assert.match(posted.html, /you <code>fool<\/code>|fool/)
  const { messages } = await iago.api.get('/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [['channel', 'moderation']],
  })
  assert.ok(!messages.at(-1).flags.some((flag: string) => /mentioned/.test(flag)))
})

test('reports direct messages to their recipients, and own ones', async () => {
  await using w = await moderated()
  const { hamlet, cordelia } = w.people
  const own = await hamlet.says('mine', { people: [cordelia] })
  const theirs = await cordelia.says('theirs', { people: [hamlet] })
  await report(hamlet, own.id, { report_type: 'spam' })
  await report(hamlet, theirs.id, { report_type: 'other', description: 'why' })
  const [first, second] = await inChannel(w)
  assert.match(first.content, /sent by @_\*\*hamlet\|\d+\*\* to @_\*\*cordelia\|\d+\*\* at <time:/)
  assert.match(second.content, /sent by @_\*\*cordelia\|\d+\*\* at <time:/)
})

test('rejects unknown types, missing explanations, hidden messages and a missing channel', async () => {
  await using w = await moderated()
  const { hamlet, cordelia, iago } = w.people
  const { id } = await cordelia.says('x')
  const hidden = await hamlet.says('x', { stream: 'secret', topic: 'x' })
  for (const [answer, msg] of [
    [await report(hamlet, id, { report_type: 'rude' }), 'Invalid report_type'],
    [await report(hamlet, id, { report_type: 'other', description: ' ' }), 'An explanation is required.'],
    [
      await report(hamlet, id, { report_type: 'spam', description: 'x'.repeat(1001) }),
      'description is too long (limit: 1000 characters)',
    ],
    [await report(cordelia, hidden.id, { report_type: 'spam' }), 'Invalid message(s)'],
    [await report(hamlet, 999_999, { report_type: 'spam' }), 'Invalid message(s)'],
  ] as const) {
    assert.deepEqual([answer.status, answer.msg], [400, msg])
  }
  const missing = 'Moderation request channel must be specified to enable message reporting.'
  await iago.api.delete(`/streams/${await w.streamId('moderation')}`)
  assert.equal((await report(hamlet, id, { report_type: 'spam' })).msg, missing)
  await iago.api.patch('/realm', { moderation_request_channel_id: -1 })
  assert.equal((await report(hamlet, id, { report_type: 'spam' })).msg, missing)
})

test('takes reports only in a private channel, which stays private', async () => {
  await using w = await moderated()
  const { iago } = w.people
  const problem = [400, 'BAD_REQUEST', 'Moderation request channel must be private.']
  const change = async (path: string, params: Record<string, unknown>) => {
    const { status, code, msg } = await iago.api.patch(path, params)
    return [status, code, msg]
  }
  const general = await w.streamId('general')
  assert.deepEqual(await change('/realm', { moderation_request_channel_id: general }), problem)
  const moderation = `/streams/${await w.streamId('moderation')}`
  assert.deepEqual(await change(moderation, { is_private: false }), problem)
  await iago.api.patch('/realm', { enable_spectator_access: true })
  assert.deepEqual(await change(moderation, { is_web_public: true }), problem)
  const { realm_moderation_request_channel_id } = await iago.api.post('/register', { fetch_event_types: ['realm'] })
  assert.equal(realm_moderation_request_channel_id, await w.streamId('moderation'))
  await iago.api.patch('/realm', { moderation_request_channel_id: -1 })
  assert.equal((await iago.api.patch(moderation, { is_private: false })).status, 200)
})

test('quotes no message in a channel that was public before reports needed a private one', async () => {
  await using w = await moderated()
  const { hamlet, cordelia } = w.people
  await storeOf(w.chat).write(({ db }) =>
    db.updateTable('stream').set({ invite_only: 0 }).where('name', '=', 'moderation').execute(),
  )
  const { id } = await cordelia.says('between us', { people: [hamlet] })
  assert.equal((await report(hamlet, id, { report_type: 'spam' })).msg, '')
  const [posted] = await inChannel(w)
  assert.match(posted.content, /\*\*Spam\*\*.*\[Original message\]\(/s)
  assert.doesNotMatch(posted.content, /between us/)
})

test('lists the types of reports, and posts long messages and names within the limits', async () => {
  await using w = await moderated()
  const { hamlet, cordelia, iago } = w.people
  await iago.api.patch(`/users/${cordelia.id}`, { full_name: 'C'.repeat(90) })
  const { id } = await cordelia.says('`'.repeat(9000))
  const { server_report_message_types } = await hamlet.api.post('/register', { fetch_event_types: ['realm'] })
  assert.deepEqual(
    server_report_message_types.map(({ key }: { key: string }) => key),
    ['spam', 'harassment', 'inappropriate', 'norms', 'other'],
  )
  assert.equal((await report(hamlet, id, { report_type: 'norms', description: 'x'.repeat(1000) })).msg, '')
  const [{ subject }] = await inChannel(w)
  assert.deepEqual([subject.length, subject.endsWith('C moderation')], [60, true])
})
