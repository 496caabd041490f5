import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { run, start } from '../bin/running.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { borrowDatabase, needsServer } from './nodes.ts'

const PASSWORD = 'never-to-be-shown'

test('commands work while a node serves and reveal no password', needsServer, async () => {
  await using database = await borrowDatabase()
  using folder = new TemporaryFolder()
  const address = new URL(database.url)
  address.password = PASSWORD
  const env = { CHAT_DB: address.href }
  async function command(...args: string[]) {
    const ended = await run(folder, args, env)
    assert.doesNotMatch(ended.out + ended.err, new RegExp(PASSWORD), args.join(' '))
    return ended
  }
  async function succeeds(...args: string[]) {
    const { code, out, err } = await command(...args)
    assert.deepEqual([code, err], [0, ''], args.join(' '))
    return out
  }
  async function isRefused(message: RegExp, ...args: string[]) {
    const { code, err } = await command(...args)
    assert.equal(code, 1, args.join(' '))
    assert.match(err, message)
    assert.equal(err.trim().split('\n').length, 1)
  }

  const init = ['init', '--org', 'Elsinore', '--owner-email', 'o@example.com', '--owner-name', 'Ophelia']
  const owner = JSON.parse(await succeeds(...init, '--json'))
  await isRefused(/already has an organization/, ...init)

  await using node = await start(folder, ['--port', '0'], env)
  const asOwner = (path: string) => {
    const authorization = `Basic ${Buffer.from(`${owner.email}:${owner.api_key}`).toString('base64')}`
    return fetch(`${node.url}/api/v1${path}`, { headers: { authorization } })
  }
  assert.equal(((await (await asOwner('/users/me')).json()) as { user_id: number }).user_id, owner.user_id)

  await succeeds('user', 'add', 'h@example.com', '--name', 'Hamlet', '--role', 'moderator')
  await succeeds('user', 'role', 'h@example.com', 'administrator')
  const { members } = JSON.parse(await succeeds('user', 'list', '--json'))
  assert.deepEqual(
    members.map(({ email, role }: { email: string; role: string }) => [email, role]),
    [
      ['o@example.com', 'owner'],
      ['h@example.com', 'administrator'],
    ],
  )
  await isRefused(/already in use/, 'user', 'add', 'h@example.com', '--name', 'Again')
  const found = (await (await asOwner('/users')).json()) as { members: { full_name: string }[] }
  assert.ok(found.members.some(({ full_name }) => full_name === 'Hamlet'))

  const findings = await command('doctor')
  assert.match(findings.out, /^ok +encoding: UTF8$/m)
  assert.match(findings.out, /^ok +organization: active$/m)
  assert.match(await succeeds('export', 'all.tar.gz'), /^Exported all data of postgres:\/\/chat@/)
  assert.ok(existsSync(join(folder.path, 'all.tar.gz')))

  for (const args of [
    ['backup', 'copy.db'],
    ['backup', 'copies', '--every', '1h'],
    ['restore', 'copy.db'],
  ]) {
    await isRefused(/is not a file: /, ...args)
  }
  assert.deepEqual(node.warnings(), [])
})
