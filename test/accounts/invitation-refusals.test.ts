import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../src/testing/index.ts'

test("can't resend an invitation that is expired, reusable or for a higher role", async () => {
  await using w = await world({ people: { adam: { role: 'administrator' } } })
  const { iago, adam } = { iago: w.people.iago, adam: w.person('adam') }
  const send = async (who: typeof iago, more: Readonly<Record<string, unknown>>) =>
    (await who.api.post('/invites', { stream_ids: [], ...more })).status
  assert.equal(await send(iago, { invitee_emails: 'a@example.com', invite_expires_in_minutes: 10 }), 200)
  assert.equal(await send(iago, { invitee_emails: 'b@example.com', invite_as: 100 }), 200)
  assert.equal(await send(iago, { invitee_emails: 'c@example.com', invite_expires_in_minutes: null }), 200)
  assert.equal((await iago.api.post('/invites/multiuse', {})).status, 200)
  const { invites } = await iago.api.get('/invites')
  const idOf = (email: string) => invites.find((one: { email?: string }) => one.email === email).id
  const link = invites.find((one: { is_multiuse: boolean }) => one.is_multiuse).id
  const again = async (who: typeof iago, id: number) => {
    const { status, msg } = await who.api.post(`/invites/${id}/resend`)
    return [status, msg]
  }
  assert.deepEqual(await again(iago, link), [400, 'No such invitation'])
  assert.equal((await again(adam, idOf('b@example.com')))[0], 400)
  assert.equal((await again(iago, idOf('c@example.com')))[0], 200)
  w.clock.advance(11 * 60_000)
  assert.deepEqual(await again(iago, idOf('a@example.com')), [400, 'No such invitation'])
})

test('accepts invitee addresses with names, as in a recipient list', async () => {
  await using w = await world()
  const { status, invitations } = await w.people.iago.api.post('/invites', {
    invitee_emails: 'Yorick <yorick@example.com>, osric@example.com\n',
    stream_ids: [],
  })
  assert.equal(status, 200)
  assert.deepEqual(
    invitations.map((one: { email: string }) => one.email),
    ['yorick@example.com', 'osric@example.com'],
  )
})
