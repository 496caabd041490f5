import assert from 'node:assert/strict'
import { copyFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../src/admin/commands.ts'
import type { Chat } from '../../src/core/kernel/chat.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { createOrganization, openChat } from '../../src/index.ts'
import { world } from '../../src/testing/index.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { quickStart } from '../quick-start.ts'
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

/** An archive with everything, and messages in several channels and topics. */
function archiveOf(messages: number): ArchiveFolder {
  const archive = new ArchiveFolder(everything(seconds))
  archive.add({
    // No picture, whose thumbnails appear at their own time.
    'files/x1': 'a text',
    'more.jsonl': jsonLines(
      ...Array.from({ length: messages }, (_, i) => ({
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
  return archive
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

test('writes few long messages in one commit, because all other work waits', async () => {
  await using w = await world()
  const content = Array.from({ length: 990 }, (_, i) => `seagulls${i % 10}`).join(' ')
  const message = { type: 'message', user: 'u1', channel: 'c1', topic: 'birds', content }
  const messages = Array.from({ length: 200 }, (_, i) => ({ ...message, id: `m${i}`, date: 1_700_000_000 + i }))
  const others = [
    { type: 'user', id: 'u1', name: 'Ann', email: 'ann@example.com' },
    { type: 'channel', id: 'c1', name: 'birds' },
  ]
  using archive = new ArchiveFolder({ 'a.jsonl': jsonLines(...others, ...messages) })
  let commits = 0
  storeOf(w.chat).observeCommits(() => commits++)
  await importInto(w.chat, archive)
  assert.ok(commits > 18, `${commits} commits`)
})

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
    using archive = archiveOf(300)
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
/** An import is killed after this many commits, at most. It has about 40. */
const MOST_COMMITS = 10
/** About as long as a commit takes. */
const MOST_MS = 20
const killedImport = fileURLToPath(new URL('killed-import.ts', import.meta.url))

test(
  'imports that are killed resume to the same end, or can be undone',
  onlyOnSqlite('the process has a file'),
  async (t) => {
    const roll = dice(SEED)
    using folder = new TemporaryFolder(tmpdir())
    const at = (name: string) => join(folder.path, name)
    const start = at('start.db')
    await empty(start)
    using archive = archiveOf(2000)
    const copyTo = (from: string, name: string): string => {
      for (const end of ['', '.secret', '-wal']) if (existsSync(from + end)) copyFileSync(from + end, at(name) + end)
      return at(name)
    }
    const whole = copyTo(start, 'whole.db')
    await withChat(whole, (chat) => importInto(chat, archive))
    const expected = await withChat(whole, comparable)
    const before = await withChat(start, comparable)

    const most = rounds({ short: 2, full: 12, variable: 'IMPORT_KILLS' })
    let [kills, imports] = [0, 0]
    // A process loads the program while the one before it imports.
    let next = running(killedImport, [archive.path], quickStart(), 'pipe')
    try {
      while (kills < most) {
        const db = copyTo(start, `killed-${imports++}.db`)
        const undoneAt = kills + roll(4)
        for (let isDone = false; !isDone && kills < most; kills++) {
          const importing = next
          next = running(killedImport, [archive.path], quickStart(), 'pipe')
          importing.process.stdin!.end(`${db}\n`)
          for (let commits = roll(MOST_COMMITS + 1); commits > 0 && !isDone; commits--)
            isDone = (await importing.line()) === 'done'
          await sleep(roll(MOST_MS))
          importing.process.kill('SIGKILL')
          await importing.ended
          if (kills !== undoneAt) continue
          await withChat(copyTo(db, `undone-${imports}.db`), async (chat) => {
            const begun = await storeOf(chat).db.selectFrom('import').select('id').executeTakeFirst()
            if (begun) await runCommand(chat, 'undoImport', { id: 1 }, () => {})
            assert.deepEqual(await comparable(chat), before, `undone after ${kills} kills, seed ${SEED}`)
          })
        }
        await withChat(db, async (chat) => {
          const row = await storeOf(chat).db.selectFrom('import').select('finished_at').executeTakeFirst()
          if (!row?.finished_at) await importInto(chat, archive)
          assert.deepEqual(await comparable(chat), expected, `after ${kills} kills, seed ${SEED}`)
        })
      }
    } finally {
      await next[Symbol.asyncDispose]()
    }
    t.diagnostic(`seed ${SEED}, ${kills} kills of ${imports} imports`)
  },
)
