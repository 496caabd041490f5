import assert from 'node:assert/strict'
import test from 'node:test'
import { everybody, scene } from './scene.ts'

const administrators: readonly string[] = ['iago', 'admin']
const guests: readonly string[] = ['guest', 'guestInside']

test('lists invitations to their inviters and administrators, without links above their role', async () => {
  const { w } = await scene()
  await using _ = w.chat
  const { hamlet, iago } = w.people
  await hamlet.api.post('/invites', { invitee_emails: 'new@example.com', stream_ids: [] })
  await iago.api.post('/invites/multiuse', { invite_as: 100 })
  await iago.api.post('/invites/multiuse', { invite_as: 400 })
  for (const name of everybody) {
    const { api } = w.person(name)
    const { status, invites = [] } = await api.get('/invites')
    assert.equal(status, name === 'gone' ? 401 : guests.includes(name) ? 400 : 200, name)
    const seen = administrators.includes(name) ? 3 : name === 'hamlet' ? 1 : 0
    assert.equal(invites.length, seen, name)
    const links = invites.filter((one: { link_url?: string }) => one.link_url).length
    assert.equal(links, name === 'iago' ? 2 : name === 'admin' ? 1 : 0, name)
  }
})

test('only the inviter and administrators can find, revoke or resend an invitation', async () => {
  const { w } = await scene()
  await using _ = w.chat
  const { hamlet, iago } = w.people
  for (const name of everybody) {
    await hamlet.api.post('/invites', { invitee_emails: 'new@example.com', stream_ids: [] })
    const [{ id }] = (await iago.api.get('/invites')).invites
    const { api } = w.person(name)
    const may = name === 'hamlet' || administrators.includes(name)
    for (const { status, msg } of [await api.post(`/invites/${id}/resend`), await api.delete(`/invites/${id}`)]) {
      assert.equal(status, may ? 200 : name === 'gone' ? 401 : 400, name)
      if (!may && name !== 'gone') assert.equal(msg, 'No such invitation')
    }
  }
})
