import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../src/admin/commands.ts'
import type { Chat } from '../../src/core/kernel/chat.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { createOrganization, openChat } from '../../src/index.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { dice } from '../random.ts'
import { rounds } from '../rounds.ts'
import { running } from '../storage/children.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { ArchiveFolder, contentsOf, importInto, jsonLines } from './archives.ts'
import { everything } from './everything.ts'

const seconds = Math.floor(Date.now() / 1000)

/** Everything of a database that doesn't depend on chance or on the time of day. */
async function comparable(chat: Chat): Promise<object> {
  const contents = await contentsOf(chat)
  // An upload that a kill cut off is removed like any other.
  const { import_object, upload: _, ...rest } = contents
  const text = JSON.stringify({ ...rest, import_object: import_object!.length }, (key, value) =>
    [
      'date_created',
      'created_at',
      'unused_since',
      'muted_at',
      'last_updated',
      'date_joined',
      'blob_id',
      'from_event_id',
      'to_event_id',
    ].includes(key)
      ? 0
      : value,
  )
  return JSON.parse(text.replaceAll(/1\/[0-9a-f]{2}\/\w{24}\//g, ''))
}

async function empty(file: string): Promise<void> {
  await using chat = await openChat({ db: file, passwordCost: 4 })
  await createOrganization(chat, {
    org: 'E',
    owner_email: 'o@example.com',
    owner_name: 'Olga',
    owner_password: 'correct horse',
  })
}

async function closedAfter(file: string, archive: ArchiveFolder, commits: number): Promise<boolean> {
  const chat = await openChat({ db: file })
  let count = 0
  let closed: Promise<void> | undefined
  storeOf(chat).observeCommits(() => {
    if (++count === commits) closed = chat.close()
  })
  try {
    await importInto(chat, archive)
    return true
  } catch (error) {
    if (closed === undefined) throw error
    return false
  } finally {
    await (closed ?? chat.close())
  }
}

test(
  'an import that was cut off after any commit can be undone, or resumes to the same end',
  onlyOnSqlite('the file is reopened'),
  async () => {
    using folder = new TemporaryFolder()
    const start = join(folder.path, 'start.db')
    await empty(start)
    const at = (name: string): string => {
      const file = join(folder.path, name)
      copyFileSync(start, file)
      copyFileSync(`${start}.secret`, `${file}.secret`)
      return file
    }
    using archive = new ArchiveFolder(everything(seconds))
    archive.add({
      // No picture, whose thumbnails appear at their own time.
      'files/x1': 'a text',
      'more.jsonl': jsonLines(
        ...Array.from({ length: 300 }, (_, i) => ({
          type: 'message',
          id: `n${i}`,
          user: i % 2 ? 'u1' : 'u2',
          date: seconds - 90 * 86_400 + i,
          channel: i % 3 ? 'c1' : 'c2',
          topic: `topic ${i % 7}`,
          content: `message ${i}`,
          ...(i % 5 === 0 && { unread: ['u2'] }),
          received: i % 4 ? ['u1'] : ['u1', 'u2'],
        })),
      ),
    })
    const whole = at('whole.db')
    assert.equal(await closedAfter(whole, archive, Number.POSITIVE_INFINITY), true)
    const expected = await withChat(whole, comparable)
    const before = await withChat(start, comparable)
    const undo = (chat: Chat) => runCommand(chat, 'undoImport', { id: 1 }, () => {})
    let commits = 1
    for (let isWhole = false; !isWhole; commits += rounds({ short: 3, full: 1 })) {
      const file = at(`cut-${commits}.db`)
      isWhole = await closedAfter(file, archive, commits)
      const undone = join(folder.path, `undone-${commits}.db`)
      copyFileSync(file, undone)
      copyFileSync(`${file}.secret`, `${undone}.secret`)
      await withChat(undone, async (chat) => {
        const begun = await storeOf(chat).db.selectFrom('import').select('id').executeTakeFirst()
        if (begun) await undo(chat)
        assert.deepEqual(await comparable(chat), before, `undone after ${commits} commits`)
      })
      if (!isWhole) await withChat(file, async (chat) => assert.equal((await importInto(chat, archive)).messages, 306))
      assert.deepEqual(await withChat(file, comparable), expected, `cut off after ${commits} commits`)
    }
    assert.ok(commits > 9, `${commits} commits`)
  },
)

async function withChat<T>(db: string, work: (chat: Chat) => Promise<T>): Promise<T> {
  await using chat = await openChat({ db })
  return await work(chat)
}

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
/** An import is killed after this many commits, at most. */
const MOST_COMMITS = 8
/** About as long as a commit takes. */
const MOST_MS = 40
const killedImport = fileURLToPath(new URL('killed-import.ts', import.meta.url))

test('an import that was killed resumes', onlyOnSqlite('the process has a file'), async (t) => {
  const roll = dice(SEED)
  using folder = new TemporaryFolder()
  const db = join(folder.path, 'chat.db')
  await empty(db)
  const users = Array.from({ length: 20 }, (_, i) => ({
    type: 'user',
    id: `u${i}`,
    name: `Person ${i}`,
    email: `u${i}@example.com`,
  }))
  const messages = Array.from({ length: 20_000 }, (_, i) => ({
    type: 'message',
    id: `m${i}`,
    user: `u${i % 20}`,
    date: seconds - 1_000_000 + i,
    channel: 'c',
    topic: `topic ${i % 50}`,
    content: `this is message ${i} of many`,
  }))
  using archive = new ArchiveFolder({
    'a.jsonl': jsonLines(...users, { type: 'channel', id: 'c', name: 'kitchen' }, ...messages),
  })
  let kills = 0
  const most = rounds({ short: 2, full: 20, variable: 'IMPORT_KILLS' })
  const stored = () =>
    withChat(
      db,
      async (chat) =>
        (await storeOf(chat).db.selectFrom('import').select('messages_done').executeTakeFirst())?.messages_done ?? 0,
    )
  for (; kills < most; kills++) {
    const before = await stored()
    await using importing = running(killedImport, [db, archive.path])
    for (let commits = 1 + roll(MOST_COMMITS); commits > 0; commits--) if ((await importing.line()) === 'done') break
    await sleep(roll(MOST_MS))
    importing.process.kill('SIGKILL')
    await importing.ended
    assert.ok((await stored()) >= before)
    if ((await stored()) === 20_000) break
  }
  t.diagnostic(`seed ${SEED}, ${kills} kills, ${await stored()} messages before the last start`)
  await withChat(db, async (chat) => {
    const done = await storeOf(chat).db.selectFrom('import').select('finished_at').executeTakeFirst()
    if (!done?.finished_at) await importInto(chat, archive)
    const { db: reader } = storeOf(chat)
    const rows = await reader
      .selectFrom('message')
      .select(['content', 'sent_at'])
      .where('client', '=', 'import')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows,
      messages.map(({ content, date }) => ({ content, sent_at: date })),
    )
  })
})
