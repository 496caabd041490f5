import assert from 'node:assert/strict'
import test from 'node:test'
import { codeOf, stepAt } from '../../src/core/accounts/second-factor/totp.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf } from '../../src/testing/index.ts'
import { ann, type Scene, scene } from './scene.ts'

const sentence = (html: string) => /<p role="alert">([^<]*)<\/p>/.exec(html)?.[1]
const hamletThere = { sub: 'subject-2', email: 'hamlet@example.com', email_verified: true, name: 'Prince' }
const users = (s: Scene) => storeOf(s.w.chat).db.selectFrom('user').select('id').execute()

/** Proves hamlet's address, as a link in an email does. */
const prove = (s: Scene) =>
  storeOf(s.w.chat).write(async ({ db }) => {
    await db.updateTable('user').set({ email_verified_at: 1 }).where('id', '=', s.w.hamlet.id).execute()
  })

test('an account whose address was proved is linked, keeps what signs in to it, and is notified', async () => {
  await using s = await scene()
  const { hamlet } = s.w
  await prove(s)
  const browser = s.browser()
  await browser.signIn({ ...hamletThere, email: hamlet.email })
  assert.equal((await browser.me()).user_id, hamlet.id)
  assert.equal((await hamlet.api.get('/users/me')).status, 200)
  assert.equal(
    (await apiOf(s.w.chat).post('/fetch_api_key', { username: hamlet.email, password: hamlet.password })).status,
    200,
  )
  const { messages } = await hamlet.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  assert.match(messages[0].content, /was linked to Company login/)
})

test('what somebody set up before the address was proved ends: the account was waiting for its owner', async () => {
  await using s = await scene()
  const { hamlet, iago } = s.w
  const earlier = s.browser()
  const { secret } = await hamlet.api.post('/users/me/totp', { password: hamlet.password })
  await hamlet.api.post('/users/me/totp/confirm', { code: codeOf(secret, stepAt(s.clock.now() / 1000)) })
  const { link_url } = await iago.api.post(`/users/${hamlet.id}/password_link`)
  await storeOf(s.w.chat).write(({ db }) =>
    db
      .insertInto('identity')
      .values({
        user_id: hamlet.id,
        issuer: s.fake.issuer,
        subject: 'attacker',
        provider: 'keycloak',
        email: null,
        created_at: 0,
        last_used_at: 0,
      })
      .execute(),
  )
  const browser = s.browser()
  await browser.signIn({ ...hamletThere, email: hamlet.email })
  assert.equal((await browser.me()).user_id, hamlet.id)
  assert.equal((await hamlet.api.get('/users/me')).code, 'INVALID_API_KEY')
  const password = await apiOf(s.w.chat).post('/fetch_api_key', { username: hamlet.email, password: hamlet.password })
  assert.equal(password.code, 'AUTHENTICATION_FAILED')
  assert.match((await browser.open(link_url)).html, /expired or was already used/)
  assert.equal((await earlier.signIn({ sub: 'attacker', name: 'Mallory' })).status, 400)
  assert.deepEqual((await storeOf(s.w.chat).db.selectFrom('totp').selectAll().execute()).length, 0)
})

for (const [what, change] of Object.entries({
  'is not verified': { email_verified: false },
  'is verified as a text': { email_verified: 'true' },
  'is verified as a number': { email_verified: 1 },
  'says nothing about being verified': { email_verified: undefined },
})) {
  test(`an address that ${what} takes over no account and creates none`, async () => {
    await using s = await scene()
    await prove(s)
    const before = (await users(s)).length
    const browser = s.browser()
    const shown = await browser.signIn({ ...hamletThere, email: s.w.hamlet.email, ...change })
    assert.match(shown.location!, /^\/accounts\/login\/link\?step=/)
    assert.equal(browser.session(), undefined)
    const stranger = await s.browser().signIn({ ...ann, ...change })
    assert.match(sentence(stranger.html)!, /hasn't verified/)
    assert.equal((await users(s)).length, before)
  })
}

test('a provider vouches only for its domains', async () => {
  await using s = await scene({ provider: { trusted_domains: ['corp.example'] } })
  await prove(s)
  assert.match((await s.browser().signIn({ ...hamletThere, email: s.w.hamlet.email })).location!, /link/)
  for (const email of [
    'ann@corp.example.evil.example',
    'ann@evil.example',
    'ann@corp.example@evil.example',
    'ann@ⓒorp.example',
    'corp.example',
  ]) {
    const shown = await s.browser().signIn({ ...ann, sub: email, email })
    assert.equal(shown.status, 400, email)
  }
  assert.equal((await s.browser().signIn({ ...ann, email: 'ann@CORP.example' })).status, 302)
})

test('letters that look like ASCII are another address', async () => {
  await using s = await scene({ seed: { people: { mike: { email: 'mike@example.com' } } } })
  const before = (await users(s)).length
  const shown = await s.browser().signIn({ ...ann, email: 'mi\u212Ae@example.com' })
  assert.deepEqual([shown.status, (await users(s)).length], [400, before])
})

test('the password of the account links it, and then the provider is enough', async () => {
  await using s = await scene()
  const { hamlet } = s.w
  const browser = s.browser()
  const claims = { ...hamletThere, email: hamlet.email, email_verified: false }
  const { location } = await browser.signIn(claims)
  assert.match((await browser.open(location!)).html, /Enter its password once/)
  const wrong = await browser.open(location!, { username: hamlet.email, password: 'wrong horse' })
  assert.deepEqual([wrong.status, sentence(wrong.html)], [401, 'Your username or password is incorrect.'])
  const right = await browser.open(location!, { username: hamlet.email, password: hamlet.password })
  assert.equal(right.location, '/')
  assert.equal((await browser.me()).user_id, hamlet.id)
  const elsewhere = s.browser()
  await elsewhere.signIn(claims)
  assert.equal((await elsewhere.me()).user_id, hamlet.id)
  assert.equal((await browser.open(location!, { username: hamlet.email, password: hamlet.password })).status, 400)
})

test('linking needs the second factor of the account, and the browser that began it', async () => {
  await using s = await scene()
  const { hamlet } = s.w
  const { secret } = await hamlet.api.post('/users/me/totp', { password: hamlet.password })
  await hamlet.api.post('/users/me/totp/confirm', { code: codeOf(secret, stepAt(s.clock.now() / 1000)) })
  s.clock.advance(90_000)
  const browser = s.browser()
  const { location } = await browser.signIn({ ...hamletThere, email: hamlet.email, email_verified: false })
  const fields = { username: hamlet.email, password: hamlet.password }
  assert.match(sentence((await browser.open(location!, fields)).html)!, /second factor/)
  const other = s.browser()
  await other.start()
  assert.equal((await other.open(location!, fields)).status, 400)
  assert.equal((await s.browser().open(location!)).status, 400)
  const code = codeOf(secret, stepAt(s.clock.now() / 1000))
  assert.equal((await browser.open(location!, { ...fields, password: `${hamlet.password} ${code}` })).location, '/')
})

test('a deactivated account stays closed, and nobody else gets its address', async () => {
  await using s = await scene()
  const { hamlet, iago } = s.w
  const browser = s.browser()
  await browser.signIn(ann)
  const { user_id } = await browser.me()
  await iago.api.delete(`/users/${user_id}`)
  await iago.api.delete(`/users/${hamlet.id}`)
  for (const claims of [ann, { ...ann, sub: 'other' }, { ...hamletThere, email: hamlet.email }]) {
    assert.equal(sentence((await s.browser().signIn(claims)).html), 'Your account has been deactivated.')
  }
  assert.match(
    sentence((await s.browser().signIn({ ...ann, sub: 'x', email_verified: false })).html)!,
    /don't have an account/,
  )
})

test('a provider cannot sign in to a bot', async () => {
  await using s = await scene({ seed: { people: { robot: { bot: true, email: 'robot@example.com' } } } })
  assert.equal((await s.browser().signIn({ ...ann, email: 'robot@example.com' })).status, 400)
})

test('creates no account if it may not, or for an address that the organization rejects', async () => {
  await using closed = await scene({ provider: { create: 'never' } })
  assert.match(sentence((await closed.browser().signIn(ann)).html)!, /don't have an account here/)
  await using s = await scene({ provider: { trusted_domains: ['*'] } })
  await s.w.iago.api.post('/realm/domains', { domain: 'example.com', allow_subdomains: false })
  await s.w.iago.api.patch('/realm', { emails_restricted_to_domains: true })
  assert.equal((await s.browser().signIn({ ...ann, email: 'ann@elsewhere.example' })).status, 400)
  assert.equal((await s.browser().signIn(ann)).status, 302)
})

test('everybody else at the provider is turned away at each sign-in', async () => {
  await using s = await scene({ provider: { require: { claim: 'groups', any: ['chat-users'] } } })
  assert.match(sentence((await s.browser().signIn(ann)).html)!, /isn't in a group/)
  assert.equal((await s.browser().signIn({ ...ann, groups: ['chat-users'] })).status, 302)
  assert.equal((await s.browser().signIn({ ...ann, groups: ['others'] })).status, 400)
})

test('two simultaneous first sign-ins create one account', async () => {
  await using s = await scene()
  const [a, b] = [s.browser(), s.browser()]
  await Promise.all([a.signIn(ann), b.signIn(ann)])
  assert.equal((await a.me()).user_id, (await b.me()).user_id)
})

test('groups, channels and role follow the claims, and a missing claim changes nothing', async () => {
  const provider = {
    groups: { staff: 'Staff', ops: 'Operations', dev: 'Staff', gone: 'No such group' },
    channels: { ops: ['#incidents', 'nowhere'] },
    roles: { boss: 'owner', chief: 'administrator', visitor: 'guest' },
    claims: { role: 'chat_role' },
  }
  await using s = await scene({
    provider,
    seed: { groups: { Staff: ['hamlet'], Operations: [] }, streams: { incidents: { private: true } } },
  })
  const browser = s.browser()
  const standing = async (claims: object) => {
    await browser.signIn({ ...ann, ...claims })
    const { user_id, role } = await browser.me()
    const { user_groups } = await s.w.iago.api.get('/user_groups')
    const groups = (user_groups as { name: string; members: number[]; is_system_group: boolean }[])
      .filter(({ is_system_group, members }) => !is_system_group && members.includes(user_id as number))
      .map(({ name }) => name)
    const { subscriptions } = JSON.parse((await browser.open('/json/users/me/subscriptions')).html)
    return [role, groups, subscriptions.map(({ name }: { name: string }) => name).toSorted()]
  }
  assert.deepEqual(await standing({ groups: ['dev'], chat_role: 'chief' }), [200, ['Staff'], ['general']])
  assert.deepEqual(await standing({ groups: ['ops', 'dev'] }), [200, ['Staff', 'Operations'], ['general', 'incidents']])
  assert.deepEqual(await standing({}), [200, ['Staff', 'Operations'], ['general', 'incidents']])
  assert.deepEqual(await standing({ groups: [], chat_role: ['visitor', 'unknown'] }), [
    600,
    [],
    ['general', 'incidents'],
  ])
  assert.deepEqual(await standing({ groups: 'staff', chat_role: ['visitor', 'boss'] }), [
    100,
    ['Staff'],
    ['general', 'incidents'],
  ])
  const many = Array.from({ length: 201 }, (_, i) => `group ${i}`)
  assert.deepEqual(await standing({ groups: many }), [100, ['Staff'], ['general', 'incidents']])
  assert.match(s.warnings().join('\n'), /201 groups are too many/)
  assert.match(s.warnings().join('\n'), /no group "No such group"/)
  assert.match(s.warnings().join('\n'), /no channel "nowhere"/)
  const { members } = await s.w.iago.api.get(`/user_groups/${await s.w.groupId('Staff')}/members`)
  assert.ok(members.includes(s.w.hamlet.id))
})

test('the last owner keeps the role, whatever the provider says', async () => {
  await using s = await scene({ provider: { roles: { member: 'member' } } })
  const { iago } = s.w
  await storeOf(s.w.chat).write(({ db }) =>
    db.updateTable('user').set({ email_verified_at: 1 }).where('id', '=', iago.id).execute(),
  )
  const browser = s.browser()
  await browser.signIn({ sub: 'iago', email: iago.email, email_verified: true, role: 'member' })
  assert.deepEqual([(await browser.me()).user_id, (await browser.me()).role], [iago.id, 100])
  assert.match(s.warnings().join(), /the role of an account could not be changed/)
})

test('the name follows the provider if the file says so, without what names must not contain', async () => {
  await using s = await scene({ provider: { sync: ['name'] } })
  const browser = s.browser()
  const named = async (name: unknown) => {
    await browser.signIn({ ...ann, name })
    return (await browser.me()).full_name
  }
  assert.equal(await named('Ann\n**Lee**'), 'Ann Lee')
  assert.equal(await named('Ann Smith'), 'Ann Smith')
  assert.equal(await named(undefined), 'Ann Smith')
  assert.equal(await named('@'), 'ann')
  assert.equal(await named('x'.repeat(300)), 'x'.repeat(96))
  await s.w.iago.api.patch('/realm', { require_unique_names: true })
  await s.browser().signIn({ ...ann, sub: 'other', email: 'lee@example.com', name: 'Ann Lee' })
  assert.equal(await named('ann lee'), 'ann lee 2')
})

test('a second factor is asked for after the provider, unless the file says that it is provided', async () => {
  await using s = await scene()
  const { hamlet } = s.w
  await prove(s)
  const { secret } = await hamlet.api.post('/users/me/totp', { password: hamlet.password })
  const { recovery_codes } = await hamlet.api.post('/users/me/totp/confirm', {
    code: codeOf(secret, stepAt(s.clock.now() / 1000)),
  })
  s.clock.advance(90_000)
  const claims = { ...hamletThere, email: hamlet.email }
  const browser = s.browser()
  const { location } = await browser.signIn(claims, '?next=/%23inbox')
  assert.match(location!, /^\/accounts\/login\/second_factor\?step=/)
  assert.match((await browser.open(location!)).html, /authenticator app/)
  assert.equal(browser.session(), undefined)
  const wrong = await browser.open(location!, { code: '000000' })
  assert.deepEqual([wrong.status, sentence(wrong.html)!.slice(0, 11)], [401, 'Wrong code.'])
  const other = s.browser()
  await other.start()
  assert.equal((await other.open(location!, { code: recovery_codes[0] })).status, 400)
  assert.equal((await s.browser().open(location!)).status, 400)
  const right = await browser.open(location!, { code: codeOf(secret, stepAt(s.clock.now() / 1000)) })
  assert.equal(right.location, '/#inbox')
  assert.equal((await browser.me()).user_id, hamlet.id)

  // Five wrong codes end the sign-in.
  const guess = s.browser()
  const at = (await guess.signIn(claims)).location!
  for (let i = 0; i < 5; i++) await guess.open(at, { code: '111111' })
  assert.match((await guess.open(at, { code: recovery_codes[1] })).html, /has expired|Too many/)

  await using provided = await scene({ provider: { second_factor: 'provided' } })
  const { cordelia } = provided.w
  await provided.browser().signIn({ sub: 'c', email: cordelia.email, email_verified: true })
  const again = provided.browser()
  assert.equal((await again.signIn({ sub: 'c' })).location, '/')
})

test('nobody signs in while the organization is deactivated', async () => {
  await using s = await scene()
  const browser = s.browser()
  const back = s.fake.consent(await browser.start(), ann)
  await s.w.iago.api.post('/realm/deactivate')
  assert.equal((await browser.open(back)).status, 401)
  assert.equal((await browser.open('/accounts/login/social/oidc/keycloak')).status, 401)
})
