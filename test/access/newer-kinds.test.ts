import assert from 'node:assert/strict'
import test from 'node:test'
import { register } from '../../src/core/events/queues/register.ts'
import { apiOf } from '../../src/testing/api.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { listen } from '../messages/listen.ts'

/** Everything that a person may read of what feature levels since 371 added, as one text. */
async function seenBy({ api }: Person, word: string): Promise<Record<string, boolean>> {
  const state = await api.post('/register', {})
  const lists = {
    folders: [state.channel_folders, (await api.get('/channel_folders', { include_archived: true })).channel_folders],
    reminders: [state.reminders, (await api.get('/reminders')).reminders, await api.get('/scheduled_messages')],
    views: [state.navigation_views, (await api.get('/navigation_views')).navigation_views],
    messages: (await api.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0 })).messages,
    everything: state,
  }
  return Object.fromEntries(Object.entries(lists).map(([kind, list]) => [kind, JSON.stringify(list).includes(word)]))
}

const people = { adam: { role: 'administrator' }, mona: { role: 'moderator' } } as const
const WORD = 'quagmire'

interface Kind {
  /** The list that has it. */
  list: 'folders' | 'reminders' | 'views' | 'messages'
  make(w: World): Promise<unknown>
  /** Who sees it, besides its maker. */
  seenBy: readonly string[]
}

const everybody = ['iago', 'adam', 'mona', 'hamlet', 'cordelia', 'polonius']
const general = { stream: 'general', topic: 'plot' }

const kinds: Readonly<Record<string, Kind>> = {
  'a folder': {
    list: 'folders',
    make: ({ people: { iago } }) => iago.api.post('/channel_folders/create', { name: WORD, description: '' }),
    seenBy: everybody,
  },
  'an archived folder': {
    list: 'folders',
    async make({ people: { iago } }) {
      const { channel_folder_id } = await iago.api.post('/channel_folders/create', { name: WORD, description: '' })
      await iago.api.patch(`/channel_folders/${channel_folder_id}`, { is_archived: true })
    },
    seenBy: everybody,
  },
  'a reminder': {
    list: 'reminders',
    async make({ people: { hamlet, cordelia } }) {
      const { id: message_id } = await cordelia.says('remember', general)
      const scheduled_delivery_timestamp = 4_000_000_000
      await hamlet.api.post('/reminders', { message_id, scheduled_delivery_timestamp, note: WORD })
    },
    seenBy: ['hamlet'],
  },
  'a view in the sidebar': {
    list: 'views',
    make: ({ people: { hamlet } }) =>
      hamlet.api.post('/navigation_views', { fragment: 'narrow/is/alerted', is_pinned: true, name: WORD }),
    seenBy: ['hamlet'],
  },
  'a report': {
    list: 'messages',
    async make({ people: { hamlet, cordelia } }) {
      const { id } = await cordelia.says('spam', general)
      await hamlet.api.post(`/messages/${id}/report`, { report_type: 'other', description: WORD })
    },
    // Only members of the moderators' channel: neither the reporter nor the reported person, nor other administrators.
    seenBy: ['iago', 'mona'],
  },
}

for (const [name, { list, make, seenBy: expected }] of Object.entries(kinds)) {
  test(`only ${expected.length === everybody.length ? 'members' : expected.join(' and ')} can see ${name}`, async () => {
    await using w = await world({ people, streams: { moderators: { private: true, members: ['iago', 'mona'] } } })
    const { iago } = w.people
    await iago.api.patch('/realm', {
      moderation_request_channel_id: await w.streamId('moderators'),
      enable_spectator_access: true,
    })
    const received = await Promise.all(everybody.map((one) => listen(w.person(one))))
    await make(w)
    for (const [i, one] of everybody.entries()) {
      const sees = expected.includes(one)
      const seen = await seenBy(w.person(one), WORD)
      assert.equal(seen[list], sees, `${one} in the list`)
      if (!sees) assert.equal(seen.everything, false, `${one} in the state`)
      assert.equal(JSON.stringify(await received[i]!()).includes(WORD), sees, `${one} in an event`)
    }
    const outside = await apiOf(w.chat).post('/register', {})
    assert.equal(JSON.stringify(outside).includes(WORD), false)
  })
}

test('only its owner knows of a device, and can remove it or register it for push notifications', async () => {
  await using w = await world({ people })
  const { hamlet } = w.people
  const received = await Promise.all(everybody.map((one) => listen(w.person(one))))
  const { device_id } = await hamlet.api.post('/register_client_device')
  for (const [i, one] of everybody.entries()) {
    const who = w.person(one)
    const isOwner = one === 'hamlet'
    const { devices } = await register(who, { fetch_event_types: ['device'] })
    assert.equal(String(device_id) in (devices as object), isOwner, one)
    assert.equal((await received[i]!()).length, isOwner ? 1 : 0, one)
    if (isOwner) continue
    const refused = await who.api.post('/remove_client_device', { device_id })
    assert.deepEqual([refused.status, refused.msg], [400, 'Invalid device ID'], one)
    assert.deepEqual((await who.api.post('/remove_client_device', { device_id: 999 })).msg, refused.msg)
  }
  assert.equal((await hamlet.api.post('/remove_client_device', { device_id })).status, 200)
})
