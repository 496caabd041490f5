import assert from 'node:assert/strict'
import test from 'node:test'
import { codeOf, stepAt } from '../../src/core/accounts/second-factor/totp.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { apiOf, world } from '../../src/testing/index.ts'
import { BASE, dnOf, GROUPS, group, ldapScene, person, reader } from './ldap-scene.ts'

const wrong = [401, 'AUTHENTICATION_FAILED', 'Your username or password is incorrect']
const outcome = ({ status, code, msg }: { status: number; code?: string; msg: string }) => [status, code, msg]

test('people of the directory sign in with a user name or an address, and get an account', async () => {
  await using s = await ldapScene()
  const byName = await s.key('ann', "ann's horse")
  assert.deepEqual([byName.status, byName.email], [200, 'ann@example.com'])
  const byAddress = await s.key('ANN@example.com', "ann's horse")
  assert.equal(byAddress.user_id, byName.user_id)
  assert.equal((await s.account('ann@example.com'))!.full_name, 'Ann Lee')
  assert.deepEqual(
    (await s.audit(byName.user_id)).map(({ action, after }) => [action, after.by ?? after.provider]),
    [
      ['signIn', 'sign-on with ldap'],
      ['signIn', 'sign-on with ldap'],
      ['createUserBySignOn', 'ldap'],
    ],
  )
  for (const [name, password] of [
    ['ann', 'wrong horse'],
    ['bob', "ann's horse"],
    ['ann', ''],
  ] as const)
    assert.deepEqual(outcome(await s.key(name, password)), wrong)
  const browser = s.browser()
  await browser.open('/json/session', { username: 'ann', password: "ann's horse" }, { 'x-requested-with': 'test' })
  assert.equal((await browser.me()).user_id, byName.user_id)
})

test('clients find out that there is a directory', async () => {
  await using s = await ldapScene()
  const settings = await s.api.get('/server_settings')
  const { ldap, password, email } = settings.authentication_methods
  assert.deepEqual([ldap, password, email, settings.require_email_format_usernames], [true, true, true, false])
  await using w = await world()
  const without = await apiOf(w.chat).get('/server_settings')
  assert.deepEqual([without.authentication_methods.ldap, without.require_email_format_usernames], [false, true])
})

test('binding as the person needs no other account', async () => {
  const user_dn = `uid={username},ou=people,${BASE}`
  await using s = await ldapScene({ ldap: { user_dn, bind_dn: undefined, bind_password: undefined } })
  assert.equal((await s.key('ann', "ann's horse")).email, 'ann@example.com')
  assert.deepEqual(outcome(await s.key('ann', 'x')), wrong)
  assert.deepEqual(
    s.directory.binds().map(({ dn }) => dn),
    [dnOf('ann'), dnOf('ann')],
  )
})

const hostile = [
  '*',
  'a*',
  '*)(objectClass=*',
  'ann)(|(uid=*',
  '\\2a',
  'ann*',
  ')(uid=ann',
  'ann,ou=people',
  'uid=ann',
  'ann#',
  ' ann,dc=x',
  'ann+cn=x',
  'a"n',
  'ann;x',
  '\uff41nn',
  'a\u0301nn',
]
for (const user_dn of [undefined, `uid={username},ou=people,${BASE}`]) {
  test(`attack: injection into ${user_dn ? 'names' : 'filters'}`, async () => {
    await using s = await ldapScene({ ldap: { user_dn } })
    for (const name of hostile) {
      assert.deepEqual([name, ...outcome(await s.key(name, "ann's horse"))], [name, ...wrong])
    }
    // Names that aren't names are not even asked about.
    assert.equal(s.directory.fake.asked.length, 0)
    const odd = await s.key('ann.o-neil_x+y', "ann's horse")
    assert.deepEqual(outcome(odd), wrong)
    const bound = s.directory.binds().map(({ dn }) => dn)
    if (user_dn) assert.deepEqual(bound, [`uid=ann.o-neil_x\\2by,ou=people,${BASE}`])
    const [search] = s.directory.fake.asked.flatMap((asked) => asked.search ?? [])
    if (!user_dn) assert.match(search!.filter, /\(\|\(uid=ann\.o-neil_x\+y\)\(mail=ann\.o-neil_x\+y\)\)/)
  })
}

test('attack: an empty password, which directories accept from anybody', async () => {
  await using s = await ldapScene()
  assert.equal(s.directory.fake.takesEmptyPasswords, true)
  assert.deepEqual(outcome(await s.key('ann', '')), wrong)
  assert.deepEqual(s.directory.fake.asked, [])
})

test('attack: two people with one name or address are nobody', async () => {
  const twin = person('bob', { mail: ['ann'] })
  await using s = await ldapScene({ entries: [person('ann'), twin] })
  assert.deepEqual(outcome(await s.key('ann', "ann's horse")), wrong)
  assert.deepEqual(outcome(await s.key('ann', "bob's horse")), wrong)
})

test('attack: guesses count, whether or not the name exists, and then nobody is asked', async () => {
  await using s = await ldapScene()
  for (const name of ['ann', 'nobody']) {
    const statuses: number[] = []
    for (let i = 0; i < 7; i++) {
      const body = new URLSearchParams({ username: name, password: `guess ${i}` })
      const request = new Request('https://chat.example.com/api/v1/fetch_api_key', { method: 'POST', body })
      Object.defineProperty(request, 'ip', { value: '192.0.2.1' })
      statuses.push((await s.app.fetch(request)).status)
    }
    assert.deepEqual([name, statuses], [name, [401, 401, 401, 401, 401, 429, 429]])
  }
  const people = s.directory.binds().filter(({ dn }) => dn !== reader.bind_dn)
  // An unknown name takes a bind as well.
  assert.deepEqual(
    people.map(({ dn }) => dn),
    [...Array<string>(5).fill(dnOf('ann')), ...Array<string>(5).fill(`cn=nobody,${BASE}`)],
  )
})

test('an account is linked by its address, and then its password is the one in the directory', async () => {
  await using s = await ldapScene({ entries: [person('hamlet')] })
  const { hamlet } = s.w
  assert.equal((await s.key(hamlet.email, hamlet.password)).status, 200)
  assert.equal((await s.key('hamlet', "hamlet's horse")).user_id, hamlet.id)
  assert.deepEqual(outcome(await s.key(hamlet.email, hamlet.password)), wrong)
  const own = await apiOf(s.w.chat, await keyOf(s, 'hamlet')).patch('/settings', {
    old_password: "hamlet's horse",
    new_password: 'a new horse of my own',
  })
  assert.equal(own.msg, 'Your password is managed by LDAP. Change it there.')
})

const keyOf = async (s: Awaited<ReturnType<typeof ldapScene>>, name: string) => {
  const { email, api_key } = await s.key(name, `${name}'s horse`)
  return { email, key: api_key }
}

test('the account stays the same if name, address and place in the directory change', async () => {
  await using s = await ldapScene()
  const { user_id } = await s.key('ann', "ann's horse")
  const entry = s.directory.fake.entries.at(-1)!
  entry.dn = `uid=anna,ou=elsewhere,${BASE}`
  Object.assign(entry.attributes, { uid: ['anna'], mail: ['anna@example.com'] })
  assert.equal((await s.key('anna', "ann's horse")).user_id, user_id)
  // The next person with the old name is somebody else, and not the owner of that account.
  s.directory.fake.entries.push(person('ann', { entryUUID: ['another'] }))
  assert.equal((await s.key('ann', "ann's horse")).user_id, user_id)
})

test('emergency accounts have their password here, and the directory never gets it', async () => {
  const file = { passwords: 'break_glass', break_glass: ['iago@example.com'] }
  await using s = await ldapScene({ file, entries: [person('iago'), person('hamlet')] })
  const { iago, hamlet } = s.w
  assert.equal((await s.key(iago.email, iago.password)).status, 200)
  assert.deepEqual(outcome(await s.key(iago.email, "iago's horse")), wrong)
  assert.deepEqual(s.directory.fake.asked, [])
  // Everybody else has it there.
  assert.deepEqual(outcome(await s.key(hamlet.email, hamlet.password)), wrong)
  assert.equal((await s.key(hamlet.email, "hamlet's horse")).user_id, hamlet.id)
  const { authentication_methods: methods, email_auth_enabled } = await s.api.get('/server_settings')
  assert.deepEqual([methods.password, methods.email, methods.ldap, email_auth_enabled], [true, false, true, false])
})

test('who may not sign in learns why, but only with the right password', async () => {
  await using s = await ldapScene({
    ldap: { create: 'never', require: { any: ['chat'] }, groups: { chat: 'Staff' } },
    entries: [person('ann'), person('bob', { memberOf: [`cn=chat,${GROUPS}`] })],
  })
  assert.match((await s.key('ann', "ann's horse")).msg, /in a group that may sign in/)
  assert.match((await s.key('bob', "bob's horse")).msg, /Ask an administrator to invite you/)
  assert.deepEqual(outcome(await s.key('bob', 'wrong horse')), wrong)
})

test('disabled and deactivated people stay out', async () => {
  const entries = [
    person('ann', { userAccountControl: ['514'] }),
    person('bob', { nsAccountLock: ['TRUE'] }),
    person('carl', { userAccountControl: ['512'] }),
  ]
  await using s = await ldapScene({ entries })
  for (const name of ['ann', 'bob']) {
    const { status, code } = await s.key(name, `${name}'s horse`)
    assert.deepEqual([name, status, code], [name, 401, 'USER_DEACTIVATED'])
  }
  const { user_id } = await s.key('carl', "carl's horse")
  await s.w.iago.api.delete(`/users/${user_id}`)
  assert.equal((await s.key('carl', "carl's horse")).code, 'USER_DEACTIVATED')
})

test('groups become groups and roles, also groups in groups that contain each other', async () => {
  const entries = [
    person('ann'),
    person('bob', { memberOf: [`CN=Ops, ${GROUPS}`] }),
    group('team', [dnOf('ann')]),
    group('staff', [`cn=team,${GROUPS}`, `cn=ops,${GROUPS}`]),
    group('ops', [`cn=staff,${GROUPS}`]),
    group('unix', [], { memberUid: ['bob'] }),
  ]
  await using s = await ldapScene({
    entries,
    ldap: {
      group_base: GROUPS,
      groups: { [`cn=staff,${GROUPS}`]: 'Staff', unix: 'Unix' },
      roles: { OPS: 'moderator' },
      channels: { team: ['#Verona'] },
    },
  })
  const { iago } = s.w
  for (const name of ['Staff', 'Unix'])
    await iago.api.post('/user_groups/create', { name, description: '', members: [] })
  const ann = await s.key('ann', "ann's horse")
  const bob = await s.key('bob', "bob's horse")
  const members = async (name: string) => {
    const { user_groups } = await iago.api.get('/user_groups')
    return (user_groups as { name: string; members: number[] }[]).find((one) => one.name === name)!.members
  }
  assert.deepEqual(await members('Staff'), [ann.user_id, bob.user_id])
  assert.deepEqual(await members('Unix'), [bob.user_id])
  assert.deepEqual([(await s.account('bob@example.com'))!.role, (await s.account('ann@example.com'))!.role], [300, 300])
  s.directory.fake.entries.splice(
    s.directory.fake.entries.findIndex(({ dn }) => dn === `cn=staff,${GROUPS}`),
    1,
  )
  await s.key('ann', "ann's horse")
  assert.deepEqual(await members('Staff'), [bob.user_id])
})

test('Active Directory has other names, and bytes that identify people', async () => {
  const guid = Buffer.from('000102030405060708090a0b0c0d0eff', 'hex')
  const entry = person('ann', {
    objectClass: ['person', 'user'],
    objectCategory: ['person'],
    objectGUID: [guid],
    sAMAccountName: ['alee'],
    displayName: ['Ann of AD'],
  })
  await using s = await ldapScene({ entries: [entry], ldap: { preset: 'active_directory' } })
  const { user_id } = await s.key('alee', "ann's horse")
  assert.equal((await s.account('ann@example.com'))!.full_name, 'Ann of AD')
  entry.attributes = { ...entry.attributes, mail: ['lee@example.com'] }
  assert.equal((await s.key('alee', "ann's horse")).user_id, user_id)
  assert.deepEqual(outcome(await s.key('ann', "ann's horse")), wrong)
})

test('a second factor here is asked for, unless the directory has asked', async () => {
  for (const second_factor of ['ask', 'provided'] as const) {
    await using s = await ldapScene({ ldap: { second_factor }, entries: [person('hamlet')] })
    const api = apiOf(s.w.chat, await keyOf(s, 'hamlet'))
    // The password of the directory confirms changes, too.
    const wrongly = await api.post('/users/me/totp', { password: s.w.hamlet.password })
    assert.equal(wrongly.msg, 'Wrong password!')
    const { secret } = await api.post('/users/me/totp', { password: "hamlet's horse" })
    const codeNow = () => codeOf(secret, stepAt(s.clock.now() / 1000))
    assert.equal((await api.post('/users/me/totp/confirm', { code: codeNow() })).status, 200)
    s.clock.advance(60_000)
    const without = await s.key(s.w.hamlet.email, "hamlet's horse")
    if (second_factor === 'provided') {
      assert.equal(without.status, 200)
      continue
    }
    assert.match(without.msg, /second factor/)
    assert.equal((await s.key('hamlet', "hamlet's horse", { code: '000000' })).msg, wrong[2])
    assert.equal((await s.key('hamlet', "hamlet's horse", { code: codeNow() })).status, 200)
    s.clock.advance(60_000)
    assert.equal((await s.key(s.w.hamlet.email, `hamlet's horse ${codeNow()}`)).status, 200)
    const own = { 'x-requested-with': 'test' }
    const browser = s.browser()
    const { html } = await browser.open('/json/session', { username: 'hamlet', password: "hamlet's horse" }, own)
    const { ticket } = JSON.parse(html)
    s.clock.advance(60_000)
    await browser.open('/json/session/second_factor', { ticket, code: codeNow() }, own)
    assert.equal((await browser.me()).user_id, s.w.hamlet.id)
  }
})

test('a provider that is required for a domain is required for people of the directory, too', async () => {
  const providers = [
    {
      name: 'keycloak',
      issuer: 'https://id.example.com',
      client_id: 'chat',
      trusted_domains: ['example.com'],
      required_for: ['example.com'],
    },
  ]
  await using s = await ldapScene({ file: { providers } })
  assert.deepEqual(outcome(await s.key('ann', "ann's horse")), wrong)
})

test('an emergency account keeps its password when its owner signs in with the user name of the directory', async () => {
  const file = { passwords: 'break_glass', break_glass: ['iago@example.com'] }
  await using s = await ldapScene({ file, entries: [person('iago')] })
  const { iago } = s.w
  assert.match((await s.key('iago', "iago's horse")).msg, /Sign in another way/)
  assert.equal((await s.key(iago.email, iago.password)).status, 200)
})

test('an account that became one for emergencies keeps its password, whatever the directory calls its owner', async () => {
  const file = { break_glass: ['iago@example.com'] }
  await using s = await ldapScene({ file, entries: [person('boss', { entryUUID: ['uuid-of-boss'] })] })
  const { iago } = s.w
  const row = { user_id: iago.id, issuer: 'ldap', subject: 'uuid-of-boss', provider: 'ldap', email: 'boss@example.com' }
  await contextOf(s.w.chat).write((tx) =>
    tx.db
      .insertInto('identity')
      .values({ ...row, created_at: 0, last_used_at: 0 })
      .execute(),
  )
  assert.match((await s.key('boss', "boss's horse")).msg, /Sign in another way/)
  assert.equal((await s.key(iago.email, iago.password)).status, 200)
})

test('the directory never gets a password that is too long for it', async () => {
  await using s = await ldapScene()
  assert.deepEqual(outcome(await s.key('ann', 'x'.repeat(1001))), wrong)
  assert.deepEqual(s.directory.fake.asked, [])
})

test('a person whose address here differs confirms with the password of the directory', async () => {
  await using s = await ldapScene({ entries: [person('hamlet')] })
  const { hamlet, iago } = s.w
  const api = apiOf(s.w.chat, await keyOf(s, 'hamlet'))
  const create = (password: string) => api.post('/users/me/api_keys', { name: 'bot', scopes: ['read'], password })
  const { secret } = await api.post('/users/me/totp', { password: "hamlet's horse" })
  const codeNow = () => codeOf(secret, stepAt(s.clock.now() / 1000))
  assert.equal((await create("hamlet's horse")).status, 200)
  assert.equal((await iago.api.patch(`/users/${hamlet.id}`, { new_email: 'prince@example.com' })).status, 200)
  assert.equal((await api.post('/users/me/totp/confirm', { code: codeNow() })).status, 401)
  const moved = apiOf(s.w.chat, await keyOf(s, 'hamlet'))
  assert.equal((await moved.post('/users/me/totp/confirm', { code: codeNow() })).status, 200)
  s.clock.advance(60_000)
  const again = (password: string) => moved.post('/users/me/api_keys', { name: 'bot', scopes: ['read'], password })
  assert.match((await again("hamlet's horse")).msg, /second factor/)
  assert.equal((await again(`hamlet's horse ${codeNow()}`)).status, 200)
})
