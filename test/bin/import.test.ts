import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { ArchiveFolder, jsonLines } from '../import/archives.ts'
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
  assert.deepEqual([dry.code, dry.err], [0, '{"step":"read","done":12,"total":12}\n'])
  assert.match(dry.out, /would create:[\s\S]*message +12 of 14[\s\S]*Left out:/)
  assert.equal((await command(['import', 'list'])).out, 'There are no imports.\n')
  {
    await using _ = await serve(['--port', '0'])
    const done = await command([...args, '--json'])
    assert.equal(done.code, 0)
    const steps = done.err.trim().split('\n')
    assert.deepEqual(
      steps.map((line) => JSON.parse(line).step),
      ['read', 'imported', 'finishing'],
    )
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

test('import invite writes links, and imported people are merged and erased', async () => {
  using folder = new WorkingFolder()
  const users = [
    { type: 'user', id: 'u1', name: 'Ann', email: 'ann@example.com' },
    { type: 'user', id: 'u2', name: '=Bob, the Cook', email: 'bob@example.com' },
    { type: 'user', id: 'u3', name: 'Stub' },
  ]
  using archive = new ArchiveFolder({ 'import.jsonl': jsonLines(...users) })
  await command(init)
  await command(['import', archive.path])
  const printed = await command(['import', 'invite', '1', '--public-url', 'https://chat.example.com/'])
  assert.equal(printed.err, '')
  assert.match(
    printed.out,
    /^email,name,link\nann@example\.com,Ann,https:\/\/chat\.example\.com\/password\?token=\w+\n/,
  )
  assert.match(printed.out, /\nbob@example\.com,"'=Bob, the Cook",https/)
  const written = await command(['import', 'invite', '1', '--out', 'links.csv'])
  assert.match(written.out, /^Wrote the links of 2 people to links\.csv/)
  const file = join(folder.path, 'links.csv')
  assert.equal(readFileSync(file, 'utf8').split('\n').length, 4)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal((await command(['import', 'invite', '1', '--out', 'links.csv'])).code, 1)
  assert.match((await command(['import', 'invite', '1', '--mail'])).err, /doesn't send email/)

  const merged = await command(['user', 'merge', 'jsonl-u3@imported.invalid', 'ann@example.com'])
  assert.match(merged.out, /^Merged jsonl-u3@imported\.invalid into ann@example\.com \(user \d+\)\.\n$/)
  assert.match((await command(['user', 'merge', 'ann@example.com', 'ann@example.com'])).err, /merged into itself/)
  await command(['backup', 'copy.db'])
  const erased = await command(['user', 'erase', 'bob@example.com'])
  assert.match(erased.out, /^Erased user \d+\. Their messages stay[\s\S]*backup +\S*copy\.db\n/)
})
