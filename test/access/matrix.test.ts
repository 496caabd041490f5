import assert from 'node:assert/strict'
import test from 'node:test'
import { subscribe } from '../../src/core/streams/subscribe.ts'
import { unsubscribe } from '../../src/core/streams/unsubscribe.ts'
import { setRole } from '../../src/core/users/roles-change.ts'
import { type Answer, type Person, type World, world } from '../../src/testing/index.ts'
import { listen } from '../messages/listen.ts'

/**
 * Who may see which message, and that every way to it says the same. Each stream has three messages: `first` while
 * everybody who was ever in it is in; `second` after `ex` and `back` left; `third` after `late` and `back` came.
 */
const people = {
  admin: { role: 'administrator' },
  mod: { role: 'moderator' },
  /** In everything from the beginning. */
  inside: {},
  /** A member who is in nothing. */
  outsider: {},
  guest: { role: 'guest' },
  guestInside: { role: 'guest' },
  bot: { bot: true },
  botInside: { bot: true },
  ex: {},
  back: {},
  late: {},
  /** Was in everything; deactivated since. */
  gone: {},
} as const
type Name = keyof typeof people | 'iago' | 'hamlet'
const everybody = [...Object.keys(people), 'iago', 'hamlet'] as Name[]

const streams = {
  public: {},
  shared: { private: true, sharedHistory: true },
  protected: { private: true },
} as const
type StreamName = keyof typeof streams
type When = 'first' | 'second' | 'third'

const always: Name[] = ['hamlet', 'inside', 'guestInside', 'botInside']
/** hamlet writes everything; iago owns the organization and is in nothing. */
const strangers: Name[] = ['iago', 'admin', 'mod', 'outsider', 'bot']

interface Row {
  who: readonly Name[]
  /** Of these they see it … */
  sees: Readonly<Record<string, readonly When[] | true>>
}

/** The table. What is not in it is not seen. */
const rows: readonly Row[] = [
  {
    who: always,
    sees: {
      public: ['first', 'second', 'third'],
      shared: ['first', 'second', 'third'],
      protected: ['first', 'second', 'third'],
    },
  },
  {
    who: ['late'],
    sees: { public: ['first', 'second', 'third'], shared: ['first', 'second', 'third'], protected: ['third'] },
  },
  {
    who: ['back'],
    sees: { public: ['first', 'second', 'third'], shared: ['first', 'second', 'third'], protected: ['first', 'third'] },
  },
  { who: ['ex', ...strangers], sees: { public: ['first', 'second', 'third'] } },
  { who: ['hamlet', 'inside'], sees: { direct: true, group: true } },
  { who: ['late'], sees: { group: true } },
  { who: ['hamlet'], sees: { self: true } },
]

const directs: Readonly<Record<string, readonly Name[]>> = {
  direct: ['inside'],
  group: ['inside', 'late'],
  self: ['hamlet'],
}

interface Sample {
  place: string
  when?: When
  id: number
  word: string
}

const maySee = (name: Name, { place, when }: Sample): boolean =>
  rows.some(({ who, sees }) => {
    const seen = sees[place]
    return who.includes(name) && (seen === true || (when !== undefined && seen?.includes(when) === true))
  })

/** Who gets the events of a message: of those who see it, whoever is in the stream, or in the conversation. */
const mayHear = (name: Name, sample: Sample): boolean =>
  maySee(name, sample) && (sample.when === undefined || [...always, 'late', 'back'].includes(name))

async function scene() {
  const w = await world({ people })
  const hamlet = w.people.hamlet
  const person = (name: string) => w.person(name)
  const samples: Sample[] = []
  let count = 0
  const say = async (place: string, to: Parameters<Person['says']>[1], when?: When) => {
    const word = `zq${String.fromCharCode(97 + count++)}wx`
    const { id } = await hamlet.says(`A word: ${word}`, to)
    samples.push({ place, id, word, ...(when && { when }) })
  }
  for (const [name, stream] of Object.entries(streams)) {
    const join = (who: readonly Name[]) =>
      subscribe(hamlet, {
        subscriptions: [{ name }],
        principals: who.map((one) => person(one).id),
        invite_only: 'private' in stream,
        history_public_to_subscribers: !('private' in stream) || 'sharedHistory' in stream,
      })
    const to = { stream: name, topic: 'plot' }
    await join([...always, 'ex', 'back', 'gone'])
    await say(name, to, 'first')
    for (const one of ['ex', 'back']) await unsubscribe(person(one), { subscriptions: [name] })
    await say(name, to, 'second')
    await join(['late', 'back'])
    await say(name, to, 'third')
  }
  for (const [name, who] of Object.entries(directs)) await say(name, { people: who.map((one) => person(one)) })
  await w.chat.store.write(({ db }) =>
    db.updateTable('user').set({ is_active: 0 }).where('id', '=', person('gone').id).execute(),
  )
  return { w, samples }
}

interface Way {
  name: string
  ask(who: Person, id: number, sample: Sample, w: World): Promise<Answer>
  /** Whether the answer tells of the message; by default any that an absent one does not get. */
  tells?(answer: Answer, id: number): boolean
  /** The answer tells of the messages around, too. */
  around?: true
  /** Whoever may would change what the next one asks for. */
  not?: readonly Name[]
}

const found = (answer: Answer, id: number) =>
  answer.messages?.some((message: { id: number }) => message.id === id) === true
/** Without it, a narrow is about what one has, and not about all one may see. */
const narrowTo = async (place: string, w: World) =>
  place in streams ? [{ operator: 'channel', operand: await w.streamId(place) }] : []
const one = { num_before: 0, num_after: 0 }
const at = (id: number) => ({ anchor: id, ...one })

const ways: readonly Way[] = [
  { name: 'get it', ask: (who, id) => who.api.get(`/messages/${id}`) },
  {
    name: 'list it',
    ask: async (who, id, { place }, w) =>
      who.api.get('/messages', { message_ids: [id], narrow: await narrowTo(place, w) }),
    tells: found,
  },
  {
    name: 'narrow to its id',
    ask: (who, id) => who.api.get('/messages', { ...at(id), narrow: [{ operator: 'id', operand: id }] }),
    tells: found,
  },
  {
    name: 'narrow to its place',
    ask: async (who, id, { place }, w) => who.api.get('/messages', { ...at(id), narrow: await narrowTo(place, w) }),
    tells: found,
    around: true,
  },
  {
    name: 'read on from it',
    ask: (who, id) =>
      who.api.get('/messages', {
        ...at(id),
        num_before: 500,
        num_after: 500,
        narrow: [{ operator: 'id', operand: id }],
      }),
    tells: found,
  },
  {
    name: 'search for it',
    async ask(who, _, { place, word }, w) {
      const narrow = [...(await narrowTo(place, w)), { operator: 'search', operand: word }]
      return who.api.get('/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow })
    },
    tells: found,
  },
  {
    name: 'match it',
    ask: async (who, id, { place }, w) =>
      who.api.get('/messages/matches_narrow', { msg_ids: [id], narrow: await narrowTo(place, w) }),
    tells: (answer, id) => answer.messages !== undefined && String(id) in answer.messages,
  },
  { name: 'see its history', ask: (who, id) => who.api.get(`/messages/${id}/history`) },
  { name: 'see its receipts', ask: (who, id) => who.api.get(`/messages/${id}/read_receipts`) },
  { name: 'edit it', ask: (who, id) => who.api.patch(`/messages/${id}`, {}) },
  {
    name: 'change what it says',
    ask: (who, id) => who.api.patch(`/messages/${id}`, { content: 'x' }),
    not: ['hamlet'],
  },
  {
    name: 'move it',
    ask: (who, id) => who.api.patch(`/messages/${id}`, { stream_id: 999_999 }),
  },
  { name: 'delete it', ask: (who, id) => who.api.delete(`/messages/${id}`), not: ['iago', 'admin'] },
  { name: 'react to it', ask: (who, id) => who.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }) },
  {
    name: 'take a reaction off',
    ask: (who, id) => who.api.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
  },
  {
    name: 'attach to it',
    ask: (who, id) => who.api.post('/submessage', { message_id: id, msg_type: 'x', content: '{}' }),
    not: ['hamlet'],
  },
  {
    name: 'star it',
    ask: (who, id) => who.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }),
  },
  {
    name: 'mark it unread',
    ask: (who, id) => who.api.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' }),
  },
  {
    name: 'mark it read',
    ask: (who, id) => who.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }),
  },
  {
    name: 'flag it by a narrow',
    ask: (who, id) =>
      who.api.post('/messages/flags/narrow', {
        ...at(id),
        narrow: [{ operator: 'id', operand: id }],
        op: 'add',
        flag: 'collapsed',
      }),
    tells: (answer) => answer.processed_count > 0,
  },
  {
    name: 'narrow with it',
    ask: (who, id) => who.api.get('/messages', { ...at(id), narrow: [{ operator: 'with', operand: id }] }),
    tells: found,
  },
]

const ABSENT = 1_000_000

/** An answer without what was asked for: two that differ only in that tell the same. */
const anonymous = (answer: Answer, id: number, word: string) =>
  JSON.stringify(answer)
    .replace(new RegExp(`\\b${id}\\b`, 'g'), 'ID')
    .replaceAll(word, 'WORD')

test('the scene has somebody of each kind, and something to hide from most of them', async () => {
  const { w, samples } = await scene()
  await using _ = w.chat
  assert.equal(samples.length, 12)
  for (const name of everybody) assert.ok(samples.some((sample) => !maySee(name, sample)) || name === 'hamlet', name)
})

for (const way of ways) {
  test(`only who may see a message can ${way.name}; to others it is as if it were not there`, async () => {
    const { w, samples } = await scene()
    await using _ = w.chat
    for (const name of everybody) {
      const who = w.person(name)
      for (const sample of samples) {
        const { id } = sample
        const sees = maySee(name, sample)
        if (sees && way.not?.includes(name)) continue
        const told = `${name} ${sees ? 'can' : 'cannot'} ${way.name}: ${sample.place} ${sample.when ?? ''}`
        const answer = await way.ask(who, id, sample, w)
        const absent = await way.ask(who, ABSENT, { ...sample, word: 'zqnonewx' }, w)
        if (name === 'gone') assert.equal(answer.status, 401, told)
        const same = anonymous(answer, id, sample.word) === anonymous(absent, ABSENT, 'zqnonewx')
        const tells = way.tells?.(answer, id) ?? !same
        assert.equal(tells, sees, `${told}\n${JSON.stringify(answer)}`)
        if (!sees && !way.around) assert.ok(same, `${told} alike\n${JSON.stringify(answer)}\n${JSON.stringify(absent)}`)
      }
    }
  })
}

const live: readonly { name: string; act(w: World, id: number): Promise<Answer> }[] = [
  { name: 'reacted to', act: (w, id) => w.people.hamlet.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }) },
  { name: 'edited', act: (w, id) => w.people.hamlet.api.patch(`/messages/${id}`, { content: 'changed' }) },
  {
    name: 'extended',
    act: (w, id) => w.people.hamlet.api.post('/submessage', { message_id: id, msg_type: 'x', content: '{}' }),
  },
]

// biome-ignore lint/suspicious/noExplicitAny: an event's members depend on its type.
const isAbout = (event: any, id: number): boolean =>
  [event.message_id, event.message?.id, ...(event.message_ids ?? []), ...(event.messages ?? [])].includes(id)

const present = everybody.filter((name) => name !== 'gone')

/** Everybody's ears, opened now. */
async function ears(w: World) {
  const open = await Promise.all(present.map(async (name) => [name, await listen(w.person(name))] as const))
  return new Map(open)
}

async function assertHeard(hears: Awaited<ReturnType<typeof ears>>, sample: Sample, what: string): Promise<void> {
  for (const [name, listens] of hears) {
    const heard = (await listens()).some((event) => isAbout(event, sample.id))
    assert.equal(heard, mayHear(name, sample), `${name} hears: ${sample.place} ${sample.when ?? ''} ${what}`)
  }
}

for (const { name: what, act } of live) {
  test(`that a message was ${what} hears who sees it and has it`, async () => {
    const { w, samples } = await scene()
    await using _ = w.chat
    const hears = await ears(w)
    for (const sample of samples) {
      assert.equal((await act(w, sample.id)).status, 200)
      await assertHeard(hears, sample, what)
    }
  })
}

test('that a message was deleted hears who saw it and had it', async () => {
  const { w, samples } = await scene()
  await using _ = w.chat
  await w.people.iago.write((tx) => setRole(tx, w.people.hamlet.id, 200))
  const hears = await ears(w)
  const admin = w.people.hamlet.api
  for (const sample of samples) {
    assert.equal((await admin.delete(`/messages/${sample.id}`)).status, 200)
    await assertHeard(hears, sample, 'deleted')
  }
})

test('who marked a message and lost sight of it hears no more of it', async () => {
  const { w } = await scene()
  await using _ = w.chat
  const { hamlet } = w.people
  const ex = w.person('inside')
  const { id } = await hamlet.says('@**inside** hello', { stream: 'shared', topic: 'plot' })
  await ex.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  await unsubscribe(ex, { subscriptions: ['shared'] })
  const hears = await listen(ex, ['update_message', 'reaction', 'delete_message', 'submessage'])
  await hamlet.api.patch(`/messages/${id}`, { content: '@**inside** the secret' })
  await hamlet.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  assert.deepEqual(await hears(), [])
})

test('a new message reaches who is there, and a bot that overhears public streams', async () => {
  const { w } = await scene()
  await using _ = w.chat
  const hears = await ears(w)
  const { hamlet } = w.people
  const bot = w.person('bot')
  const { queue_id } = await bot.api.post('/register', { all_public_streams: true, fetch_event_types: [] })
  for (const place of Object.keys(streams) as StreamName[]) {
    const { id } = await hamlet.says('news', { stream: place, topic: 'plot' })
    await assertHeard(hears, { place, when: 'third', id, word: '' }, 'sent')
    const { events } = await bot.api.get('/events', { queue_id, last_event_id: -1, dont_block: true })
    assert.equal(
      events.some((event: object) => isAbout(event, id)),
      place === 'public',
      place,
    )
  }
})
