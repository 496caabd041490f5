import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { openDatabase } from '../../src/storage/sqlite/driver.ts'
import { checkBefore } from '../../src/storage/sqlite/quick-check.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

test('checks every table of a small file in a single statement', onlyOnSqlite('the check of a file'), (t) => {
  using folder = new TemporaryFolder()
  const database = openDatabase(join(folder.path, 'a.db'))
  try {
    for (let i = 0; i < 20; i++) database.exec(`create table "it's ${i}" (name); insert into "it's ${i}" values (null)`)
    // The driver frees a statement only when its object is collected.
    const prepare = t.mock.method(database, 'prepare')
    checkBefore(database)
    assert.equal(prepare.mock.callCount(), 1)

    // Its row breaks the new rule.
    database.unsafeMode(true)
    database.pragma('writable_schema = on')
    database.exec("update sqlite_master set sql = replace(sql, 'name', 'name not null') where name like '%19'")
    database.pragma('writable_schema = reset')
    assert.throws(() => checkBefore(database), { kind: 'broken', message: /NULL value in it's 19\.name/ })
  } finally {
    database.close()
  }
})
