import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import test, { type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { TemporaryFolder } from '../temporary-folder.ts'
import { commandFile } from './running.ts'

interface Ready {
  url: string
  set_up_url?: string
  metrics_url?: string
  accounts: {
    user_id: number
    email: string
    full_name: string
    role: string
    api_key: string
    password?: string
  }[]
}

/** Starts `serve --json` with a pipe as its standard input, and reads the object that it prints. */
async function ready(t: TestContext, folder: TemporaryFolder, args: string[]) {
  const child = spawn(process.execPath, [commandFile, 'serve', '--json', '--port', '0', ...args], { cwd: folder.path })
  child.stderr.resume()
  const ended = endOf(child)
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => void lines.push(line))
  const answer = await new Promise<Ready>((resolve, reject) => {
    reader.once('line', (line) => resolve(JSON.parse(line)))
    void ended.then((code) => reject(new Error(`ended with ${code}`)))
  })
  return { answer, lines, child, ended }
}

const endOf = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('close', resolve))

async function ownUser(url: string, { email, api_key }: Ready['accounts'][number]) {
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`
  return (await (await fetch(`${url}/api/v1/users/me`, { headers: { authorization } })).json()) as Ready['accounts'][0]
}

test('serve --dev --json prints one object with accounts and keys and stops on SIGTERM', async (t) => {
  using folder = new TemporaryFolder()
  const { answer, lines, child, ended } = await ready(t, folder, ['--dev', '--db', ':memory:', '--metrics-port', '0'])
  assert.deepEqual(Object.keys(answer), ['url', 'metrics_url', 'accounts'])
  assert.equal((await fetch(answer.metrics_url!)).status, 200)
  const roles = Object.fromEntries(answer.accounts.map(({ email, role }) => [email, role]))
  assert.equal(answer.accounts.length, 10)
  assert.equal(roles['desdemona@zulip.com'], 'owner')
  assert.equal(roles['iago@zulip.com'], 'administrator')
  assert.equal(roles['shiva@zulip.com'], 'moderator')
  assert.equal(roles['polonius@zulip.com'], 'guest')
  for (const account of answer.accounts) {
    const { user_id, full_name } = await ownUser(answer.url, account)
    assert.deepEqual([user_id, full_name], [account.user_id, account.full_name])
  }
  const body = new URLSearchParams({ username: 'desdemona@zulip.com', password: answer.accounts[0]!.password! })
  assert.equal((await fetch(`${answer.url}/api/v1/fetch_api_key`, { method: 'POST', body })).status, 200)
  assert.deepEqual(
    answer.accounts.filter(({ password }) => password !== undefined).map(({ role }) => role),
    ['owner'],
  )
  // Its standard input may close: only --stop-with-stdin ends it then.
  child.stdin!.end()
  assert.equal((await fetch(`${answer.url}/health`)).status, 200)
  child.kill('SIGTERM')
  assert.deepEqual([await ended, lines.length], [0, 1])
})

test('serve --json prints the owner on the first start and only the address afterwards', async (t) => {
  using folder = new TemporaryFolder()
  const first = await ready(t, folder, [])
  const [owner] = first.answer.accounts
  assert.equal(owner!.role, 'owner')
  assert.equal((await ownUser(first.answer.url, owner!)).user_id, owner!.user_id)
  assert.ok(first.answer.set_up_url!.startsWith(`${first.answer.url}/set-up?token=`))
  first.child.kill('SIGTERM')
  await first.ended
  const second = await ready(t, folder, ['--public-url', 'https://example.com/chat'])
  assert.match(second.answer.url, /^http:\/\/127\.0\.0\.1:\d+\/chat$/)
  assert.match(second.answer.set_up_url!, /^https:\/\/example\.com\/chat\/set-up\?token=/)
  assert.deepEqual(second.answer.accounts, [])
  assert.equal((await fetch(`${second.answer.url}/health`)).status, 200)
  assert.equal((await fetch(second.answer.url.replace('/chat', '/api/v1/server_settings'))).status, 404)
})

test('--stop-with-stdin stops the server when standard input closes', async (t) => {
  using folder = new TemporaryFolder()
  const { child, ended } = await ready(t, folder, ['--dev', '--db', ':memory:', '--stop-with-stdin'])
  child.stdin!.end()
  assert.equal(await ended, 0)
})

const examples = fileURLToPath(new URL('../../examples/testing/', import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0

test('the Python example passes', { skip: !hasPython && 'python3 is not installed' }, () => {
  const env = { ...process.env, CHAT_SERVER: `'${process.execPath}' '${commandFile}'` }
  const options = { env, cwd: `${examples}python`, encoding: 'utf8', timeout: 60_000 } as const
  const { status, stderr } = spawnSync('python3', ['-B', '-m', 'unittest', 'test_bot.py'], options)
  assert.equal(status, 0, stderr)
  assert.match(stderr, /Ran 1 test/)
})

test('docs/guide/other-languages.md matches the example files', () => {
  const page = readFileSync(new URL('../../docs/guide/other-languages.md', import.meta.url), 'utf8')
  for (const [language, file] of [
    ['python', 'python/test_bot.py'],
    ['go', 'go/bot_test.go'],
  ]) {
    const text = readFileSync(examples + file, 'utf8')
    assert.ok(page.includes(`\`\`\`${language} file=examples/testing/${file}\n${text}\`\`\``), file)
  }
})
