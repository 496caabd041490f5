import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import Database from 'better-sqlite3'
import type { StorageError } from '../../src/storage/index.ts'
import { eventually } from '../eventually.ts'
import { Folder } from './folder.ts'
import { addEvents, addRow, countEvents, opened } from './opened.ts'

const PAGE = 4096

/** A closed database of some pages, with a copy of it beside it. */
async function scene() {
  const folder = new Folder()
  {
    await using open = await opened(folder.file)
    await open.store.write((tx) => addRow(tx, 'x'.repeat(200_000)))
  }
  copyFileSync(folder.file, join(folder.path, 'chat-copy.db'))
  return folder
}

const damagedWithCopy =
  /^\S+chat\.db is damaged, likely by [^\n]* The newest backup next to it is \S+chat-copy\.db, from [^\n]*$/

function overwrite(file: string, at: number, length: number, fill = 0x55): void {
  const bytes = readFileSync(file)
  bytes.fill(fill, at, at + length)
  writeFileSync(file, bytes)
}

const damages: [string, (file: string) => void][] = [
  ['the page of the schema', (file) => overwrite(file, 100, PAGE - 100)],
  ['the size of its pages', (file) => overwrite(file, 16, 2)],
  ['the count of its pages', (file) => overwrite(file, 28, 4)],
  ['the kind of its first page', (file) => overwrite(file, 100, 1)],
  ['the cells of the schema', (file) => overwrite(file, 108, 40)],
  ['its second half', (file) => overwrite(file, statSync(file).size / 2, statSync(file).size / 2)],
  ['all pages but the first', (file) => overwrite(file, PAGE, statSync(file).size - PAGE)],
  ['its end, which is missing', (file) => truncateSync(file, statSync(file).size - 20 * PAGE)],
]
for (const [what, damage] of damages) {
  test(`reports ${what} as damage in one sentence and names the newest copy`, async () => {
    using folder = await scene()
    damage(folder.file)
    await assert.rejects(opened(folder.file), { kind: 'broken', message: damagedWithCopy })
  })
}

for (const fill of [0, 0x55, 0xff]) {
  test(`reports any table page overwritten with ${fill.toString(16)} as damage`, async () => {
    using folder = await scene()
    const database = new Database(folder.file, { readonly: true })
    const tables = database.prepare("select name, rootpage from sqlite_master where type = 'table' and rootpage > 1")
    const found = tables.all() as { name: string; rootpage: number }[]
    database.close()
    const whole = ['', '.state'].map((end) => readFileSync(folder.file + end))
    for (const { name, rootpage } of found.slice(0, 10)) {
      for (const [i, end] of ['', '.state'].entries()) writeFileSync(folder.file + end, whole[i]!)
      overwrite(folder.file, (rootpage - 1) * PAGE, PAGE, fill)
      await assert.rejects(opened(folder.file), { name: 'StorageError', message: damagedWithCopy }, name)
    }
  })
}

test('reports damage when a write reads a damaged list of free pages', async () => {
  using folder = await scene()
  overwrite(folder.file, 32, 8)
  await using open = await opened(folder.file)
  const filling = open.store.write((tx) => addRow(tx, 'x'.repeat(200_000)))
  await assert.rejects(filling, { kind: 'broken', message: damagedWithCopy })
})

const cuts: [string, string, number][] = [
  ['a log that is emptied', '-wal', 0],
  ['a log that is cut', '-wal', 40_000],
  ['a database that is cut', '', 100_000],
]
for (const [what, end, size] of cuts) {
  for (const traffic of ['nobody writes', 'somebody writes']) {
    test(`stops for ${what} while ${traffic}`, async () => {
      using folder = await scene()
      const broken: StorageError[] = []
      const warnings: string[] = []
      {
        await using open = await opened(folder.file, { onBroken: (error) => void broken.push(error) })
        for (let i = 0; i < 100; i++) await open.store.write((tx) => addEvents(tx, 1))
        await eventually('the events are noted', () => /"event":100/.test(readFileSync(`${folder.file}.state`, 'utf8')))
        // In another process: closing the file in this one would release the locks on it.
        execFileSync('truncate', ['-s', String(size), folder.file + end])
        await eventually('it is noticed', async () => {
          if (traffic === 'somebody writes') await open.store.write((tx) => addEvents(tx, 1)).catch(() => {})
          return broken.length > 0
        })
        assert.match(
          broken[0]!.message,
          new RegExp(
            `chat\\.db${end} was cut to ${size} bytes by .* The newest backup next to it is \\S+chat-copy\\.db`,
          ),
        )
      }
      if (end !== '-wal') return
      // What it says of a log that was cut is in lost-log.test.ts.
      await using again = await opened(folder.file, {
        warn: (text) => void warnings.push(text),
        onRollback: async () => {},
      })
      assert.ok((await countEvents(again.store.db)) < 100)
    })
  }
}
