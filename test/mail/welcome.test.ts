// cspell:ignore Willkommen Melde dich Serveradresse
import assert from 'node:assert/strict'
import test from 'node:test'
import { apiOf } from '../../src/testing/index.ts'
import { failure, linksIn, type MailWorld, mailWorld, PUBLIC_URL } from './mail-world.ts'

/** Joins with the link of an emailed invitation. */
const join = async (m: MailWorld, email: string) => {
  await m.iago.api.post('/invites', { invitee_emails: email, stream_ids: [] })
  return joinBy(m, linksIn((await m.sent())[0]!)[0]!)
}
const joinBy = ({ w }: MailWorld, link: string, more: object = {}) => {
  const token = new URL(link).searchParams.get('token')
  return apiOf(w.chat).post('/invitation', { token, full_name: 'Yorick', password: 'alas poor Yorick', ...more })
}

test('people who join get one email with the address of the chat, in the language of the organization', async () => {
  await using m = await mailWorld()
  await m.iago.api.patch('/realm', { default_language: 'de' })
  await join(m, 'yorick@example.org')
  const [mail, ...more] = await m.sent()
  assert.deepEqual(more, [])
  assert.deepEqual([mail!.to.address, mail!.subject], ['yorick@example.org', 'Willkommen bei Elsinore'])
  assert.ok(linksIn(mail!).includes(`${PUBLIC_URL}/`))
  assert.match(
    mail!.text,
    /Melde dich mit yorick@example\.org an\.[\s\S]*Serveradresse für Apps: https:\/\/chat\.example\.com/,
  )
  assert.equal(mail!.headers['list-unsubscribe'], undefined)
})

test('an address that nobody has proved gets no email: its owner may be a stranger', async () => {
  await using m = await mailWorld()
  const { invite_link } = await m.iago.api.post('/invites/multiuse', { stream_ids: [] })
  assert.equal((await joinBy(m, invite_link, { email: 'stranger@example.org' })).status, 200)
  assert.deepEqual(await m.sent(), [])
})

test('nobody is welcomed where it is switched off, nor after a deactivation', async () => {
  await using m = await mailWorld()
  await m.iago.api.patch('/realm', { send_welcome_emails: false })
  await join(m, 'first@example.org')
  assert.deepEqual(await m.sent(), [])
  await m.iago.api.patch('/realm', { send_welcome_emails: true })
  await m.iago.api.post('/invites', { invitee_emails: 'second@example.org', stream_ids: [] })
  const [invitation] = await m.sent()
  m.server(() => Promise.reject(failure('connection', 'not yet')))
  const { user_id } = await joinBy(m, linksIn(invitation!)[0]!)
  await m.iago.api.delete(`/users/${user_id}`)
  m.server(() => {})
  await m.after(400)
  assert.deepEqual(
    (await m.sent()).map(({ subject }) => subject),
    [],
  )
})
