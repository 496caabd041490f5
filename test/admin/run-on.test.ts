import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { runOn } from '../../src/admin/run-on.ts'
import { listenForCommands } from '../../src/admin/socket.ts'
import { authenticate, openChat } from '../../src/index.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

const owner = { org: 'Elsinore', owner_email: 'o@example.com', owner_name: 'Ophelia' }
const person = { email: 'ann@example.com', name: 'Ann', role: 'member' }

test('runs on the file while it is closed, and in the process that has it open', async () => {
  using folder = new TemporaryFolder()
  const file = join(folder.path, 'chat.db')
  await assert.rejects(runOn(file, 'listUsers', {}), /does not exist. Run "chat-server init" to create it/)
  assert.ok(!existsSync(file), 'a wrong path creates no database')
  await runOn(file, 'init', owner, { create: true })
  const added = await runOn(file, 'addUser', person)
  {
    await using chat = await openChat({ db: file })
    await using _ = await listenForCommands(chat)
    assert.ok(await authenticate(chat, person.email, added.api_key))
    await runOn(file, 'changeRole', { email: person.email, role: 'moderator' })
    const { api_key } = await runOn(file, 'newKey', { email: person.email })
    assert.equal((await authenticate(chat, person.email, api_key))?.user.role, 300)
  }
  const { members } = await runOn(file, 'listUsers', {})
  assert.deepEqual(
    members.filter((member) => member.email === person.email).map(({ full_name, role }) => [full_name, role]),
    [['Ann', 'moderator']],
  )
})

test('backs up the whole database, with the secret only on request', async () => {
  using folder = new TemporaryFolder()
  const [file, first, second] = ['chat.db', 'a.db', 'b.db'].map((name) => join(folder.path, name)) as [
    string,
    ...string[],
  ]
  const { api_key } = await runOn(file, 'init', owner, { create: true })
  assert.deepEqual(await runOn(file, 'backup', { file: first!, secret: false }), { file: first, secret: null })
  assert.ok(!existsSync(`${first}.secret`))
  const copied = await runOn(file, 'backup', { file: second!, secret: true })
  assert.deepEqual(copied, { file: second, secret: `${second}.secret` })
  await using chat = await openChat({ db: second! })
  assert.ok(await authenticate(chat, owner.owner_email, api_key), 'with the secret the keys work')
})
