import assert from 'node:assert/strict'
import test from 'node:test'
import { TemporaryFolder } from '../temporary-folder.ts'
import { run, start } from './running.ts'

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

test('the first start prints a link to set up by, each start prints it again until it is used, and no log has it', async () => {
  using folder = new TemporaryFolder()
  const first = await start(folder, ['--port', '0'])
  const link = linkIn(first.out())!
  assert.ok(link.startsWith(`${first.url}/set-up?token=`))
  assert.match(first.out(), /The link works once\..*E-mail +owner@localhost/s)
  first.process.kill('SIGTERM')
  await first.ended
  assert.ok(first.log().some(({ msg }) => /not set up yet/.test(msg)))
  assert.equal(first.err().includes(tokenOf(link)!), false)

  await using second = await start(folder, ['--port', '0', '--log-requests'])
  const again = linkIn(second.out())!
  assert.deepEqual([tokenOf(again), second.out().includes('E-mail')], [tokenOf(link), false])
  const command = await run(folder, ['org', 'set-up', '--json'])
  assert.deepEqual(JSON.parse(command.out), { link: again })
  assert.equal((await use(again)).status, 200)
  const login = new URLSearchParams({ username: fields.email, password: fields.password })
  assert.equal((await fetch(`${second.url}/api/v1/fetch_api_key`, { method: 'POST', body: login })).status, 200)
  assert.equal((await use(again)).status, 400)
  assert.equal(second.err().includes(tokenOf(link)!), false)
  const none = await run(folder, ['org', 'set-up'])
  assert.deepEqual([none.code, none.out], [1, ''])
  assert.match(none.err, /set up already/)
  second.process.kill('SIGTERM')
  await second.ended

  await using third = await start(folder, ['--port', '0', '--public-url', 'https://chat.example.com'])
  assert.equal(third.out(), `chat-server listening on ${third.url}\n`)
})

test('the link begins with the public address, and an organization that init made has none', async () => {
  using folder = new TemporaryFolder()
  await using server = await start(folder, ['--port', '0', '--public-url', 'https://chat.example.com/'])
  assert.match(server.out(), /^ {2}https:\/\/chat\.example\.com\/set-up\?token=[\w-]{43}$/m)

  using other = new TemporaryFolder()
  const made = await run(other, ['init', '--org', 'o', '--owner-email', 'o@example.com', '--owner-name', 'Olga'])
  assert.doesNotMatch(made.out, /set-up/)
  await using named = await start(other, ['--port', '0'])
  assert.equal(named.out(), `chat-server listening on ${named.url}\n`)
})
