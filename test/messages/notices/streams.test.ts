import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../../src/testing/index.ts'
import { listen, set } from '../listen.ts'
import { pathOf, subscribe, topicOf } from './read.ts'

const EVENTS = 'channel events'

const kinds = [
  ['Public', {}],
  ['Private, protected history', { invite_only: true, history_public_to_subscribers: false }],
  ['Private, shared history', { invite_only: true, history_public_to_subscribers: true }],
] as const

for (const [kind, params] of kinds) {
  test(`a new stream opens with a notice of its creator, that it is ${kind}, and its description`, async () => {
    await using w = await world()
    const subscriptions = [{ name: 'plays', description: 'What we *act*' }]
    await w.hamlet.api.post('/users/me/subscriptions', { subscriptions, ...params })
    assert.deepEqual(await topicOf(w.hamlet, 'plays', EVENTS), [
      `**${kind}** channel created by @_**hamlet|${w.hamlet.id}**. **Description:**\n\`\`\`\` quote\nWhat we *act*\n\`\`\`\``,
    ])
  })
}

test('the notice says so when a stream has no description', async () => {
  await using w = await world()
  await subscribe(w.hamlet, 'plays')
  assert.match((await topicOf(w.hamlet, 'plays', EVENTS))[0]!, /\*No description\.\*/)
})

test('the creation notice is unread for other subscribers and read for the creator', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w
  const events = await Promise.all([hamlet, cordelia].map((who) => listen(who, ['message'])))
  await subscribe(hamlet, 'plays', { principals: [hamlet.id, cordelia.id] })
  const flags = (await Promise.all(events.map((received) => received()))).map((all) => all.map((event) => event.flags))
  assert.deepEqual(flags, [[['read']], [[]]])
  const stream_id = await w.streamId('plays')
  const unread = await Promise.all(
    [hamlet, cordelia].map(async (who) => {
      const { unread_msgs } = await who.api.post('/register', {
        fetch_event_types: ['update_message_flags', 'message'],
      })
      return unread_msgs.streams.some((topic: { stream_id: number }) => topic.stream_id === stream_id)
    }),
  )
  assert.deepEqual(unread, [false, true])
})

test('a description in a notice mentions nobody', async () => {
  await using w = await world({ people: ['yorick'], groups: { royals: ['hamlet'] } })
  const received = await listen(w.hamlet, ['message'])
  const description = '@**all** @**hamlet** @*royals* ````'
  const subscriptions = [{ name: 'plays', description }]
  const principals = [w.hamlet.id, w.cordelia.id]
  await w.cordelia.api.post('/users/me/subscriptions', { subscriptions, principals })
  await w.cordelia.api.patch(await pathOf(w, 'plays'), { description: `${description}!` })
  const events = await received()
  assert.deepEqual(
    events.map((event) => event.flags),
    [[], []],
  )
  for (const { message } of events) {
    const rendered = (await w.hamlet.api.get(`/messages/${message.id}`)).message.content
    assert.match(rendered, /````!?<\/p>\s*<\/blockquote>/)
  }
})

test('a change notice names the author and both values', async () => {
  await using w = await world({ streams: { plays: { members: ['iago', 'hamlet'] } }, groups: { royals: ['hamlet'] } })
  const path = await pathOf(w, 'plays')
  const iago = `@_**iago|${w.iago.id}**`
  const changes: [Record<string, unknown>, string][] = [
    [{ new_name: 'dramas' }, `${iago} renamed channel **plays** to **dramas**.`],
    [
      { description: 'Acts' },
      `${iago} changed the description for this channel.\n\n* **Old description:**\n\`\`\`\` quote\n*No description.*\n\`\`\`\`\n* **New description:**\n\`\`\`\` quote\nActs\n\`\`\`\``,
    ],
    [
      { is_private: true },
      `${iago} changed the access permissions for this channel from **Public** to **Private, protected history**.`,
    ],
    [
      { history_public_to_subscribers: true, is_private: true },
      `${iago} changed the access permissions for this channel from **Private, protected history** to **Private, shared history**.`,
    ],
    [
      { can_send_message_group: { new: await w.groupId('royals') } },
      `${iago} changed the posting permissions for this channel:\n\n* **Old**: @_*role:everyone*.\n* **New**: @_*royals*.`,
    ],
    [
      { can_send_message_group: { new: { direct_members: [w.hamlet.id], direct_subgroups: [] } } },
      `${iago} changed the posting permissions for this channel:\n\n* **Old**: @_*royals*.\n* **New**: @_**hamlet|${w.hamlet.id}**.`,
    ],
    [
      { message_retention_days: 9 },
      `${iago} has changed the message retention period for this channel:\n\n* **Old retention period**: Forever\n* **New retention period**: 9 days\n\nMessages in this channel will now be automatically deleted 9 days after they are sent.`,
    ],
    [
      { message_retention_days: 'unlimited' },
      `${iago} has changed the message retention period for this channel:\n\n* **Old retention period**: 9 days\n* **New retention period**: Forever\n\nMessages in this channel will now be retained forever.`,
    ],
  ]
  for (const [i, [change, notice]] of changes.entries()) {
    assert.equal((await w.iago.api.patch(path, change)).msg, '')
    const said = await topicOf(w.hamlet, i === 0 ? 'dramas' : 'dramas', EVENTS)
    assert.deepEqual([said.length, said.at(-1)], [i + 1, notice])
  }
})

test('posts no notice when nothing changed', async () => {
  await using w = await world({ streams: { plays: { members: ['iago'] } } })
  await w.iago.api.patch(await pathOf(w, 'plays'), {
    description: '',
    is_private: false,
    message_retention_days: 'realm_default',
  })
  assert.deepEqual(await topicOf(w.iago, 'plays', EVENTS), [])
})

test('archiving posts a notice that is unread for nobody', async () => {
  await using w = await world({ streams: { plays: { private: true, members: ['iago', 'hamlet'] } } })
  const received = await listen(w.hamlet, ['message'])
  await w.iago.api.delete(await pathOf(w, 'plays'))
  const [{ message }] = await received()
  assert.equal(message.subject, EVENTS)
  assert.equal(message.content, 'Channel #**plays** has been archived.')
  const { unread_msgs } = await w.hamlet.api.post('/register', {
    fetch_event_types: ['update_message_flags', 'message'],
  })
  assert.deepEqual(unread_msgs.streams, [])
})

test('announces new public streams in the chosen stream, one message per request', async () => {
  await using w = await world()
  await set(w, 'new_stream_announcements_stream_id', await w.streamId('general'))
  const subscriptions = [{ name: 'plays' }, { name: 'songs' }]
  await w.hamlet.api.post('/users/me/subscriptions', { subscriptions, announce: true })
  await subscribe(w.hamlet, 'secrets', { announce: true, invite_only: true })
  await subscribe(w.hamlet, 'quiet')
  await subscribe(w.hamlet, 'jokes', { announce: true })
  const hamlet = `@_**hamlet|${w.hamlet.id}**`
  assert.deepEqual(await topicOf(w.iago, 'general', 'new channels'), [
    `${hamlet} created the following channels: #**plays**, #**songs**.`,
    `${hamlet} created a new channel #**jokes**.`,
  ])
})
