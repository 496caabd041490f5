import assert from 'node:assert/strict'
import { existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import test from 'node:test'
import { eventually } from '../eventually.ts'
import { child, killedChild } from './children.ts'
import { Folder } from './folder.ts'
import { addEvents, countEvents, opened } from './opened.ts'

const takings: [string, (log: string) => void][] = [
  ['removed', (log) => rmSync(log)],
  ['renamed', (log) => renameSync(log, `${log}.old`)],
  [
    'replaced',
    (log) => {
      writeFileSync(`${log}.new`, '')
      renameSync(`${log}.new`, log)
    },
  ],
]
for (const [what, take] of takings) {
  for (const reader of ['without a reader', 'with a reader']) {
    test(`saves the log's contents when it is ${what} while in use, ${reader}`, async () => {
      using folder = new Folder()
      {
        await using other = child('serve', folder.file, reader)
        assert.equal(await other.line(), 'stored')
        take(`${folder.file}-wal`)
        assert.match(
          await other.line(),
          /^\S+chat\.db-wal was removed, renamed or replaced .* All of its changes were saved to \S+chat\.db/,
        )
        assert.equal(await other.ended, 1)
      }
      const warnings: string[] = []
      await using open = await opened(folder.file, { warn: (text) => void warnings.push(text) })
      assert.equal(await countEvents(open.store.db), 300)
      assert.deepEqual([(await open.store.inspect()).integrity, warnings], [['ok'], []])
    })
  }
}

/** A database of 300 events whose server was killed after it had noted them; all are in the log. */
async function killed(folder: Folder): Promise<void> {
  await using other = killedChild('serve', folder.file)
  assert.equal(await other.line(), 'stored')
  await eventually('the events are noted', () => /"event":300/.test(readFileSync(`${folder.file}.state`, 'utf8')))
}

/** Returns the warnings at opening, and the id after which the database continues. */
async function reopened(folder: Folder) {
  const warnings: string[] = []
  let rollbacks = 0
  await using open = await opened(folder.file, {
    warn: (text) => void warnings.push(text),
    onRollback: async () => void rollbacks++,
  })
  await open.store.write((tx) => addEvents(tx, 1))
  return { warnings, rollbacks, events: await countEvents(open.store.db) }
}

test('rejects a database missing its log after a crash, says how much is lost, and opens once restored', async () => {
  using folder = new Folder()
  await killed(folder)
  renameSync(`${folder.file}-wal`, `${folder.file}-aside`)
  const lost = {
    kind: 'broken',
    message: /chat\.db-wal is missing.* 300 newest events .* Put \S+chat\.db-wal back, or empty \S+chat\.db\.state/,
  }
  for (let i = 0; i < 2; i++) await assert.rejects(opened(folder.file), lost)
  renameSync(`${folder.file}-aside`, `${folder.file}-wal`)
  assert.deepEqual(await reopened(folder), { warnings: [], rollbacks: 0, events: 301 })
})

test('opens without a missing log once the state file is emptied', async () => {
  using folder = new Folder()
  await killed(folder)
  rmSync(`${folder.file}-wal`)
  await assert.rejects(opened(folder.file), { kind: 'broken' })
  truncateSync(`${folder.file}.state`)
  const { warnings, rollbacks, events } = await reopened(folder)
  assert.deepEqual([rollbacks, events, warnings.length], [1, 1, 1])
  assert.equal((await reopened(folder)).rollbacks, 0)
})

test('warns when a log is missing after a crash but no loss is known', async () => {
  using folder = new Folder()
  {
    await using other = killedChild('hold', folder.file)
    await other.line()
  }
  rmSync(`${folder.file}-wal`)
  const { warnings, rollbacks } = await reopened(folder)
  assert.match(
    warnings[0]!,
    /chat\.db-wal was missing, and \S+chat\.db was not closed properly: changes made after 20\S+Z/,
  )
  assert.equal(rollbacks, 1)
})

test('says where a log was truncated after a crash', async () => {
  using folder = new Folder()
  await killed(folder)
  truncateSync(`${folder.file}-wal`, readFileSync(`${folder.file}-wal`).length - 200_000)
  const { warnings, rollbacks, events } = await reopened(folder)
  assert.ok(events > 1 && events < 300, `${events}`)
  assert.match(
    warnings[0]!,
    new RegExp(`chat\\.db-wal ends early: its newest event is ${events - 1}, but 300 was already stored at 20`),
  )
  assert.equal(rollbacks, 1)
})

test('keeps the state file small and private, and clean after closing', async () => {
  using folder = new Folder()
  const { store } = await opened(folder.file)
  const state = () => JSON.parse(readFileSync(`${folder.file}.state`, 'utf8'))
  assert.equal(state().open, true)
  await store.close()
  assert.equal(state().open, false)
  assert.equal(existsSync(`${folder.file}.state.new`), false)
})
