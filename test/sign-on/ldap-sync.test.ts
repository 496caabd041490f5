import assert from 'node:assert/strict'
import test from 'node:test'
import { runCommand } from '../../src/admin/commands.ts'
import { signOnProblems } from '../../src/core/accounts/providers/problems.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { dnOf, GROUPS, group, ldapScene, person } from './ldap-scene.ts'

type Scene = Awaited<ReturnType<typeof ldapScene>>
const sync = (s: Scene, options: object = {}) => runCommand(s.w.chat, 'syncLdap', options, () => {})
const changes = async (s: Scene, options: object = {}) =>
  (await sync(s, options)).changes.map(({ full_name, change, reason }) => [full_name, change, reason])

/** Signs these people in, so that they have accounts. */
async function withAccounts(s: Scene, names: readonly string[]) {
  const keys = new Map<string, { user_id: number; email: string; key: string }>()
  for (const name of names) {
    const { user_id, email, api_key } = await s.key(name, `${name}'s horse`)
    keys.set(name, { user_id, email, key: api_key })
  }
  return (name: string) => keys.get(name)!
}

/** Removes a person from the directory. */
function leave(s: Scene, uid: string) {
  const { entries } = s.directory.fake
  return entries.splice(
    entries.findIndex(({ dn }) => dn === dnOf(uid)),
    1,
  )[0]!
}

test('people who left are deactivated with their keys and bots, and come back without them', async () => {
  await using s = await ldapScene({ entries: ['ann', 'bob', 'carl'].map((uid) => person(uid)) })
  const of = await withAccounts(s, ['ann', 'bob'])
  const api = apiOf(s.w.chat, of('ann'))
  const bot = await api.post('/bots', { full_name: 'Bot', short_name: 'bot' })
  const entry = leave(s, 'ann')
  assert.deepEqual(await changes(s, { dry_run: true }), [['Ann Lee', 'deactivate', 'absent']])
  assert.equal((await api.get('/users/me')).status, 200)
  const { people, accounts } = await sync(s)
  assert.deepEqual([people, accounts], [2, 2])
  assert.equal((await api.get('/users/me')).code, 'USER_DEACTIVATED')
  const { members } = await s.w.iago.api.get('/users')
  const isActive = (id: number) =>
    (members as { user_id: number; is_active: boolean }[]).find(({ user_id }) => user_id === id)!.is_active
  assert.deepEqual([isActive(bot.user_id), isActive(of('bob').user_id)], [false, true])
  const [row] = await s.audit(of('ann').user_id)
  assert.deepEqual([row!.action, row!.after], ['syncDirectory', { is_active: 0, provider: 'ldap', reason: 'absent' }])

  s.directory.fake.entries.push(entry)
  assert.deepEqual(await changes(s, { dry_run: true }), [['Ann Lee', 'reactivate', undefined]])
  assert.deepEqual(await changes(s), [['Ann Lee', 'reactivate', undefined]])
  assert.equal((await api.get('/users/me')).code, 'INVALID_API_KEY')
  assert.equal((await s.key('ann', "ann's horse")).status, 200)
})

test('only the sync’s own deactivations are undone', async () => {
  await using s = await ldapScene({ entries: ['ann', 'bob'].map((uid) => person(uid)) })
  const of = await withAccounts(s, ['ann', 'bob'])
  await s.w.iago.api.delete(`/users/${of('ann').user_id}`)
  assert.deepEqual(await changes(s), [])
  // Also after a sync had deactivated the account before.
  const entry = leave(s, 'bob')
  await sync(s)
  s.directory.fake.entries.push(entry)
  await s.w.iago.api.post(`/users/${of('bob').user_id}/reactivate`)
  await s.w.iago.api.delete(`/users/${of('bob').user_id}`)
  assert.deepEqual(await changes(s), [])
})

test('names, groups and roles follow the directory, and a second sync writes nothing', async () => {
  const entries = [person('ann'), person('bob'), group('staff', [dnOf('ann')]), group('boss', [dnOf('bob')])]
  await using s = await ldapScene({
    entries,
    ldap: { group_base: GROUPS, groups: { staff: 'Staff' }, roles: { boss: 'moderator', staff: 'member' } },
  })
  const { iago } = s.w
  await iago.api.post('/user_groups/create', { name: 'Staff', description: '', members: [] })
  const of = await withAccounts(s, ['ann', 'bob'])
  assert.deepEqual(await changes(s), [])
  entries[0]!.attributes.cn = ['Ann Kim']
  entries[0]!.attributes.mail = ['kim@example.com']
  entries[2]!.attributes.member = [dnOf('bob')]
  entries[3]!.attributes.member = []
  assert.deepEqual(
    (await changes(s)).map(([name, change]) => [name, change]),
    [
      ['Ann Lee', 'update'],
      ['Bob Lee', 'update'],
    ],
  )
  assert.equal((await s.account('ann@example.com'))!.full_name, 'Ann Kim')
  assert.equal((await s.account('bob@example.com'))!.role, 400)
  const [row] = await s.audit(of('bob').user_id)
  const { role, groups } = row!.after as { role: number; groups: number[] }
  assert.deepEqual([role, groups.length], [400, 1])
  const audits = async () => (await iago.api.get('/audit')).entries.length
  const head = async () => (await storeOf(s.w.chat).db.selectFrom('event').select('id').execute()).length
  const before = [await audits(), await head()]
  assert.deepEqual(await changes(s), [])
  assert.deepEqual([await audits(), await head()], before)
})

test('disabled people, and those who left a required group, are deactivated', async () => {
  const chat = { memberOf: [`cn=chat,${GROUPS}`] }
  const entries = ['ann', 'bob', 'carl'].map((uid) => person(uid, chat))
  await using s = await ldapScene({ entries, ldap: { require: { any: ['chat'] } } })
  await withAccounts(s, ['ann', 'bob', 'carl'])
  entries[0]!.attributes.userAccountControl = ['514']
  entries[1]!.attributes.memberOf = []
  assert.deepEqual(await changes(s), [
    ['Ann Lee', 'deactivate', 'disabled'],
    ['Bob Lee', 'deactivate', 'not in a required group'],
  ])
})

test('more than 20 % need a confirmation', async () => {
  const names = Array.from({ length: 29 }, (_, i) => `p${String(i).padStart(2, '0')}`)
  await using s = await ldapScene({ entries: names.map((uid) => person(uid)) })
  await withAccounts(s, names)
  for (const name of names.slice(0, 6)) leave(s, name)
  await assert.rejects(sync(s), {
    message:
      '6 of 29 accounts would be deactivated, so nothing was changed. Look at them with "chat-server ldap sync --dry-run", and confirm with --yes',
  })
  assert.equal((await changes(s, { dry_run: true })).length, 6)
  assert.equal((await s.account('p00@example.com'))!.is_active, true)
  s.directory.fake.entries.push(person('p00'))
  assert.equal((await changes(s)).length, 5)
  for (const name of names.slice(6, 20)) leave(s, name)
  await assert.rejects(sync(s), /14 of 24 accounts would be deactivated/)
  assert.equal((await changes(s, { confirmed: true })).length, 14)
})

test('a directory that fails, cuts its answer or returns nobody changes nothing, even when confirmed', async () => {
  await using s = await ldapScene()
  await withAccounts(s, ['ann'])
  const { fake } = s.directory
  const all = fake.entries
  for (const misbehaves of [
    () => ({ code: 4 }),
    () => ({ code: 3 }),
    () => ({ code: 32 }),
    ({ search }: { search?: object }) => (search ? { code: 11 } : undefined),
  ]) {
    fake.misbehaves = misbehaves
    await assert.rejects(sync(s, { confirmed: true }), /^ChatError: Nothing was changed: 127\.0\.0\.1:\d+ /)
    s.clock.advance(60_000)
  }
  fake.misbehaves = undefined
  fake.entries = all.slice(0, 1)
  await assert.rejects(sync(s, { confirmed: true }), /returned nobody/)
  fake.entries = all
  assert.deepEqual(await changes(s), [])
})

test('a person who is missing in the list, but found alone, stays', async () => {
  await using s = await ldapScene({ entries: [person('ann'), person('bob')] })
  await withAccounts(s, ['ann', 'bob'])
  const hidden = leave(s, 'ann')
  s.directory.fake.misbehaves = ({ search }) => {
    if (search?.filter.includes('uuid-of-ann')) s.directory.fake.entries.push(hidden)
    return undefined
  }
  assert.deepEqual(await changes(s), [])
})

test('emergency accounts stay', async () => {
  await using s = await ldapScene({ file: { break_glass: ['iago@example.com'] } })
  await storeOf(s.w.chat).write(async ({ db }) => {
    const row = { issuer: 'ldap', provider: 'ldap', email: null, created_at: 0, last_used_at: 0 }
    await db
      .insertInto('identity')
      .values({ ...row, user_id: s.w.iago.id, subject: 'iago' })
      .execute()
  })
  const result = await sync(s)
  assert.deepEqual([result.accounts, result.changes], [1, []])
})

test('the last owner stays, and the log says so', async () => {
  await using s = await ldapScene({ entries: [person('ann'), person('bob')] })
  const of = await withAccounts(s, ['ann', 'bob'])
  const { iago } = s.w
  await iago.api.patch(`/users/${of('ann').user_id}`, { role: 100 })
  const { members } = await iago.api.get('/users')
  const owners = (members as { user_id: number; role: number }[]).filter(({ role }) => role === 100)
  const api = apiOf(s.w.chat, of('ann'))
  for (const { user_id } of owners)
    if (user_id !== of('ann').user_id) await api.patch(`/users/${user_id}`, { role: 400 })
  leave(s, 'ann')
  assert.deepEqual(await changes(s), [])
  assert.match(s.warnings().join(), /stays: Cannot deactivate the only organization owner/)
})

test('the sync runs once a day, and says what it did or why not', async () => {
  await using s = await ldapScene({ entries: [person('ann'), person('bob')] })
  await withAccounts(s, ['ann', 'bob'])
  leave(s, 'ann')
  s.clock.advance(600_000)
  await eventually('the account is deactivated', async () => !(await s.account('ann@example.com'))!.is_active)
  await eventually('the log says so', () => s.log.some(({ message }) => message.startsWith('accounts were sync')))
  const line = s.log.find(({ message }) => message.startsWith('accounts were synchronized'))!
  assert.deepEqual(line.details, { people: 1, accounts: 2, deactivated: 1, reactivated: 0, updated: 0 })
  s.directory.fake.misbehaves = () => ({ code: 51 })
  s.clock.advance(86_400_000)
  await eventually('the log says why not', () => s.warnings().some((line) => line.includes('not synchronized')))
  await eventually('doctor says it, too', async () => (await signOnProblems(storeOf(s.w.chat).db)).length === 1)
})

test('without a directory, or without an account that reads it, there is no sync', async () => {
  const user_dn = 'uid={username},ou=people,dc=example,dc=com'
  await using s = await ldapScene({ ldap: { user_dn, bind_dn: undefined, bind_password: undefined } })
  await assert.rejects(sync(s), /can't be read without "bind_dn"/)
  s.clock.advance(600_000)
  assert.deepEqual(s.directory.fake.asked, [])
})
