import assert from 'node:assert/strict'
import test from 'node:test'
import { apiOf } from '../../src/testing/api.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { listen } from '../messages/listen.ts'

const folder = async (who: Person, name: string, description = ''): Promise<number> =>
  (await who.api.post('/channel_folders/create', { name, description })).channel_folder_id

const foldersOf = async (who: Pick<Person, 'api'>) =>
  (await who.api.post('/register', { fetch_event_types: ['channel_folders'] })).channel_folders

const file = async (w: World, stream: string, params: Readonly<Record<string, unknown>>) =>
  w.people.iago.api.patch(`/streams/${await w.streamId(stream)}`, params)

test('creates, changes, orders and archives folders, and sends each change to everyone', async () => {
  await using w = await world()
  const { iago, polonius } = w.people
  const received = await listen(polonius, ['channel_folder'])
  const work = await folder(iago, ' Work ', '*busy*\nevery day')
  const fun = await folder(iago, 'Fun')
  const shown = {
    id: work,
    name: 'Work',
    order: work,
    date_created: Math.floor(w.clock.now() / 1000),
    creator_id: iago.id,
    description: '*busy*\nevery day',
    rendered_description: '<p><em>busy</em><br>\nevery day</p>',
    is_archived: false,
  }
  const [added] = await received()
  assert.deepEqual(added, { type: 'channel_folder', op: 'add', channel_folder: shown })
  const change = (id: number, params: Readonly<Record<string, unknown>>) =>
    iago.api.patch(`/channel_folders/${id}`, params)
  await change(work, { name: 'Projects', description: 'x' })
  await change(work, { name: 'Projects' })
  await iago.api.patch('/channel_folders', { order: [fun, work] })
  await change(fun, { is_archived: true })
  const data = { name: 'Projects', description: 'x', rendered_description: '<p>x</p>' }
  assert.deepEqual(await received(), [
    { type: 'channel_folder', op: 'update', channel_folder_id: work, data },
    { type: 'channel_folder', op: 'reorder', order: [fun, work] },
    { type: 'channel_folder', op: 'update', channel_folder_id: fun, data: { is_archived: true } },
  ])
  const list = async (params = {}) =>
    (await polonius.api.get('/channel_folders', params)).channel_folders.map(
      ({ id, order }: Record<string, number>) => [id, order],
    )
  assert.deepEqual(await list(), [[work, 1]])
  assert.deepEqual(await list({ include_archived: true }), [
    [fun, 0],
    [work, 1],
  ])
  assert.deepEqual((await foldersOf(polonius)).at(-1), { ...shown, ...data, order: 1 })
})

test('rejects invalid folders', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const work = await folder(iago, 'Work')
  const old = await folder(iago, 'Old')
  await iago.api.patch(`/channel_folders/${old}`, { is_archived: true })
  const refused: readonly (readonly [params: Readonly<Record<string, unknown>>, msg: string])[] = [
    [{ name: ' ' }, "Channel folder name can't be empty."],
    [{ name: 'a\nb' }, 'Invalid character in channel folder name, at position 2.'],
    [{ name: 'x'.repeat(61) }, 'name is too long (limit: 60 characters)'],
    [{ name: 'wORK' }, "Channel folder 'wORK' already exists"],
    [{ name: 'y', description: 'x'.repeat(1025) }, 'description is too long (limit: 1024 characters)'],
  ]
  for (const [params, msg] of refused) {
    const answer = await iago.api.post('/channel_folders/create', { description: '', ...params })
    assert.deepEqual([answer.status, answer.code, answer.msg], [400, 'BAD_REQUEST', msg])
    if (params.name !== 'wORK') assert.equal((await iago.api.patch(`/channel_folders/${work}`, params)).msg, msg)
  }
  // An archived folder has given up its name, and gets it back only while nobody else has it.
  const again = await folder(iago, 'Old')
  assert.equal(
    (await iago.api.patch(`/channel_folders/${old}`, { is_archived: false })).msg,
    "Channel folder 'Old' already exists",
  )
  assert.equal((await iago.api.patch('/channel_folders/99', { name: 'x' })).msg, 'Invalid channel folder ID')
  for (const order of [[work], [work, work, old], [work, old, 99], []]) {
    assert.equal((await iago.api.patch('/channel_folders', { order })).msg, 'Invalid order mapping.')
  }
  for (const answer of [
    await hamlet.api.post('/channel_folders/create', { name: 'x', description: '' }),
    await hamlet.api.patch(`/channel_folders/${work}`, { name: 'x' }),
    await hamlet.api.patch('/channel_folders', { order: [again, work, old] }),
  ]) {
    assert.equal(answer.msg, 'Must be an organization administrator')
  }
})

test('puts channels into folders, which keep those that have channels', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const [work, fun] = [await folder(iago, 'Work'), await folder(iago, 'Fun')]
  const general = await w.streamId('general')
  await verifyEvents([iago, hamlet], async () => {
    assert.equal((await file(w, 'general', { folder_id: work })).status, 200)
    assert.equal((await file(w, 'general', { folder_id: null })).status, 200)
    assert.equal((await file(w, 'general', { folder_id: fun })).status, 200)
  })
  assert.equal((await hamlet.api.get(`/streams/${general}`)).stream.folder_id, fun)
  const moves = (await w.events()).filter((event) => event.type === 'stream' && event.op === 'update')
  assert.deepEqual(
    moves.map((event) => ('property' in event ? [event.property, event.value] : [])),
    [
      ['folder_id', work],
      ['folder_id', null],
      ['folder_id', fun],
    ],
  )
  assert.equal((await file(w, 'general', { folder_id: 99 })).msg, 'Invalid channel folder ID')
  const subscriptions = [{ name: 'new' }]
  const create = (params: object) => iago.api.post('/users/me/subscriptions', { subscriptions, ...params })
  assert.equal((await create({ folder_id: 99 })).msg, 'Invalid channel folder ID')
  await create({ folder_id: work })
  assert.equal((await iago.api.get(`/streams/${await w.streamId('new')}`)).stream.folder_id, work)
  const archive = () => iago.api.patch(`/channel_folders/${fun}`, { is_archived: true })
  assert.equal((await archive()).msg, 'You need to remove all the channels from this folder to archive it.')
  await file(w, 'general', { folder_id: null })
  assert.equal((await archive()).status, 200)
})

test('shows people without an account the folders of web-public channels', async () => {
  await using w = await world({ streams: { market: {}, hall: {} } })
  const { iago } = w.people
  const [open, inner] = [await folder(iago, 'Open'), await folder(iago, 'Inner')]
  await iago.api.patch('/realm', { enable_spectator_access: true })
  await file(w, 'market', { folder_id: open, is_web_public: true })
  await file(w, 'hall', { folder_id: inner })
  const ids = async () => (await foldersOf({ api: apiOf(w.chat) })).map(({ id }: { id: number }) => id)
  assert.deepEqual(await ids(), [open])
  await iago.api.delete(`/streams/${await w.streamId('market')}`)
  assert.deepEqual(await ids(), [])
})
