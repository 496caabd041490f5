import assert from 'node:assert/strict'
import test from 'node:test'
import { type CommandName, runCommand } from '../../src/admin/commands.ts'
import { authenticate, fetchApiKey, getMessages, isChatError, sendMessage } from '../../src/index.ts'
import { world } from '../../src/testing/index.ts'

async function scene() {
  const w = await world()
  const command = (name: CommandName, args: object = {}) =>
    runCommand(w.chat, name, args, () => {}) as Promise<Record<string, never>>
  const refused = (name: CommandName, args: object, message: RegExp) =>
    assert.rejects(command(name, args), (error) => isChatError(error) && message.test(error.message))
  return { w, command, refused, ...w.people, [Symbol.asyncDispose]: () => w[Symbol.asyncDispose]() }
}

test('a reset password signs in, and the old one and its keys stop working', async () => {
  await using s = await scene()
  const { password } = await s.command('resetPassword', { email: s.hamlet.email })
  assert.equal(await authenticate(s.w.chat, s.hamlet.email, s.hamlet.key), undefined)
  const signIn = (word: string) => fetchApiKey(s.iago, { username: s.hamlet.email, password: word })
  await assert.rejects(signIn(s.hamlet.password), /incorrect/)
  assert.ok((await signIn(password!)).api_key)
  await s.refused('resetPassword', { email: s.hamlet.email, password: '123' }, /at least 6 characters/)
  await s.refused('resetPassword', { email: 'nobody@example.com' }, /No account/)
})

test('lists API keys without their values and revokes one or all', async () => {
  await using s = await scene()
  const { email, id } = s.hamlet
  const { api_key } = await s.command('newKey', { email, name: 'phone' })
  const list = async () =>
    ((await s.command('listKeys', { email })) as unknown as { api_keys: { id: number; name: string }[] }).api_keys
  const [first, phone] = await list()
  assert.deepEqual(
    [phone!.name, Object.keys(phone!)],
    ['phone', ['id', 'name', 'created_at', 'last_used_at', 'last_address', 'kind', 'expires_at', 'scopes', 'channels']],
  )
  assert.deepEqual(await s.command('endKeys', { email, key_id: phone!.id }), { user_id: id, email, ended: 1 })
  assert.equal(await authenticate(s.w.chat, email, api_key!), undefined)
  assert.deepEqual(await list(), [first])
  await s.refused('endKeys', { email, key_id: phone!.id }, /has no API key/)
  await s.refused('endKeys', { email: s.iago.email, key_id: first!.id }, /has no API key/)
  assert.equal((await s.command('endKeys', { email })).ended, 1)
  assert.equal(await authenticate(s.w.chat, email, s.hamlet.key), undefined)
  assert.equal((await s.command('endKeys', { email })).ended, 0)
  await s.refused('listKeys', { email: 'nobody@example.com' }, /No account/)
})

test('creates password links only for people with an active account', async () => {
  await using s = await scene()
  const { email } = s.hamlet
  const link = await s.command('passwordLink', { email })
  assert.match(link.path!, /^\/password\?token=\w{32}$/)
  assert.equal(link.expires_at! - Math.floor(s.w.clock.now() / 1000), 24 * 3600)
  await s.command('addBot', { email: 'b@example.com', name: 'Ben', role: 'member' })
  await s.refused('passwordLink', { email: 'b@example.com' }, /is a bot/)
  await s.command('setActive', { email, active: false })
  await s.refused('passwordLink', { email }, /deactivated/)
})

test('creates a bot with a key and an owner but no password', async () => {
  await using s = await scene()
  const bot = await s.command('addBot', { email: 'b@example.com', name: 'Ben', role: 'member', owner: s.hamlet.email })
  assert.equal((await authenticate(s.w.chat, 'b@example.com', bot.api_key!))?.user.bot_owner_id, s.hamlet.id)
  await s.refused('resetPassword', { email: 'b@example.com' }, /is a bot/)
  const args = { email: 'c@example.com', name: 'Cat', role: 'member', owner: 'nobody@example.com' }
  await s.refused('addBot', args, /No account/)
})

test('deactivates, reactivates and renames accounts', async () => {
  await using s = await scene()
  const { email } = s.hamlet
  await s.command('setActive', { email, active: false })
  await assert.rejects(s.hamlet.says('still here'), { code: 'USER_DEACTIVATED' })
  await s.refused('setActive', { email, active: false }, /already deactivated/)
  await s.command('setActive', { email, active: true })
  await s.hamlet.says('back')
  await s.command('rename', { email, name: 'Prince Hamlet' })
  const { messages } = await getMessages(s.cordelia, { anchor: 'newest', num_before: 1, num_after: 0 })
  assert.equal((messages[0] as { sender_full_name: string }).sender_full_name, 'Prince Hamlet')
  await s.refused('rename', { email, name: 'x' }, /Name too short/)
  await s.refused('setActive', { email: s.iago.email, active: false }, /only organization owner|only user/)
})

test('creates many accounts together', async () => {
  await using s = await scene()
  const reports: string[] = []
  const users = Array.from({ length: 12 }, (_, i) => ({ email: `u${i}@example.com`, name: `User ${i}`, role: 'guest' }))
  const made = await runCommand(s.w.chat, 'addUsers', { users }, (progress) => void reports.push(progress))
  assert.ok('users' in made)
  assert.deepEqual(reports, ['10 of 12 passwords hashed'])
  assert.ok((await fetchApiKey(s.iago, { username: 'u3@example.com', password: made.users[3]!.password })).api_key)
})

test('creates no accounts when any is invalid, and reports every reason', async () => {
  await using s = await scene()
  const users = [
    { email: 'fine@example.com', name: 'Fine' },
    { email: 'king@example.com', name: 'King', role: 'king' },
    { email: 'FINE@example.com', name: 'Again' },
    { email: 'no address', name: 'Xenia' },
    { name: 'No address at all' },
    { email: 'short@example.com', name: 'Short', password: '123' },
  ]
  const { errors } = (await s.command('addUsers', { users })) as unknown as { errors: { index: number }[] }
  assert.deepEqual(
    errors.map(({ index }) => index),
    [1, 2, 3, 4, 5],
  )
  // Errors that only the database detects occur in the write, which is rolled back.
  const late = [users[0]!, { email: s.hamlet.email, name: 'Hamlet' }]
  assert.deepEqual(await s.command('addUsers', { users: late }), {
    errors: [{ index: 1, message: `Email '${s.hamlet.email}' already in use` }],
  })
  const { members } = (await s.command('listUsers')) as unknown as { members: { email: string }[] }
  assert.equal(members.filter(({ email }) => email === 'fine@example.com').length, 0)
  const many = Array.from({ length: 2001 }, (_, i) => ({ email: `u${i}@example.com`, name: `User ${i}` }))
  await s.refused('addUsers', { users: many }, /at most 2000/)
})

test('reads and changes settings as typed', async () => {
  await using s = await scene()
  const set = (name: string, value: string) => s.command('setSetting', { name, value })
  const policy = { name: 'topics_policy', value: 'disable_empty_topic' }
  assert.deepEqual(await set(policy.name, policy.value), policy)
  assert.deepEqual(await set('invite_required', 'true'), { name: 'invite_required', value: true })
  await assert.rejects(sendMessage(s.hamlet, { type: 'stream', to: 'general', topic: '', content: 'x' }), /not allowed/)
  assert.deepEqual(await set('name', '42'), { name: 'name', value: '42' })
  assert.deepEqual(await set('can_create_groups', 'role:moderators'), {
    name: 'can_create_groups',
    value: 'role:moderators',
  })
  const settings = await s.command('getSettings')
  assert.deepEqual(
    [settings.topics_policy, settings.name, settings.can_create_groups],
    ['disable_empty_topic', '42', 'role:moderators'],
  )
  await s.refused('setSetting', { name: 'presence_disabled', value: 'perhaps' }, /not a boolean/)
  await s.refused('setSetting', { name: 'nonsense', value: '1' }, /Unknown setting "nonsense"/)
})
