import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { ArchiveFolder } from '../import/archives.ts'
import { slackExport } from '../import/slack-export.ts'
import { command, serve, WorkingFolder } from './in-process.ts'

const init = ['init', '--org', 'Elsinore', '--owner-email', 'o@example.com', '--owner-name', 'Owner']

test('import, import list, show and undo work on a file and on the running server', async () => {
  using folder = new WorkingFolder()
  using archive = new ArchiveFolder(slackExport())
  await command(init)
  writeFileSync(join(folder.path, 'users.csv'), 'user,account\nU3,cid@example.com\n')
  const args = ['import', archive.path, '--map', 'users.csv', '--topics', 'by-gap=4h']
  const dry = await command([...args, '--dry-run'])
  assert.deepEqual([dry.code, dry.err], [0, ''])
  assert.match(dry.out, /would create:[\s\S]*message +12 of 14[\s\S]*Left out:/)
  assert.equal((await command(['import', 'list'])).out, 'There are no imports.\n')
  {
    await using _ = await serve(['--port', '0'])
    const done = await command([...args, '--json'])
    assert.deepEqual([done.code, done.err], [0, ''])
    assert.deepEqual(JSON.parse(done.out).report.people, { matched: 0, created: 4, stubs: 2, skipped: 0 })
    assert.match((await command(['import', 'list'])).out, /1 +slack +archive +.* +done/)
    assert.match((await command(['import', 'show', '1'])).out, /^Import 1: archive \(slack\)[\s\S]*message +12 of 14/)
    assert.match((await command(args)).err, /was already imported as import 1/)
  }
  assert.match((await command(['import', 'undo', '1'])).out, /Undid import 1: removed 12 messages/)
  assert.match((await command(['import', 'undo', '1'])).err, /was already undone/)
  assert.match((await command(['import', 'show', '7'])).err, /Import 7 does not exist/)
  assert.match((await command(['import', 'nowhere.zip'])).err, /nowhere\.zip does not exist/)
  assert.match((await command(['import', 'x', '--topics', 'by-gap=soon'])).err, /by-gap=4h/)
})
