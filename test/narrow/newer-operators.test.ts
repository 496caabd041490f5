import assert from 'node:assert/strict'
import test from 'node:test'
import { type Person, type World, world } from '../../src/testing/index.ts'

type Params = Readonly<Record<string, unknown>>

const get = (who: Person, params: Params) => who.api.get('/messages', { num_before: 0, num_after: 50, ...params })
const narrowed = async (who: Person, ...narrow: readonly (readonly [string, unknown])[]): Promise<number[]> => {
  const { messages, msg } = await get(who, { anchor: 'oldest', narrow })
  assert.equal(msg, '')
  return messages.map(({ id }: { id: number }) => id)
}

test('mentions: finds messages that mention somebody by name', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  await iago.api.post('/user_groups/create', { name: 'royals', description: '', members: [hamlet.id] })
  const says = async (content: string) => (await iago.says(content)).id
  const named = await says('ask @**hamlet**')
  await says('ask @_**hamlet**, @*royals* or @**all**, and `@**hamlet**`')
  const edited = await says('ask')
  await iago.api.patch(`/messages/${edited}`, { content: `ask @**hamlet|${hamlet.id}**` })
  const quoted = await says('```quote\nask @**hamlet**\n```')
  for (const who of [hamlet.id, 'hamlet@example.com']) {
    assert.deepEqual(await narrowed(cordelia, ['mentions', who]), [named, edited])
    assert.deepEqual(await narrowed(hamlet, ['mentions', who], ['sender', iago.id]), [named, edited])
  }
  assert.deepEqual(await narrowed(hamlet, ['mentions', 'me']), [named, edited])
  assert.equal((await narrowed(cordelia, ['channel', 'general'])).includes(quoted), true)
  const unknown = await get(cordelia, { anchor: 'oldest', narrow: [['mentions', 999]] })
  assert.deepEqual([unknown.code, unknown.msg], ['BAD_NARROW', 'Invalid narrow operator: unknown user'])
  const { queue_id, last_event_id } = await cordelia.api.post('/register', {
    event_types: ['message'],
    narrow: [['mentions', hamlet.id]],
  })
  await says('nobody')
  const live = await says('again @**hamlet**')
  const { events } = await cordelia.api.get('/events', { queue_id, last_event_id, dont_block: true })
  assert.deepEqual(
    events.map((event: { message: { id: number } }) => event.message.id),
    [live],
  )
})

test('channels:archived finds received messages of archived channels', async () => {
  await using w = await world({
    streams: { hall: { members: ['iago', 'hamlet'] }, yard: { members: ['iago', 'hamlet'] } },
  })
  const { iago, hamlet, cordelia } = w.people
  const { id } = await hamlet.says('x', { stream: 'hall', topic: 'y' })
  await hamlet.says('x', { stream: 'yard', topic: 'y' })
  assert.deepEqual(await narrowed(hamlet, ['channels', 'archived']), [])
  await iago.api.delete(`/streams/${await w.streamId('hall')}`)
  assert.equal((await narrowed(hamlet, ['channels', 'archived'])).includes(id), true)
  assert.deepEqual(await narrowed(hamlet, ['channels', 'archived'], ['sender', hamlet.id]), [id])
  // She could read it, but has not received it.
  assert.deepEqual(await narrowed(cordelia, ['channels', 'archived']), [])
})

/** Messages of three days, the second of them in another topic. */
async function days(w: World): Promise<{ ids: number[]; times: number[] }> {
  const ids: number[] = []
  const times: number[] = []
  for (const topic of ['one', 'two', 'one']) {
    ids.push((await w.people.hamlet.says('x', { topic })).id)
    times.push(w.clock.now())
    w.clock.advance(86_400_000)
  }
  return { ids, times }
}

test('the anchor "date" is the first message from a time on', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { ids, times } = await days(w)
  const iso = (ms: number) => new Date(ms).toISOString()
  const anchorOf = async (anchor_date: string, narrow: readonly unknown[] = []) =>
    (await get(hamlet, { anchor: 'date', anchor_date, narrow: [['channel', 'general'], ...narrow] })).anchor
  assert.equal(await anchorOf('1999-12-31'), ids[0])
  assert.equal(await anchorOf(iso(times[1]! - 60_000)), ids[1])
  assert.equal(await anchorOf(iso(times[1]! - 60_000), [['topic', 'one']]), ids[2])
  assert.equal(await anchorOf(iso(times[1]! + 60_000)), ids[2])
  assert.equal(await anchorOf(iso(times[1]! + 60_000 + 3_600_000).replace('Z', '+01:00')), ids[2])
  const late = await get(hamlet, { anchor: 'date', anchor_date: '2999-01-01', num_before: 1, num_after: 0 })
  assert.deepEqual([late.messages.at(-1).id, late.found_newest], [ids[2], true])
  const refused = async (params: Params) => {
    const { status, msg } = await get(hamlet, { anchor: 'date', ...params })
    return [status, msg]
  }
  assert.deepEqual(await refused({}), [400, "Missing 'anchor_date' argument."])
  for (const anchor_date of ['tomorrow', '2026-02-30', ''])
    assert.deepEqual(await refused({ anchor_date }), [400, 'Invalid anchor_date'])
})
