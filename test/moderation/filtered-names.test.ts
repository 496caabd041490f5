import assert from 'node:assert/strict'
import test from 'node:test'
import { type Answer, apiOf, world } from '../../src/testing/index.ts'

const REFUSED = "Your text contains something that isn't allowed here. Change it, or ask a moderator."

/** iago is the owner, cordelia a moderator. */
async function scene(...filters: object[]) {
  const w = await world({ people: ['ann', 'ben'] })
  await w.iago.api.patch(`/users/${w.cordelia.id}`, { role: 300 })
  const filter = async (params: object) => {
    const answer = await w.iago.api.post('/content_filters', { kind: 'word', action: 'refuse', ...params })
    assert.equal(answer.msg, '')
  }
  for (const params of filters) await filter(params)
  return { w, filter }
}

const outcome = ({ result, msg, errors }: Answer) => [result, msg, Object.keys(errors ?? {})]

test('rejects names, statuses, profiles, groups, bots and commands, with the error beside the field', async () => {
  const { w, filter } = await scene()
  await using _ = w.chat
  const { ann, ben, iago } = w
  const { id: field } = await iago.api.post('/realm/profile_fields', { name: 'Biography', field_type: 2 })
  const bot_id = (await ann.api.post('/bots', { full_name: 'Echo', short_name: 'echo' })).user_id
  const { group_id } = await ann.api.post('/user_groups/create', { name: 'cooks', description: '', members: [] })
  await ann.api.post('/bot_commands', { bot_id, name: 'deploy', description: 'Deploys.' })
  await filter({ pattern: 'spam' })
  await filter({ kind: 'domain', pattern: 'evil.example' })
  const command = { bot_id, name: 'offer', description: 'Offers.' }
  for (const [field_name, answer] of [
    ['full_name', await ann.api.patch('/settings', { full_name: 'Spam Ann' })],
    ['full_name', await ann.api.patch('/settings', { full_name: 'www.evil.example' })],
    ['status_text', await ann.api.post('/users/me/status', { status_text: 'spam' })],
    ['name', await ann.api.post('/user_groups/create', { name: 'spam', description: '', members: [] })],
    ['description', await ann.api.post('/user_groups/create', { name: 'x', description: 'sp**a**m', members: [] })],
    ['name', await ann.api.patch(`/user_groups/${group_id}`, { name: 'spam' })],
    ['description', await ann.api.patch(`/user_groups/${group_id}`, { description: 'See https://evil.example' })],
    ['full_name', await ann.api.post('/bots', { full_name: 'Spam', short_name: 'ham' })],
    ['full_name', await ann.api.patch(`/bots/${bot_id}`, { full_name: 'Spam' })],
    ['name', await ann.api.post('/bot_commands', { ...command, name: 'spam' })],
    ['description', await ann.api.post('/bot_commands', { ...command, name: 'deploy', description: 'Spam.' })],
    ['name', await ann.api.post('/channels/create', { name: 'spam', subscribers: [] })],
    ['description', await ann.api.post('/channels/create', { name: 'x', description: 'sp**a**m', subscribers: [] })],
  ] as const)
    assert.deepEqual(outcome(answer), ['error', REFUSED, [field_name]])
  const profile = await ann.api.patch('/users/me/profile_data', { data: [{ id: field, value: 'sp**a**m' }] })
  assert.deepEqual(outcome(profile), ['error', REFUSED, []])
  const { members } = await ben.api.get('/users')
  assert.ok(members.every((one: { full_name: string }) => !/spam/i.test(one.full_name)))
  // Moderators may bypass filters, and so may administrators who name others.
  assert.equal((await w.cordelia.api.patch('/settings', { full_name: 'Spam Queen' })).msg, '')
  assert.equal((await iago.api.patch(`/users/${ann.id}`, { full_name: 'Spam Ann' })).msg, '')
})

test('keeps what was there before a filter, and lets people change everything else', async () => {
  const { w, filter } = await scene()
  await using _ = w.chat
  const { ann } = w
  await ann.api.patch('/settings', { full_name: 'Spam Ann' })
  await ann.api.post('/users/me/status', { status_text: 'spam' })
  const group = { name: 'spam', description: '', members: [ann.id] }
  const { group_id } = await ann.api.post('/user_groups/create', group)
  await filter({ pattern: 'spam', message: 'No spam.' })
  assert.equal((await ann.api.patch('/settings', { full_name: 'Spam Ann', twenty_four_hour_time: true })).msg, '')
  assert.equal((await ann.api.post('/users/me/status', { away: true })).msg, '')
  assert.equal((await ann.api.patch(`/user_groups/${group_id}`, { name: 'spam', description: 'ham' })).msg, '')
  assert.equal((await ann.api.post('/users/me/status', { status_text: 'more spam' })).msg, 'No spam.')
  assert.equal((await ann.api.post('/users/me/status', { status_text: '' })).msg, '')
})

test('rejects a name that a filter holds, and accepts one that it flags', async () => {
  const { w } = await scene({ pattern: 'offer', action: 'hold' }, { pattern: 'sale', action: 'flag' })
  await using _ = w.chat
  assert.equal((await w.ann.api.post('/users/me/status', { status_text: 'offer' })).msg, REFUSED)
  assert.equal((await w.ann.api.post('/users/me/status', { status_text: 'sale' })).msg, '')
})

test('rejects the name of a person who joins, and the invitation still works', async () => {
  const { w } = await scene({ pattern: 'spam', message: 'Use your own name.' })
  await using _ = w.chat
  const { invite_link } = await w.iago.api.post('/invites/multiuse', { invite_as: 300 })
  const join = (full_name: string) =>
    apiOf(w.chat).post('/invitation', {
      token: new URL(invite_link).searchParams.get('token')!,
      ...{ full_name, email: 'yorick@example.com', password: 'alas poor yorick' },
    })
  assert.deepEqual(outcome(await join('Spam King')), ['error', 'Use your own name.', ['full_name']])
  assert.equal((await join('Yorick')).msg, '')
})
