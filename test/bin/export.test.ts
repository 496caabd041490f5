import assert from 'node:assert/strict'
import { createReadStream, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { openArchive } from '../../src/import/archive/open.ts'
import { readArchive } from '../organization/exports/read-archive.ts'
import { command, serve, WorkingFolder } from './in-process.ts'

const init = ['init', '--org', 'Elsinore', '--owner-email', 'o@example.com', '--owner-name', 'Ophelia', '--json']

/** Sends a message in a public stream, one in a private stream and one to oneself, each with its own words. */
async function talk(url: string, { user_id, api_key }: { user_id: number; api_key: string }): Promise<void> {
  const authorization = `Basic ${Buffer.from(`o@example.com:${api_key}`).toString('base64')}`
  const post = async (path: string, params: Record<string, string>) => {
    const body = new URLSearchParams(params)
    const answer = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers: { authorization }, body })
    assert.equal(answer.status, 200, await answer.text())
  }
  await post('/users/me/subscriptions', { subscriptions: '[{"name":"hall"}]' })
  await post('/users/me/subscriptions', { subscriptions: '[{"name":"attic"}]', invite_only: 'true' })
  await post('/messages', { type: 'stream', to: 'hall', topic: 'plot', content: 'open words' })
  await post('/messages', { type: 'stream', to: 'attic', topic: 'plot', content: 'kept words' })
  await post('/messages', { type: 'private', to: `[${user_id}]`, content: 'own words' })
}

/** Which of the three messages are in an archive. */
async function messagesIn(folder: WorkingFolder, name: string): Promise<string[]> {
  const contents = await readArchive(createReadStream(join(folder.path, name)))
  const words = ['open words', 'kept words', 'own words']
  const found = contents.rows('zerver_message').map((row) => row.content as string)
  return words.filter((each) => found.includes(each))
}

for (const live of [true, false]) {
  test(`exports the requested data ${live ? 'from a running server' : 'from the file'}`, async () => {
    using folder = new WorkingFolder()
    const owner = JSON.parse((await command([...init, '--db', 'chat.db'])).out)
    await using server = await serve(['--port', '0'])
    await talk(server.url, owner)
    if (!live) await server.stop()
    const { code, out, err } = await command(['export', 'all.tar.gz'])
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /^Exported all data of chat\.db to all\.tar\.gz \(\d+ KiB\)\.\n$/)
    // Private messages are in it: it is for the one who runs the server, and nobody else on the machine.
    assert.equal(statSync(join(folder.path, 'all.tar.gz')).mode & 0o077, 0)
    assert.deepEqual(await messagesIn(folder, 'all.tar.gz'), ['open words', 'kept words', 'own words'])
    const open = JSON.parse((await command(['export', 'open.tar.gz', '--only', 'public', '--json'])).out)
    assert.ok(open.kib > 0)
    assert.deepEqual(await messagesIn(folder, 'open.tar.gz'), ['open words'])
    assert.equal((await command(['export', 'agreed.tar.gz', '--only', 'consent'])).code, 0)
    assert.deepEqual(await messagesIn(folder, 'agreed.tar.gz'), ['open words'])
  })
}

test('exports the import format, and what one person said, uploaded and set', async () => {
  using folder = new WorkingFolder()
  const owner = JSON.parse((await command([...init, '--db', 'chat.db'])).out)
  const added = await command(['user', 'add', 'h@example.com', '--name', 'Hamlet', '--json'])
  const hamlet = JSON.parse(added.out)
  {
    await using server = await serve(['--port', '0'])
    await talk(server.url, owner)
    const authorization = `Basic ${Buffer.from(`h@example.com:${hamlet.api_key}`).toString('base64')}`
    const post = async (path: string, params: Record<string, string>) => {
      const body = new URLSearchParams(params)
      const answer = await fetch(`${server.url}/api/v1${path}`, { method: 'POST', headers: { authorization }, body })
      assert.equal(answer.status, 200, await answer.text())
    }
    await post('/users/me/subscriptions', { subscriptions: '[{"name":"hall"}]' })
    await post('/messages', { type: 'stream', to: 'hall', topic: 'plot', content: 'words, words' })
    await post('/drafts', { drafts: '[{"type":"","to":[],"topic":"","content":"not yet"}]' })
    assert.match(
      (await command(['export', 'h.tar.gz', '--user', 'h@example.com'])).out,
      /^Exported the data of h@example\.com of chat\.db to h\.tar\.gz/,
    )
  }
  const stats = JSON.parse((await command(['export', 'all.tar.gz', '--format', 'jsonl', '--json'])).out).stats
  const all = await recordsIn(folder, 'all.tar.gz')
  assert.equal(all[0]?.format, 'chat-server-import')
  assert.equal(all.filter(({ type }) => type === 'message').length, stats.message)
  assert.ok(all.some(({ content }) => content === 'own words'))
  const own = await recordsIn(folder, 'h.tar.gz')
  assert.deepEqual(
    own.filter(({ type }) => type === 'message').map(({ user, content }) => [user, content]),
    [[String(hamlet.user_id), 'words, words']],
  )
  assert.deepEqual(
    own.filter(({ type }) => type === 'channel').map(({ name }) => name),
    ['general', 'hall'],
  )
  assert.deepEqual(
    own.filter(({ type }) => type === 'user').map(({ email }) => email),
    ['h@example.com'],
  )
  const account = JSON.parse(await entryOf(folder, 'h.tar.gz', 'account.json'))
  assert.equal(account.draft[0].content, 'not yet')
  assert.deepEqual(Object.keys(account.api_key[0]).toSorted(), [
    'channels',
    'confirmed_at',
    'created_at',
    'expires_at',
    'id',
    'kind',
    'last_address',
    'last_used_at',
    'name',
    'provider_session',
    'scopes',
    'user_id',
  ])
  assert.match((await command(['export', 'x.tar.gz', '--user', 'no@example.com'])).err, /No account/)
  assert.match((await command(['export', 'x.tar.gz', '--format', 'jsonl', '--only', 'public'])).err, /private data/)
})

/** The text of a file in an archive. */
async function entryOf(folder: WorkingFolder, name: string, entry: string): Promise<string> {
  const archive = await openArchive(join(folder.path, name), { work: folder.path })
  try {
    return Buffer.from(await archive.read(entry)).toString()
  } finally {
    await archive.close()
  }
}

// biome-ignore lint/suspicious/noExplicitAny: records of any type.
async function recordsIn(folder: WorkingFolder, name: string): Promise<Record<string, any>[]> {
  const text = await entryOf(folder, name, 'import.jsonl')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('export overwrites no file and leaves none behind on failure', async () => {
  using folder = new WorkingFolder()
  await command(init)
  writeFileSync(join(folder.path, 'here.tar.gz'), 'kept')
  mkdirSync(join(folder.path, 'folder.tar.gz'))
  const table: [string[], RegExp][] = [
    [['export', 'here.tar.gz'], /here\.tar\.gz already exists\. An export needs a new file/],
    [['export', 'folder.tar.gz'], /already exists/],
    [['export', 'nowhere/all.tar.gz'], /nowhere/],
    [['export', 'some.tar.gz', '--only', 'secrets'], /Allowed choices are public, consent/],
    [['export', 'none.tar.gz', '--db', 'none.db'], /none\.db/],
    [['export'], /missing required argument/],
  ]
  for (const [args, message] of table) {
    const { code, out, err } = await command(args)
    assert.notEqual(code, 0, args.join(' '))
    assert.equal(out, '', args.join(' '))
    assert.match(err, message)
  }
  assert.equal(statSync(join(folder.path, 'here.tar.gz')).size, 4)
  assert.deepEqual(
    readdirSync(folder.path).filter((name) => name.endsWith('.gz')),
    ['folder.tar.gz', 'here.tar.gz'],
  )
  assert.equal(existsSync(join(folder.path, 'none.db')), false)
})
