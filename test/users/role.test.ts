import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../src/testing/world.ts'

const OWNER = 100
const MEMBER = 400

test('only an owner can appoint or manage owners', async () => {
  await using w = await world({ people: { viola: { role: 'administrator' } } })
  const { iago, hamlet } = w.people
  const viola = w.person('viola')
  const refused = { status: 400, result: 'error', code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization owner' }
  assert.deepEqual(await viola.api.patch(`/users/${hamlet.id}`, { role: OWNER }), refused)
  assert.deepEqual(await viola.api.patch(`/users/${iago.id}`, { full_name: 'Honest Iago' }), refused)
  assert.equal((await iago.api.patch(`/users/${hamlet.id}`, { role: OWNER })).result, 'success')
  assert.equal((await viola.api.get(`/users/${hamlet.id}`)).user.role, OWNER)
})

test('the last owner keeps the role', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const demote = () => iago.api.patch(`/users/${iago.id}`, { role: MEMBER })
  assert.match((await demote()).msg, /only organization owner|last owner/i)
  await iago.api.patch(`/users/${hamlet.id}`, { role: OWNER })
  assert.equal((await demote()).result, 'success')
})
