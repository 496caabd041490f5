import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { openStore } from '../../src/storage/index.ts'
import { commandFile, run } from '../bin/running.ts'
import { quickStart } from '../quick-start.ts'
import { dice } from '../random.ts'
import { rounds } from '../rounds.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

const ROUNDS = rounds({ short: 1, full: 15, variable: 'ROUNDS' })
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
/** About as long as a restore takes. */
const MOST_MS = 500

test(`a restore killed ${ROUNDS} times leaves one whole database or the other`, async (t) => {
  const roll = dice(SEED)
  t.diagnostic(`seed ${SEED}, ${ROUNDS} rounds`)
  using folder = new TemporaryFolder(tmpdir())
  const db = join(folder.path, 'chat.db')
  const init = ['init', '--org', 'o', '--owner-email', 'o@example.com', '--owner-name', 'Olga']
  assert.equal((await run(folder, init)).code, 0)
  assert.equal((await run(folder, ['backup', 'copy.db'])).code, 0)
  const lives = { old: 0, new: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const store = await openStore({ file: db })
    await store.write(async ({ db }) => {
      await db.insertInto('blob').values({ size: 0, content_type: 'after the backup', created_at: 0 }).execute()
    })
    await store.close()
    const child = spawn(process.execPath, [commandFile, 'restore', 'copy.db', '--force'], {
      cwd: folder.path,
      env: quickStart(),
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    await Promise.race([sleep(100 + roll(MOST_MS)), ended])
    child.kill('SIGKILL')
    await ended
    const database = new Database(db)
    assert.deepEqual(database.pragma('integrity_check'), [{ integrity_check: 'ok' }])
    const isOld = database.prepare("select 1 from blob where content_type = 'after the backup'").get() !== undefined
    database.close()
    lives[isOld ? 'old' : 'new']++
  }
  t.diagnostic(JSON.stringify(lives))
  assert.equal((await run(folder, ['restore', 'copy.db', '--force'])).code, 0)
  assert.equal(existsSync(`${db}.restoring`), false)
})
