import assert from 'node:assert/strict'
import test from 'node:test'
import { command, serve, WorkingFolder } from './in-process.ts'

const linkIn = (out: string) => /^\s+(http:\S+\/set-up\?token=\S+)$/m.exec(out)?.[1]
const fields = {
  organization: 'Elsinore',
  full_name: 'Gertrude',
  email: 'gertrude@example.com',
  password: 'correct horse',
  password_again: 'correct horse',
}
const use = (link: string) => fetch(link, { method: 'POST', body: new URLSearchParams(fields) })
const tokenOf = (link: string | undefined) => new URL(link!).searchParams.get('token')

test('prints the setup link on every start until it is used, and never logs it', async () => {
  using _ = new WorkingFolder()
  const first = await serve(['--port', '0'])
  const link = linkIn(first.out())!
  assert.ok(link.startsWith(`${first.url}/set-up?token=`))
  assert.match(first.out(), /The link works once\..*Email +owner@localhost/s)
  await first.stop()
  assert.ok(first.log().some(({ msg }) => /not set up yet/.test(msg)))
  assert.equal(first.err().includes(tokenOf(link)!), false)

  await using second = await serve(['--port', '0', '--log-requests'])
  const again = linkIn(second.out())!
  assert.deepEqual([tokenOf(again), second.out().includes('Email ')], [tokenOf(link), false])
  const printed = await command(['org', 'set-up', '--json'])
  assert.deepEqual(JSON.parse(printed.out), { link: again })
  assert.equal((await use(again)).status, 200)
  const login = new URLSearchParams({ username: fields.email, password: fields.password })
  assert.equal((await fetch(`${second.url}/api/v1/fetch_api_key`, { method: 'POST', body: login })).status, 200)
  assert.equal((await use(again)).status, 400)
  assert.equal(second.err().includes(tokenOf(link)!), false)
  const none = await command(['org', 'set-up'])
  assert.deepEqual([none.code, none.out], [1, ''])
  assert.match(none.err, /already set up/)
  await second.stop()

  await using third = await serve(['--port', '0', '--public-url', 'https://chat.example.com'])
  assert.equal(third.out(), `chat-server listening on ${third.url}\n`)
})

test('prefixes the setup link with the public address, and init prints none', async () => {
  {
    using _ = new WorkingFolder()
    await using server = await serve(['--port', '0', '--public-url', 'https://chat.example.com/'])
    assert.match(server.out(), /^ {2}https:\/\/chat\.example\.com\/set-up\?token=[\w-]{43}$/m)
  }
  using _ = new WorkingFolder()
  const made = await command(['init', '--org', 'o', '--owner-email', 'o@example.com', '--owner-name', 'Olga'])
  assert.doesNotMatch(made.out, /set-up/)
  await using named = await serve(['--port', '0'])
  assert.equal(named.out(), `chat-server listening on ${named.url}\n`)
})
