// `npm run try:executable` builds the single executable and uses it in a system that has nothing else: no Node.js, no
// npm, no shell. `npm run try:executable -- FILE` uses one that is built already.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { eventually } from '../../test/eventually.ts'
import { type CleanRoot, cleanRoot } from './clean-root.ts'
import { ADDON_ASSET } from './executable/assets.ts'
import { buildExecutable } from './executable.ts'

const DB = ['--db', '/data/chat.db']

/** Tries everything in the executable that differs from the package. Throws at the first thing that does not work. */
export async function tryExecutable(file: string): Promise<void> {
  using root = cleanRoot(file)
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  assert.equal(succeed(root, '--version'), `${version}\n`)
  const init = ['init', '--org', 'Alone', '--owner-email', 'o@example.com', '--owner-name', 'Owner', '--json']
  const owner = JSON.parse(succeed(root, ...init, ...DB)) as Owner
  assert.match(succeed(root, 'doctor', ...DB), /To add it, run: npm install --prefix \/opt\/chat sharp$/m)

  const first = await serve(root)
  const api = apiOf(first.url, owner)
  await tryPage(first.url)
  await tryMarkup(api)
  await trySearch(api)
  await tryLateParts(first)
  tryThread(root, first)
  const image = await sendImage(api)
  assert.match((await api.get(`/messages/${image}`)).message.content, /<img /)
  writeFileSync(join(root.folder, 'data/users.csv'), 'email,name\nb@example.com,Bea\n')
  succeed(root, 'user', 'add', '--from', '/data/users.csv', ...DB)
  succeed(root, 'backup', '/data/backup.db', ...DB)
  const { id } = await api.post('/messages', { ...TO, content: 'sent after the backup' })
  await first.kill()

  root.addPackage('sharp')
  const second = await serve(root)
  const again = apiOf(second.url, owner)
  assert.match((await again.get(`/messages/${id}`)).message.content, /sent after the backup/)
  const smaller = await sendImage(again)
  await eventually('the smaller copy is shown', async () =>
    /src="\/user_uploads\/thumbnail\/[^"]*\.webp"/.test((await again.get(`/messages/${smaller}`)).message.content),
  )
  assert.match(succeed(root, 'doctor', ...DB), /images: sharp creates thumbnails/)
  await second.stop()
  succeed(root, 'restore', '/data/backup.db', '--force', ...DB)
  const third = await serve(root)
  const restored = apiOf(third.url, owner)
  assert.equal((await restored.get(`/messages/${id}`)).result, 'error')
  assert.match(JSON.stringify(await restored.get('/users')), /"Bea"/)
  await third.stop()
  assert.deepEqual(readdirSync(join(root.folder, 'tmp')), [])
  console.log('ok  images, kill -9, backup and restore')

  tryPostgres(root)
  tryTemporaryFolders(root)
}

interface Owner {
  email: string
  api_key: string
}

const TO = { type: 'stream', to: 'general', topic: 'alone' }

function succeed(root: CleanRoot, ...args: string[]): string {
  const { status, output } = root.run(args)
  assert.equal(status, 0, `${args.join(' ')}: ${output}`)
  return output
}

/** Tests the sign-in page and the compressed files that it names. */
async function tryPage(url: string): Promise<void> {
  const page = await (await fetch(url)).text()
  const paths = [...page.matchAll(/(?:src|href)="\.(\/web\/[^"]+)"/g)].map(([, path]) => path!)
  assert.ok(paths.length >= 2, page)
  for (const path of paths) {
    const file = await fetch(url + path, { headers: { 'accept-encoding': 'br' } })
    assert.deepEqual([file.status, file.headers.get('content-encoding')], [200, 'br'], path)
    assert.ok((await file.text()).length > 0)
  }
  console.log('ok  the page')
}

/** Tests what is loaded with the first code block, the first formula and the first address without a scheme. */
async function tryMarkup(api: Api): Promise<void> {
  const content = '```js\nconst a = 1\n```\n\n$$x^2$$\n\nsee example.museum'
  const { id } = await api.post('/messages', { ...TO, content })
  const { message } = await api.get(`/messages/${id}`)
  assert.match(message.content, /<div class="codehilite" data-code-language="JavaScript">.*<span class="/s)
  assert.match(message.content, /<span class="katex">.*<math/s)
  assert.match(message.content, /<a href="http:\/\/example\.museum">/)
  console.log('ok  code blocks, formulas and links')
}

async function trySearch(api: Api): Promise<void> {
  const { id } = await api.post('/messages', { ...TO, content: 'a needle in the haystack' })
  const narrow = JSON.stringify([{ operator: 'search', operand: 'needle' }])
  const { messages } = await api.get(
    `/messages?anchor=newest&num_before=5&num_after=0&narrow=${encodeURIComponent(narrow)}`,
  )
  assert.deepEqual(
    messages.map((message) => message.id),
    [id],
  )
  console.log('ok  search')
}

/** Tests parts of the program that are loaded on first use. */
async function tryLateParts({ url, metrics }: Server): Promise<void> {
  const described = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as { openapi: unknown }
  assert.equal(typeof described.openapi, 'string')
  assert.match(await (await fetch(metrics)).text(), /^process_cpu_seconds_total /m)
  console.log('ok  the API document and metrics')
}

/** An export reads in a thread of its own, which must share the driver of the main thread. */
function tryThread(root: CleanRoot, server: Server): void {
  succeed(root, 'export', '/data/export.tar.gz', ...DB)
  assert.ok(existsSync(join(root.folder, 'data/export.tar.gz')))
  const maps = readFileSync(`/proc/${server.pid}/maps`, 'utf8').split('\n')
  const inodes = maps.filter((line) => line.includes(ADDON_ASSET)).map((line) => line.split(/\s+/)[4])
  assert.equal(new Set(inodes).size, 1, 'the driver is loaded once')
  console.log('ok  the thread for snapshots')
}

/** Sends an image of 300 × 200 pixels. Returns the message's id. */
async function sendImage(api: Api): Promise<number> {
  const picture = sharp({ create: { width: 300, height: 200, channels: 3, background: '#336699' } })
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(await picture.png().toBuffer())], { type: 'image/png' }), 'it.png')
  const { url } = await api.post('/user_uploads', form)
  const { id } = await api.post('/messages', { ...TO, content: `[it](${url})` })
  return id
}

/** PostgreSQL's driver is a package beside the executable, like sharp. */
function tryPostgres(root: CleanRoot): void {
  const serving = () => root.run(['serve', '--port', '0', '--db', 'postgres://nobody@127.0.0.1:1/none']).output
  assert.match(serving(), /^chat-server: PostgreSQL needs the package "pg".*: npm install --prefix \/opt\/chat pg$/m)
  root.addPackage('pg')
  assert.match(serving(), /cannot be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\)/)
  console.log('ok  the driver of PostgreSQL beside it')
}

/** If no folder allows loading a library, the executable says so and doesn't crash. */
function tryTemporaryFolders(root: CleanRoot): void {
  for (const [tmp, problem] of [
    ['noexec', /\/tmp: .*failed to map segment/],
    ['ro', /\/tmp: EROFS/],
  ] as const) {
    const { status, output } = root.run(['serve', '--port', '0', ...DB], { tmp })
    assert.equal(status, 1)
    assert.match(output, /^chat-server: The SQLite driver can't be loaded from a temporary folder .* Set TMPDIR to a /)
    assert.match(output, problem)
    assert.equal(root.run(['doctor', ...DB], { tmp, env: { TMPDIR: '/data' } }).status, 0)
  }
  console.log('ok  temporary folders that are read-only or mounted with noexec')
}

interface Server {
  readonly url: string
  readonly metrics: string
  readonly pid: number
  kill(): Promise<void>
  /** Stops the server. Throws unless it exits with 0. */
  stop(): Promise<void>
}

async function serve(root: CleanRoot): Promise<Server> {
  const child = root.start(['serve', '--no-rate-limit', '--port', '0', '--metrics-port', '0', ...DB])
  const ended = once(child, 'exit')
  child.stderr.resume()
  let output = ''
  for await (const line of createInterface({ input: child.stdout })) {
    output += `${line}\n`
    const url = /^chat-server listening on (\S+)$/.exec(line)?.[1]
    if (url === undefined) continue
    return {
      url,
      metrics: /^metrics on (\S+)$/m.exec(output)![1]!,
      pid: child.pid!,
      async kill() {
        child.kill('SIGKILL')
        await ended
      },
      async stop() {
        child.kill('SIGTERM')
        const [code] = await ended
        assert.equal(code, 0)
      },
    }
  }
  throw new Error(`the executable ended before it listened:\n${output}`)
}

/** The members of answers that are read here. */
interface Answer {
  result: string
  id: number
  url: string
  message: { content: string }
  messages: { id: number }[]
}

interface Api {
  get(path: string): Promise<Answer>
  post(path: string, params: Record<string, string> | FormData): Promise<Answer>
}

function apiOf(url: string, { email, api_key }: Owner): Api {
  const headers = { authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}` }
  const call = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${url}/api/v1${path}`, { headers, ...init })
    const text = await response.text()
    assert.ok(response.status < 500, `${path}: ${text}`)
    return JSON.parse(text) as Answer
  }
  return {
    get: (path) => call(path),
    post: (path, params) =>
      call(path, { method: 'POST', body: params instanceof FormData ? params : new URLSearchParams(params) }),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = mkdtempSync(join(tmpdir(), 'chat-server-try-'))
  try {
    const file = process.argv[2] ?? join(folder, 'chat-server')
    if (process.argv[2] === undefined) await buildExecutable(file)
    await tryExecutable(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
