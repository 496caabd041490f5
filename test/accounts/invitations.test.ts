import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { type Answer, apiOf, type World, world } from '../../src/testing/index.ts'

const tokenIn = (link: string) => new URL(link).searchParams.get('token')!
const join = (w: World, link: string, more: object = {}): Promise<Answer> =>
  apiOf(w.chat).post('/invitation', {
    token: tokenIn(link),
    full_name: 'Yorick',
    password: 'alas poor',
    ...more,
  })
const invite = (w: World, who: string, more: object = {}) =>
  w.person(who).api.post('/invites', { invitee_emails: 'yorick@example.com', stream_ids: [], ...more })

test('an email invitation is a single-use link that creates one account', async () => {
  await using w = await world({ streams: { verona: { members: ['iago', 'hamlet'] } } })
  const { hamlet } = w.people
  const { user_groups } = await w.people.iago.api.get('/user_groups')
  assert.ok(user_groups.length > 0)
  const stream_ids = [await w.streamId('verona')]
  const { status, invitations } = await invite(w, 'hamlet', { stream_ids })
  assert.equal(status, 200)
  assert.equal(invitations[0].email, 'yorick@example.com')
  const { link_url } = invitations[0]
  assert.match(link_url, /^http:\/\/localhost\/join\?token=/)
  const shown = await apiOf(w.chat).get('/invitation', { token: tokenIn(link_url) })
  assert.deepEqual([shown.organization, shown.email, shown.invited_as], ['Elsinore', 'yorick@example.com', 400])
  // An address of their own choice does not count.
  const joined = await join(w, link_url, { email: 'other@example.com' })
  assert.deepEqual([joined.status, joined.email], [200, 'yorick@example.com'])
  const yorick = apiOf(w.chat, { email: joined.email, key: joined.api_key })
  const { subscriptions } = await yorick.get('/users/me/subscriptions')
  assert.deepEqual(
    subscriptions.map((one: { name: string }) => one.name),
    ['verona'],
  )
  const again = await join(w, link_url)
  assert.deepEqual([again.status, again.code], [400, 'BAD_INVITATION'])
  assert.deepEqual((await hamlet.api.get('/invites')).invites, [])
  const { messages } = await hamlet.api.get('/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
  })
  assert.match(messages[0].content, /^@_\*\*Yorick\|\d+\*\* accepted your invitation to join this organization!$/)
})

test('a reusable link works until it expires or is revoked', async () => {
  await using w = await world()
  const { iago } = w.people
  const { invite_link } = await iago.api.post('/invites/multiuse', {
    invite_as: 600,
    invite_expires_in_minutes: 10,
    include_realm_default_subscriptions: true,
  })
  for (const n of [1, 2]) {
    const { status, user_id } = await join(w, invite_link, { full_name: `Y${n}`, email: `y${n}@example.com` })
    assert.equal(status, 200)
    const { user } = await iago.api.get(`/users/${user_id}`)
    assert.equal(user.role, 600)
  }
  assert.equal((await join(w, invite_link)).msg, "Missing 'email' argument")
  const { invites } = await iago.api.get('/invites')
  assert.deepEqual([invites[0].is_multiuse, invites[0].link_url, invites[0].invited_as], [true, invite_link, 600])
  w.clock.advance(10 * 60_000)
  assert.equal((await join(w, invite_link, { email: 'y3@example.com' })).code, 'BAD_INVITATION')
  assert.deepEqual((await iago.api.get('/invites')).invites, [])
  const { invite_link: endless } = await iago.api.post('/invites/multiuse', { invite_expires_in_minutes: null })
  w.clock.advance(400 * 24 * 3_600_000)
  const [{ id, expiry_date }] = (await iago.api.get('/invites')).invites
  assert.equal(expiry_date, null)
  assert.equal((await iago.api.delete(`/invites/${id}`)).msg, 'No such invitation')
  assert.equal((await iago.api.delete(`/invites/multiuse/${id}`)).status, 200)
  assert.equal((await iago.api.delete(`/invites/multiuse/${id}`)).msg, 'Invitation has already been revoked')
  assert.equal((await join(w, endless, { email: 'y3@example.com' })).code, 'BAD_INVITATION')
})

test("explains which invitations can't be sent and reports those that were", async () => {
  await using w = await world({ streams: { secret: { private: true, members: ['iago'] } } })
  const { iago, cordelia } = w.people
  const secret = await w.streamId('secret')
  const refusals: [object, string][] = [
    [{ invitee_emails: ' ,\n' }, 'You must specify at least one email address.'],
    [{ invitee_emails: 'x, y@example.com' }, "Some emails did not validate, so we didn't send any invitations."],
    [{ stream_ids: [secret] }, `Invalid channel ID ${secret}. No invites were sent.`],
    [{ invite_as: 500 }, 'Invalid invite_as'],
    [{ invite_as: 200 }, 'Must be an organization administrator'],
    [{ invite_as: 100 }, 'Must be an organization owner'],
    [{ group_ids: [999] }, 'Invalid user group'],
    [{ invite_expires_in_minutes: 0 }, 'invite_expires_in_minutes is not positive'],
    [{ invitee_emails: cordelia.email }, "We weren't able to invite anyone."],
  ]
  for (const [more, msg] of refusals) {
    const answer = await invite(w, 'hamlet', more)
    assert.deepEqual([answer.status, answer.msg], [400, msg])
  }
  assert.deepEqual((await iago.api.get('/invites')).invites, [])
  await iago.api.delete(`/users/${cordelia.id}`)
  const partly = await invite(w, 'hamlet', { invitee_emails: `new@example.com\n${cordelia.email}` })
  assert.deepEqual(
    [partly.code, partly.errors, partly.sent_invitations, partly.daily_limit_reached, partly.license_limit_reached],
    ['INVITATION_FAILED', [[cordelia.email, 'Account has been deactivated.', true]], true, false, false],
  )
  assert.equal((await iago.api.get('/invites')).invites[0].email, 'new@example.com')
})

test('an invitation grants no more than its inviter may grant when it is used', async () => {
  await using w = await world({ people: { viola: { role: 'administrator' } } })
  const { iago } = w.people
  const asAdmin = (await invite(w, 'viola', { invite_as: 200 })).invitations[0].link_url
  const plain = (await invite(w, 'hamlet', { invitee_emails: 'other@example.com' })).invitations[0].link_url
  await iago.api.patch(`/users/${w.person('viola').id}`, { role: 400 })
  const refused = /^This invitation is no longer valid/
  assert.match((await join(w, asAdmin)).msg, refused)
  await iago.api.delete(`/users/${w.people.hamlet.id}`)
  assert.match((await join(w, plain)).msg, refused)
})

test('resending creates a new link and invalidates the first', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const first = (await invite(w, 'hamlet')).invitations[0].link_url
  const [{ id }] = (await hamlet.api.get('/invites')).invites
  assert.equal((await cordelia.api.post(`/invites/${id}/resend`)).msg, 'No such invitation')
  const { link_url } = await hamlet.api.post(`/invites/${id}/resend`)
  assert.equal((await join(w, first)).code, 'BAD_INVITATION')
  assert.equal((await join(w, link_url)).status, 200)
  const second = (await invite(w, 'hamlet', { invitee_emails: 'x@example.com' })).invitations[0].link_url
  const third = (await invite(w, 'hamlet', { invitee_emails: 'X@example.com' })).invitations[0].link_url
  assert.equal((await join(w, second)).code, 'BAD_INVITATION')
  const [{ id: open }] = (await hamlet.api.get('/invites')).invites
  assert.equal((await hamlet.api.delete(`/invites/${open}`)).status, 200)
  assert.equal((await join(w, third)).code, 'BAD_INVITATION')
})

test("stores no link in the database, and links can't be forged", async () => {
  await using w = await world()
  const { link_url } = (await invite(w, 'hamlet')).invitations[0]
  const token = tokenIn(link_url)
  const [row] = await storeOf(w.chat).db.selectFrom('invitation').selectAll().execute()
  // The secret may have a dash itself.
  assert.ok(!JSON.stringify(row).includes(token.slice(token.indexOf('-') + 1)))
  for (const guess of ['', '1', '1-', `1-${'A'.repeat(43)}`, `2-${token.slice(2)}`, `${token}x`, `x${token}`]) {
    assert.equal((await apiOf(w.chat).get('/invitation', { token: guess })).code, 'BAD_INVITATION', guess)
  }
})

test('restricts addresses to domains and lifts the restriction with the last domain', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  for (const [domain, why] of [
    ['', "Domain can't be empty."],
    ['x', 'Domain must have at least one dot (.)'],
    ['.x.y', 'Domain cannot start or end with a dot (.)'],
    ['x_.y', "Domain can only have letters, numbers, '.' and '-'s."],
    ['-x.y', "Subdomains cannot start or end with a '-'."],
  ]) {
    assert.equal(
      (await iago.api.post('/realm/domains', { domain, allow_subdomains: true })).msg,
      `Invalid domain: ${why}`,
    )
  }
  const { new_domain } = await iago.api.post('/realm/domains', { domain: 'Example.org', allow_subdomains: false })
  assert.equal(new_domain[1], 'example.org')
  assert.equal(
    (await iago.api.post('/realm/domains', { domain: 'example.org', allow_subdomains: false })).msg,
    'The domain example.org is already a part of your organization.',
  )
  await iago.api.patch('/realm', { emails_restricted_to_domains: true })
  const failed = await invite(w, 'hamlet', { invitee_emails: 'y@example.com' })
  assert.match(failed.errors[0][1], /is not in one of the domains/)
  const sub = { invitee_emails: 'y@sub.example.org' }
  assert.equal((await invite(w, 'hamlet', sub)).code, 'INVITATION_FAILED')
  assert.equal((await iago.api.patch('/realm/domains/example.org', { allow_subdomains: true })).status, 200)
  assert.equal((await invite(w, 'hamlet', sub)).status, 200)
  assert.deepEqual((await hamlet.api.get('/realm/domains')).domains, [
    { domain: 'example.org', allow_subdomains: true },
  ])
  assert.equal(
    (await iago.api.patch('/realm/domains/x.y', { allow_subdomains: true })).msg,
    'No entry found for domain x.y.',
  )
  assert.equal((await iago.api.delete('/realm/domains/example.org')).status, 200)
  assert.equal((await invite(w, 'hamlet', { invitee_emails: 'y@example.com' })).status, 200)
  assert.equal((await iago.api.delete('/realm/domains/example.org')).msg, 'No entry found for domain example.org.')
})
