import assert from 'node:assert/strict'
import { existsSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { openChat } from '../../src/core/open-chat.ts'
import { command, serve, WorkingFolder } from './in-process.ts'
import { start } from './running.ts'

const init = [
  'init',
  '--db',
  'chat.db',
  '--org',
  'Elsinore',
  '--owner-email',
  'o@example.com',
  '--owner-name',
  'Ophelia',
]

test('init prints one object with credentials that work', async () => {
  using _folder = new WorkingFolder()
  const { code, out, err } = await command([...init, '--owner-password', 'correct horse', '--json'])
  assert.deepEqual([code, err], [0, ''])
  const owner = JSON.parse(out)
  assert.deepEqual(Object.keys(owner), ['email', 'user_id', 'api_key', 'password', 'org'])
  assert.deepEqual([owner.email, owner.password, owner.org], ['o@example.com', 'correct horse', 'Elsinore'])
  await using server = await serve(['--port', '0'])
  const authorization = `Basic ${Buffer.from(`${owner.email}:${owner.api_key}`).toString('base64')}`
  const me = await fetch(`${server.url}/api/v1/users/me`, { headers: { authorization } })
  assert.equal(((await me.json()) as { user_id: number }).user_id, owner.user_id)

  const twice = await command(init)
  assert.deepEqual([twice.code, twice.err], [1, 'chat-server: This database already has an organization\n'])
})

test('init says which value it rejects', async () => {
  using _folder = new WorkingFolder()
  for (const [email, name, message] of [
    ['nobody', 'Nobody', 'Enter a valid email address.'],
    ['n@example.com', 'N', "The owner's name must have at least 2 characters."],
  ] as const) {
    const { code, err } = await command(['init', '--org', 'X', '--owner-email', email, '--owner-name', name])
    assert.deepEqual([code, err], [1, `chat-server: ${message}\n`])
  }
})

for (const live of [false, true]) {
  test(`runs user and backup ${live ? 'in a running server' : 'on the file'}`, async () => {
    using folder = new WorkingFolder()
    assert.equal((await command(init)).code, 0)
    await using server = live ? await serve(['--port', '0']) : undefined
    const json = async (...args: string[]) => {
      const { code, out, err } = await command([...args, '--json'])
      assert.equal(code, 0, err)
      return JSON.parse(out)
    }
    const added = await json('user', 'add', 'h@example.com', '--name', 'Hamlet', '--role', 'moderator')
    assert.equal(added.role, 'moderator')
    assert.equal((await json('user', 'role', 'h@example.com', 'administrator')).role, 'administrator')
    const key = await json('user', 'api-key', 'h@example.com')
    assert.match(key.api_key, /^\w{32}$/)
    assert.notEqual(key.api_key, added.api_key)
    const { api_keys } = await json('user', 'api-key', 'h@example.com', '--list')
    assert.equal(api_keys.length, 2)
    assert.match(
      (await command(['user', 'api-key', 'h@example.com', '--list'])).out,
      /^id +name +created +last used +limits$/m,
    )
    assert.equal((await json('user', 'api-key', 'h@example.com', '--revoke', String(api_keys[0].id))).ended, 1)
    assert.equal((await json('user', 'api-key', 'h@example.com', '--revoke-all')).ended, 1)
    const limits = ['--name', 'Alerts', '--scope', 'send,webhook', '--expires-in-days', '7', '--channels', 'general']
    const limited = await json('user', 'api-key', 'h@example.com', ...limits)
    assert.match(limited.api_key, /^cst_\w{38}$/)
    const { out } = await command(['user', 'api-key', 'h@example.com', '--list'])
    assert.match(out, /Alerts .* send, webhook; channels \d+; until 20\d\d-/)
    const { link } = await json('user', 'password', 'h@example.com', '--link')
    assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/password\?token=\w{32}$/)
    const elsewhere = ['--link', '--public-url', 'https://chat.example.com/']
    assert.match(
      (await json('user', 'password', 'h@example.com', ...elsewhere)).link,
      /^https:\/\/chat\.example\.com\/password\?token=/,
    )
    if (server) {
      const page = await fetch(`${server.url}${new URL(link).pathname}`)
      assert.equal(page.status, 400)
      assert.equal(new URL(link).origin, server.url)
    }
    const { members } = await json('user', 'list')
    const hamlet = members.find((user: { email: string }) => user.email === 'h@example.com')
    assert.deepEqual([hamlet.full_name, hamlet.role], ['Hamlet', 'administrator'])
    assert.match((await command(['user', 'list'])).out, /^id {2}email/)

    const table: [string[], RegExp][] = [
      [['user', 'add', 'h@example.com', '--name', 'Again'], /Email 'h@example\.com' already in use/],
      [['user', 'add', 'x@example.com', '--name', 'Xenia', '--role', 'king'], /Unknown role "king"/],
      [['user', 'role', 'nobody@example.com', 'member'], /No account .* nobody@example\.com/],
      [['user', 'role', 'o@example.com', 'member'], /only organization owner/],
      [['user', 'api-key', 'nobody@example.com'], /No account/],
      [['user', 'api-key', 'h@example.com', '--revoke', '77'], /has no API key 77/],
      [['user', 'list', '--db', 'other.db'], /other\.db does not exist/],
    ]
    for (const [args, message] of table) {
      const { code, err } = await command(args)
      assert.equal(code, 1, args.join(' '))
      assert.match(err, message)
      assert.equal(err.trim().split('\n').length, 1)
    }

    const copied = await command(['backup', 'copy.db'])
    assert.deepEqual([copied.code, copied.err], [0, ''])
    assert.equal((await command(['backup', 'copy.db'])).code, 1)
    await using chat = await openChat({ db: join(folder.path, 'copy.db') })
    assert.equal(
      (await storeOf(chat).db.selectFrom('user').select('id').where('email', '=', 'h@example.com').execute()).length,
      1,
    )
  })
}

test('doctor passes a healthy database and then reports each problem', async () => {
  using folder = new WorkingFolder()
  assert.equal((await command(['doctor'])).code, 1)
  await command(init)
  const well = await command(['doctor'])
  assert.equal(well.code, 0, well.out + well.err)
  assert.match(well.out, /^ok +integrity: ok$/m)
  {
    await using _ = await serve(['--port', '0'])
    const live = await command(['doctor', '--json'])
    assert.deepEqual([live.code, JSON.parse(live.out).ok], [0, true])
  }
  renameSync(join(folder.path, 'chat.db.secret'), join(folder.path, 'elsewhere'))
  const ill = await command(['doctor'])
  assert.equal(ill.code, 1)
  assert.match(ill.out, /^FAILED {2,}secret: chat\.db\.secret is missing/m)
  assert.equal(existsSync(join(folder.path, 'chat.db.secret')), false)
})

test('starts after the previous server was killed', async () => {
  using folder = new WorkingFolder()
  await command(init)
  {
    await using server = await start(folder, ['--port', '0'])
    const socket = join(folder.path, 'chat.db.sock')
    assert.equal(statSync(socket).mode & 0o777, 0o600)
    server.process.kill('SIGKILL')
    await server.ended
    assert.ok(existsSync(socket))
  }
  assert.equal((await command(['user', 'list'])).code, 0)
  await using again = await serve(['--port', '0'])
  assert.equal((await command(['user', 'list'])).code, 0)
  assert.deepEqual(again.warnings(), [])
})

test('prints help to stdout with exit code 0, and to stderr with 1 for incomplete commands', async () => {
  const table: [args: string[], code: number, expected: RegExp][] = [
    [['help'], 0, /^Usage: chat-server /],
    [['help', 'serve'], 0, /^Usage: chat-server serve /],
    [['user', 'add', '--help'], 0, /^Usage: chat-server user add /],
    [['--version'], 0, /^\d+\.\d+\.\d+\S*\n$/],
    [['user'], 1, /^Usage: chat-server user /],
    [['user', 'role', 'o@example.com'], 1, /^error: missing required argument 'role'\n\(see chat-server --help\)\n$/],
    [['init', '--org', 'Elsinore'], 1, /^error: required option '--owner-email <email>' not specified\n/],
  ]
  for (const [args, code, expected] of table) {
    const ended = await command(args)
    assert.deepEqual([args, ended.code], [args, code])
    assert.match(code === 0 ? ended.out : ended.err, expected)
    assert.equal(code === 0 ? ended.err : ended.out, '')
  }
})

test('help lists the commands that work while the server runs', async () => {
  const { out } = await command(['help'])
  const groups = out
    .split('\n\n')
    .map((part) => [part.split('\n')[0], [...part.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name)])
  assert.deepEqual(Object.fromEntries(groups.slice(3, 6)), {
    'Serving:': ['serve'],
    'Commands that need the server to be stopped:': ['init', 'restore', 'copy'],
    'Commands that also work while the server runs:': [
      'user',
      'undelete',
      'mail',
      'ldap',
      'org',
      'audit',
      'export',
      'import',
      'backup',
      'doctor',
    ],
  })
})

test('org get prints settings and org set changes one', async () => {
  using _folder = new WorkingFolder()
  await command(init)
  assert.equal((await command(['org', 'get', 'name'])).out, 'name "Elsinore"\n')
  assert.match((await command(['org', 'get'])).out, /^name "Elsinore"$/m)
  assert.equal((await command(['org', 'set', 'name', 'Wittenberg'])).out, 'name "Wittenberg"\n')
  const unknown = await command(['org', 'get', 'nothing'])
  assert.deepEqual(
    [unknown.code, unknown.err],
    [1, 'chat-server: Unknown setting "nothing". Run "chat-server org get" to list all settings\n'],
  )
  assert.equal((await command(['org', 'name'])).code, 1)
})
