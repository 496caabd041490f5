import assert from 'node:assert/strict'
import test from 'node:test'
import { runCommand } from '../../../src/admin/commands.ts'
import { failedSignInsOf } from '../../../src/core/accounts/failed-sign-ins.ts'
import { storeOf } from '../../../src/core/kernel/store.ts'
import { csvLine } from '../../../src/core/organization/audit/formats.ts'
import { expireAudit, networkOf } from '../../../src/core/organization/audit/retention.ts'
import type { AuditEntry } from '../../../src/core/organization/audit/rows.ts'
import { streamAudit } from '../../../src/core/organization/audit/stream.ts'
import { createApp } from '../../../src/http/app.ts'
import { listAudit } from '../../../src/index.ts'
import { apiOf, type World, world } from '../../../src/testing/index.ts'
import { onlyOnSqlite } from '../../dialect.ts'
import { plansWhile } from '../../messages/plans.ts'

const DAY_MS = 86_400_000

const entriesOf = async (w: World, filter: Record<string, unknown> = {}): Promise<AuditEntry[]> =>
  (await w.people.iago.api.get('/audit', filter)).entries

const act = ({ action, actor_id, subject_kind, subject_id, before, after }: AuditEntry) => ({
  action,
  actor_id,
  subject: `${subject_kind} ${subject_id}`,
  before,
  after,
})

test('records what differs before and after, and by which key', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  await iago.api.patch(`/users/${hamlet.id}`, { full_name: 'Prince Hamlet', role: 300 })
  const { group_id } = await iago.api.post('/user_groups/create', { name: 'royals', description: '', members: [] })
  await iago.api.post(`/user_groups/${group_id}/members`, { add: [hamlet.id, cordelia.id] })
  await iago.api.post(`/user_groups/${group_id}/members`, { delete: [cordelia.id] })
  const entries = await entriesOf(w)
  assert.deepEqual(entries.slice(0, 2).map(act), [
    {
      action: 'changeMembers',
      actor_id: iago.id,
      subject: `group ${group_id}`,
      before: { members: [cordelia.id] },
      after: { members: [] },
    },
    {
      action: 'changeMembers',
      actor_id: iago.id,
      subject: `group ${group_id}`,
      before: { members: [] },
      after: { members: [hamlet.id, cordelia.id] },
    },
  ])
  assert.deepEqual(act(entries[3]!), {
    action: 'updateUser',
    actor_id: iago.id,
    subject: `user ${hamlet.id}`,
    before: { full_name: 'hamlet', role: 400 },
    after: { full_name: 'Prince Hamlet', role: 300 },
  })
  const { api_keys } = await iago.api.get('/users/me/api_keys')
  assert.deepEqual(
    [entries[3]!.key_id, entries[3]!.actor_name, entries[3]!.at],
    [api_keys[0].id, 'iago', w.clock.now() / 1000],
  )
})

test('a change that fails, changes nothing, or is repeated has no further row', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const before = (await entriesOf(w)).length
  await iago.api.patch(`/users/${hamlet.id}`, { full_name: 'hamlet' })
  await iago.api.patch(`/users/${hamlet.id}`, { full_name: 'Prince', role: 7 })
  await hamlet.api.patch(`/users/${iago.id}`, { full_name: 'Villain' })
  assert.equal((await entriesOf(w)).length, before)
  const app = createApp({ chat: w.chat, rateLimit: false })
  const create = async () => {
    const headers = { authorization: iago.authorization, 'idempotency-key': 'once' }
    const body = new URLSearchParams({ email: 'osric@example.com', full_name: 'Osric', password: 'correct horse' })
    const request = new Request('http://localhost/api/v1/users', { method: 'POST', headers, body })
    return (await app.fetch(request)).status
  }
  assert.deepEqual([await create(), await create()], [200, 200])
  assert.equal((await entriesOf(w, { action: 'createUser' })).length, 1)
})

test('sends, edits, reactions and reads write no rows', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const before = (await entriesOf(w)).length
  const { id } = await hamlet.says('to be')
  await hamlet.api.patch(`/messages/${id}`, { content: 'or not to be' })
  await iago.api.post(`/messages/${id}/reactions`, { emoji_name: 'skull' })
  await iago.api.post('/mark_all_as_read')
  assert.equal((await entriesOf(w)).length, before)
})

test('names of topics in private channels, and texts, stay out of the log', async () => {
  await using w = await world({ streams: { crypt: { private: true, members: ['hamlet', 'cordelia'] } } })
  const { hamlet, iago } = w.people
  await iago.api.patch('/realm', { can_delete_own_message_group: await w.groupId('role:members') })
  const { id } = await hamlet.says('the poisoned cup', { stream: 'crypt', topic: 'murder plans' })
  const open = await hamlet.says('the poisoned cup', { topic: 'banquet' })
  for (const one of [id, open.id]) assert.equal((await hamlet.api.delete(`/messages/${one}`)).status, 200)
  const [inPublic, inPrivate] = await entriesOf(w, { action: 'deleteMessage' })
  assert.deepEqual([inPublic!.before!.topic, inPublic!.before!.length], ['banquet', 16])
  assert.equal(inPrivate!.before!.topic, undefined)
  assert.doesNotMatch(JSON.stringify(await entriesOf(w, { count: 1000 })), /poisoned|murder/)
})

test('only owners read it, in pages and with filters', async () => {
  await using w = await world({ people: { adam: { role: 'administrator' } } })
  const { iago, hamlet } = w.people
  for (const who of [w.person('adam'), hamlet, w.people.polonius]) {
    for (const path of ['/audit', '/audit/export']) {
      assert.equal((await who.api.get(path)).msg, 'Must be an organization owner')
    }
  }
  for (const name of ['a1', 'b2', 'c3', 'd4']) await iago.api.patch('/realm', { name })
  w.clock.advance(DAY_MS)
  const since = w.clock.now() / 1000
  await iago.api.patch('/realm', { name: 'e5' })
  const first = await iago.api.get('/audit', { action: 'updateOrganization', count: 2 })
  const rest = await iago.api.get('/audit', { action: 'updateOrganization', count: 10, before: first.next })
  const names = [...first.entries, ...rest.entries].map((entry: AuditEntry) => entry.after!.name)
  assert.deepEqual([names, rest.next], [['e5', 'd4', 'c3', 'b2', 'a1'], null])
  assert.equal((await entriesOf(w, { since })).length, 1)
  assert.equal((await entriesOf(w, { action: 'updateOrganization', until: since })).length, 4)
  assert.equal((await entriesOf(w, { actor_id: hamlet.id })).length, 0)
  assert.equal(
    (await entriesOf(w, { subject_kind: 'organization', actor_id: iago.id, action: 'updateOrganization' })).length,
    5,
  )
  for (const [params, msg] of [
    [{ count: 0 }, 'count must be positive'],
    [{ count: 1001 }, 'At most 1000'],
    [{ subject_kind: 'nonsense' }, 'Invalid subject_kind'],
    [{ outcome: 'maybe' }, 'Invalid outcome'],
    [{ since: 'monday' }, 'since is not an integer'],
  ] as const) {
    const answer = await iago.api.get('/audit', params)
    assert.deepEqual([answer.status, answer.msg], [400, msg])
  }
})

test('failed sign-ins are counted a minute, and an unknown name is not stored', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const signIn = (username: string, password: string) => apiOf(w.chat).post('/fetch_api_key', { username, password })
  for (let i = 0; i < 5; i++) await signIn(hamlet.email, 'wrong')
  await signIn('My-Secret-Password', 'x')
  const failed = await entriesOf(w, { outcome: 'failed' })
  assert.deepEqual(
    failed.map(({ action, subject_id, count }) => [action, subject_id, count]),
    [
      ['signIn', null, 1],
      ['signIn', hamlet.id, 5],
    ],
  )
  assert.doesNotMatch(JSON.stringify(failed), /My-Secret/)
  // Without a reader they are written within a minute.
  await signIn(hamlet.email, 'wrong')
  w.clock.advance(60_000)
  await w.people.iago.write(async () => {})
  const { count } = await storeOf(w.chat)
    .db.selectFrom('audit')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('outcome', '=', 'failed')
    .executeTakeFirstOrThrow()
  assert.equal(Number(count), 3)
})

test('an attack with many names and addresses fills neither memory nor disk', async () => {
  await using w = await world()
  const failures = failedSignInsOf(w.chat)
  for (let i = 0; i < 10_000; i++) failures.note({ address: `10.0.${i >> 8}.${i & 255}`, client: 'x' }, undefined)
  await failures.flush()
  const rows = await storeOf(w.chat).db.selectFrom('audit').select('count').where('outcome', '=', 'failed').execute()
  assert.ok(rows.length <= 501, String(rows.length))
  assert.equal(
    rows.reduce((sum, { count }) => sum + count, 0),
    10_000,
  )
})

test('addresses are kept for 30 days, and then only their network', async () => {
  await using w = await world()
  const { iago } = w.people
  const at = (address: string) => ({ ...iago, address })
  assert.deepEqual(
    ['203.0.113.77', '::ffff:203.0.113.77', '2001:db8:1:2:3:4:5:6', '2001:db8::1', '::1', 'fe80::1%eth0'].map(
      networkOf,
    ),
    ['203.0.113.0/24', '203.0.113.0/24', '2001:db8:1::/48', '2001:db8:0::/48', '0:0:0::/48', 'fe80:0:0::/48'],
  )
  const app = createApp({ chat: w.chat, rateLimit: false })
  const headers = { authorization: iago.authorization }
  const request = new Request('http://localhost/api/v1/realm', {
    method: 'PATCH',
    headers,
    body: new URLSearchParams({ name: 'K' }),
  })
  await app.fetch(Object.assign(request, { ip: '203.0.113.77' }))
  assert.equal(at('x').address, 'x')
  const address = async () => (await entriesOf(w, { action: 'updateOrganization' }))[0]!.address
  assert.equal(await address(), '203.0.113.77')
  w.clock.advance(31 * DAY_MS)
  await expireAudit(w.chat)
  await expireAudit(w.chat)
  assert.equal(await address(), '203.0.113.0/24')
})

test('cuts addresses from where it stopped, by the index of times', onlyOnSqlite('reads its plans'), async () => {
  await using w = await world()
  const { db } = storeOf(w.chat)
  const now = Math.floor(w.clock.now() / 1000)
  const entry = (days: number, address: string) => ({
    ...{ at: now - days * 86_400, actor_id: null, on_behalf_of: null, key_id: null, address, client: 'x' },
    ...{
      action: 'x',
      subject_kind: 'x',
      subject_id: null,
      before: null,
      after: null,
      outcome: 'ok' as const,
      count: 1,
    },
  })
  const rows = [entry(90, '203.0.113.0/24'), entry(32, '192.0.2.0/24'), entry(31, '198.51.100.7'), entry(29, '::1')]
  await w.people.iago.write((tx) => tx.db.insertInto('audit').values(rows).execute())
  const plans = await plansWhile(() => expireAudit(w.chat))
  const cut = await db.selectFrom('audit').select('address').where('action', '=', 'x').orderBy('at').execute()
  assert.deepEqual(
    cut.map((row) => row.address),
    ['203.0.113.0/24', '192.0.2.0/24', '198.51.100.0/24', '::1'],
  )
  assert.ok(plans.includes('SEARCH audit USING INDEX audit_at (at>? AND at<?)'), plans.join('\n'))
  assert.deepEqual(
    plans.filter((step) => /SCAN audit|TEMP B-TREE/.test(step)),
    [],
  )
})

test("a bot's acts name its owner, and the command line is an actor of its own", async () => {
  await using w = await world()
  const { iago } = w.people
  const bot = await iago.api.post('/bots', { full_name: 'Horatio', short_name: 'horatio', bot_type: 1 })
  const { email } = await iago.api.get(`/users/${bot.user_id}`).then(({ user }) => user)
  const api = apiOf(w.chat, { email, key: bot.api_key })
  await api.post('/users/me/subscriptions', { subscriptions: [{ name: 'battlements' }] })
  const [made] = await entriesOf(w, { action: 'createChannel' })
  assert.deepEqual([made!.actor_id, made!.on_behalf_of], [bot.user_id, iago.id])
  await runCommand(w.chat, 'changeRole', { email: w.people.hamlet.email, role: 'moderator' }, () => {})
  const [changed] = await entriesOf(w, { action: 'updateUser' })
  assert.deepEqual(
    [changed!.actor_id, changed!.address, changed!.before, changed!.after],
    [null, 'command line', { role: 400 }, { role: 300 }],
  )
})

test('every command that changes something is recorded', async () => {
  await using w = await world()
  const { email } = w.people.hamlet
  const commands: [name: Parameters<typeof runCommand>[1], args: object, action: string][] = [
    ['addUser', { email: 'osric@example.com', name: 'Osric', role: 'member' }, 'createUser'],
    ['addBot', { email: 'bot@example.com', name: 'Bot', role: 'member' }, 'createUser'],
    ['addUsers', { users: [{ email: 'reynaldo@example.com', name: 'Reynaldo' }] }, 'createUser'],
    ['changeRole', { email, role: 'guest' }, 'updateUser'],
    ['rename', { email, name: 'Prince' }, 'updateUser'],
    ['newKey', { email, name: 'script' }, 'issueKey'],
    ['endKeys', { email }, 'endApiKey'],
    ['resetPassword', { email }, 'setPassword'],
    ['passwordLink', { email }, 'createPasswordLink'],
    ['setActive', { email, active: false }, 'deactivateUser'],
    ['setActive', { email, active: true }, 'reactivateUser'],
    ['setSetting', { name: 'name', value: 'Kronborg' }, 'updateOrganization'],
    ['undelete', {}, 'undelete'],
    ['eraseUser', { email, messages: false }, 'eraseUser'],
    ['deactivateOrg', {}, 'deactivateOrganization'],
    ['reactivateOrg', {}, 'reactivateOrganization'],
  ]
  for (const [name, args, action] of commands) {
    await runCommand(w.chat, name, args, () => {})
    const newest = await storeOf(w.chat)
      .db.selectFrom('audit')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.deepEqual([name, newest.action, newest.address, newest.actor_id], [name, action, 'command line', null])
    assert.doesNotMatch(`${newest.before} ${newest.after}`, /scrypt/)
  }
})

test('accounts of a file are recorded like single ones', async () => {
  await using w = await world()
  const osric = { email: 'osric@example.com', name: 'Osric' }
  await runCommand(w.chat, 'addUsers', { users: [osric] }, () => {})
  await runCommand(w.chat, 'addUser', { email: 'other@example.com', name: 'Other', role: 'member' }, () => {})
  const [single, listed] = await entriesOf(w, { action: 'createUser' })
  assert.deepEqual(listed!.after, { ...single!.after, full_name: 'Osric', delivery_email: osric.email })
})

test('exports lines of JSON and CSV in which no name is a formula', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  await iago.api.patch(`/users/${hamlet.id}`, { full_name: '=HYPERLINK(1), "quoted"'.replaceAll('"', "'") })
  await hamlet.api.patch('/settings', { full_name: '+1 prince' })
  const { text } = await iago.api.get('/audit/export', { format: 'jsonl', action: 'updateUser' })
  const [line] = text
    .trim()
    .split('\n')
    .map((each: string) => JSON.parse(each))
  assert.deepEqual([line.actor_name, line.at], ['iago', new Date(w.clock.now()).toISOString()])
  const csv = (await iago.api.get('/audit/export', { format: 'csv', action: 'updateSettings' })).text.split('\n')
  assert.match(csv[0], /^id,at,actor_id,actor_name,/)
  assert.match(csv[1], /,'\+1 prince,/)
  const row = { ...line, actor_name: '\t@x', client: 'a "b",\nc' }
  assert.match(csvLine({ ...row, at: 0 }), /,'\t@x,.*,"a ""b"",\nc",/s)
  assert.equal((await entriesOf(w, { action: 'exportAudit' })).length, 2)
})

test('streams every entry after its commit, in order, and again after a failure', async () => {
  await using w = await world()
  const { iago } = w.people
  const received: string[] = []
  let isBroken = false
  const sink = async (entries: readonly AuditEntry[]) => {
    if (isBroken) throw new Error('disk full')
    received.push(...entries.map(({ after }) => String(after?.name)))
  }
  const stream = streamAudit(w.chat, sink)
  await stream.settled()
  received.length = 0
  await iago.api.patch('/realm', { name: 'one' })
  await stream.settled()
  isBroken = true
  await iago.api.patch('/realm', { name: 'two' })
  await stream.settled()
  assert.deepEqual(received, ['one'])
  isBroken = false
  w.clock.advance(10_000)
  await stream.settled()
  await stream.stop()
  await iago.api.patch('/realm', { name: 'three' })
  const next = streamAudit(w.chat, sink)
  await next.settled()
  await next.stop()
  assert.deepEqual(received, ['one', 'two', 'three'])
})

test('embedders read it too', async () => {
  await using w = await world()
  await w.people.iago.api.patch('/realm', { name: 'Kronborg' })
  const { entries } = await listAudit(w.people.iago, { count: 1 })
  assert.equal(entries[0]!.action, 'updateOrganization')
})
