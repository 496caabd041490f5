import assert from 'node:assert/strict'
import test from 'node:test'
import { codeOf, stepAt } from '../../src/core/accounts/second-factor/totp.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf, type Person } from '../../src/testing/index.ts'
import { linksIn, type MailWorld, mailWorld } from './mail-world.ts'

const verifiedAt = async ({ w }: MailWorld, email: string): Promise<number | null> => {
  const rows = storeOf(w.chat).db.selectFrom('user').select('email_verified_at')
  return (await rows.where('delivery_email', '=', email).executeTakeFirstOrThrow()).email_verified_at
}
const now = ({ w }: MailWorld) => Math.floor(w.clock.now() / 1000)
const tokenIn = (link: string) => new URL(link).searchParams.get('token')!
const emailedToken = async (m: MailWorld) =>
  tokenIn((await m.sent()).flatMap(linksIn).find((link) => link.includes('?token='))!)
const status = async (email: string, key: string, m: MailWorld) =>
  (await apiOf(m.w.chat, { email, key }).get('/users/me')).status

/** Asks for a new password, and sets it through the emailed link. */
async function reset(m: MailWorld, email: string, password = 'another horse') {
  await apiOf(m.w.chat).post('/password_reset', { email })
  return apiOf(m.w.chat).post('/password_link', { token: await emailedToken(m), password })
}

async function addFactor(m: MailWorld, person: Pick<Person, 'api'>, password: string) {
  const { secret } = await person.api.post('/users/me/totp', { password })
  const code = codeOf(secret, stepAt(now(m)))
  assert.equal((await person.api.post('/users/me/totp/confirm', { code })).status, 200)
}

test('nobody keeps a way into an account that they made with the address of somebody else', async () => {
  await using m = await mailWorld()
  const { invite_link } = await m.iago.api.post('/invites/multiuse', { stream_ids: [] })
  const victim = 'ann@example.org'
  const password = 'correct horse'
  const params = { token: tokenIn(invite_link), email: victim, full_name: 'Ann', password }
  const { api_key } = await apiOf(m.w.chat).post('/invitation', params)
  assert.equal(await verifiedAt(m, victim), null)
  const thief = { api: apiOf(m.w.chat, { email: victim, key: api_key }) }
  const bot = await thief.api.post('/bots', { full_name: 'Spy', short_name: 'spy' })
  const { email: bot_email } = (await m.iago.api.get(`/users/${bot.user_id}`)).user
  await thief.api.post('/users/me/android_gcm_reg_id', { token: 'telephone' })
  await addFactor(m, thief, password)

  assert.equal((await reset(m, victim)).status, 200)
  assert.equal(await verifiedAt(m, victim), now(m))
  assert.deepEqual([await status(victim, api_key, m), await status(bot_email, bot.api_key, m)], [401, 401])
  assert.deepEqual(await storeOf(m.w.chat).db.selectFrom('push_token').select('id').execute(), [])
  const signIn = (word: string) => apiOf(m.w.chat).post('/fetch_api_key', { username: victim, password: word })
  assert.equal((await signIn(password)).code, 'AUTHENTICATION_FAILED')
  assert.equal((await signIn('another horse')).status, 200, 'the second factor of the thief is gone')
})

test('a proven address keeps the second factor and the bots through a reset', async () => {
  await using m = await mailWorld()
  await reset(m, m.hamlet.email)
  const { api_key } = await apiOf(m.w.chat).post('/fetch_api_key', {
    username: m.hamlet.email,
    password: 'another horse',
  })
  const hamlet = { api: apiOf(m.w.chat, { email: m.hamlet.email, key: api_key }) }
  await addFactor(m, hamlet, 'another horse')
  const bot = await hamlet.api.post('/bots', { full_name: 'Builds', short_name: 'builds' })
  const { email } = (await m.iago.api.get(`/users/${bot.user_id}`)).user
  await reset(m, m.hamlet.email, 'third horse')
  assert.equal(await status(email, bot.api_key, m), 200)
  const answer = await apiOf(m.w.chat).post('/fetch_api_key', { username: m.hamlet.email, password: 'third horse' })
  assert.match(answer.msg, /second factor/)
})

test('an account from before addresses were proven keeps its second factor', async () => {
  await using m = await mailWorld()
  await m.iago.write(({ db }) => db.updateTable('user').set({ email_verified_at: 0 }).execute())
  await addFactor(m, m.hamlet, m.hamlet.password)
  await reset(m, m.hamlet.email)
  const answer = await apiOf(m.w.chat).post('/fetch_api_key', { username: m.hamlet.email, password: 'another horse' })
  assert.match(answer.msg, /second factor/)
  assert.equal(await verifiedAt(m, m.hamlet.email), now(m))
})

test('only the emailed link of an invitation proves the address, and both work', async () => {
  await using m = await mailWorld()
  const join = (token: string, full_name: string) =>
    apiOf(m.w.chat).post('/invitation', { token, full_name, password: 'correct horse' })
  const invite = async (email: string) => {
    const { invitations } = await m.iago.api.post('/invites', { invitee_emails: email, stream_ids: [] })
    return { shown: tokenIn(invitations[0].link_url), emailed: await emailedToken(m) }
  }
  const ann = await invite('ann@example.org')
  assert.notEqual(ann.shown, ann.emailed)
  assert.equal((await join(ann.emailed, 'Ann')).status, 200)
  assert.equal(await verifiedAt(m, 'ann@example.org'), now(m))
  // People who invite see a link too, and could join with an address that isn't theirs.
  const ben = await invite('ben@example.org')
  assert.equal((await join(ben.shown, 'Ben')).status, 200)
  assert.equal(await verifiedAt(m, 'ben@example.org'), null)
  assert.equal((await join(ben.emailed, 'Ben')).code, 'BAD_INVITATION')
})

test('the confirmation of a new address proves it, and an administrator who sets another one proves nothing', async () => {
  await using m = await mailWorld()
  await m.hamlet.api.patch('/settings', { email: 'prince@example.com' })
  const mails = await m.sent()
  const tokenFor = (address: string) => tokenIn(linksIn(mails.find(({ to }) => to.address === address)!)[0]!)
  await apiOf(m.w.chat).post('/email_change', { token: tokenFor('prince@example.com') })
  assert.equal(await verifiedAt(m, 'prince@example.com'), now(m))
  await m.iago.api.patch(`/users/${m.hamlet.id}`, { new_email: 'king@example.com' })
  assert.equal(await verifiedAt(m, 'king@example.com'), null)
  await apiOf(m.w.chat).post('/email_change/undo', { token: tokenFor(m.hamlet.email) })
  assert.equal(await verifiedAt(m, m.hamlet.email), now(m))
})

test('a password link from an administrator proves nothing', async () => {
  await using m = await mailWorld()
  const { link_url } = await m.iago.api.post(`/users/${m.hamlet.id}/password_link`)
  await addFactor(m, m.hamlet, m.hamlet.password)
  const token = tokenIn(link_url)
  assert.equal((await apiOf(m.w.chat).post('/password_link', { token, password: 'another horse' })).status, 200)
  assert.equal(await verifiedAt(m, m.hamlet.email), null)
  const answer = await apiOf(m.w.chat).post('/fetch_api_key', { username: m.hamlet.email, password: 'another horse' })
  assert.match(answer.msg, /second factor/)
})
