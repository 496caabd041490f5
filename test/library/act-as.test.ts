import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actAs, createUser, deactivateUser, reactivateUser, sendMessage, updateUser } from '../../src/index.ts'
import { world } from '../../src/testing/world.ts'

const hello = { type: 'stream', to: 'general', topic: 'greetings', content: 'hello' } as const

test('finds a user by email, id and API key', async () => {
  await using w = await world()
  const { hamlet } = w.people
  for (const identity of [{ email: 'Hamlet@Example.com' }, { user_id: hamlet.id }, { api_key: hamlet.key }]) {
    assert.equal((await actAs(w.chat, identity)).user.id, hamlet.id)
  }
})

test("explains why it can't act as a missing user", async () => {
  await using w = await world()
  await assert.rejects(actAs(w.chat, { email: 'nobody@example.com' }), { code: 'BAD_REQUEST', message: 'No such user' })
  await assert.rejects(actAs(w.chat, { user_id: 999 }), { code: 'BAD_REQUEST', message: 'No such user' })
  await assert.rejects(actAs(w.chat, { api_key: 'x'.repeat(32) }), { code: 'INVALID_API_KEY' })
})

test('a caller stops working on deactivation and works again after reactivation', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const caller = await actAs(w.chat, { user_id: hamlet.id })
  await deactivateUser(iago, { user_id: hamlet.id })
  await assert.rejects(sendMessage(caller, hello), { code: 'USER_DEACTIVATED', message: 'Account is deactivated' })
  await assert.rejects(
    caller.write(async () => {}),
    { code: 'USER_DEACTIVATED' },
  )
  await assert.rejects(actAs(w.chat, { user_id: hamlet.id }), { code: 'USER_DEACTIVATED' })
  await reactivateUser(iago, { user_id: hamlet.id })
  assert.ok((await sendMessage(caller, hello)).id)
})

test("a caller has the current role's permissions, not the role it was created with", async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const caller = await actAs(w.chat, { user_id: hamlet.id })
  const account = { email: 'new@example.com', full_name: 'New', password: 'a long password' }
  await assert.rejects(createUser(caller, account), { code: 'UNAUTHORIZED_PRINCIPAL' })
  await updateUser(iago, { user_id: hamlet.id, role: 200 })
  assert.ok((await createUser(caller, account)).user_id)
  await updateUser(iago, { user_id: hamlet.id, role: 400 })
  await assert.rejects(createUser(caller, { ...account, email: 'other@example.com' }), {
    code: 'UNAUTHORIZED_PRINCIPAL',
  })
})

test('a write reads its user inside the transaction', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const [, sent] = await Promise.allSettled([
    iago.write((tx) => deactivateUser(tx, { user_id: hamlet.id })),
    hamlet.write(async () => 'sent'),
  ])
  assert.equal(sent.status, 'rejected')
})

test('the chat object exposes no store, secret or bus', async () => {
  await using w = await world()
  assert.deepEqual(Object.keys(w.chat).sort(), ['clock', 'close', 'openedAt', 'options', 'random'])
})
