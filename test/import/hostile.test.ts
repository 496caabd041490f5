import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { openArchive } from '../../src/import/archive/open.ts'
import { world } from '../../src/testing/index.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { ArchiveFolder, contentsOf, importInto, jsonLines } from './archives.ts'
import { slackExport } from './slack-export.ts'
import { zipOf } from './zip.ts'

const user = { type: 'user', id: 'u', name: 'Ann', email: 'ann@example.com' }
const channel = { type: 'channel', id: 'c', name: 'kitchen' }
const message = { type: 'message', id: 'm', user: 'u', date: 1_700_000_000, channel: 'c', topic: 't', content: 'x' }
const lines = (...records: object[]) => ({ 'a.jsonl': jsonLines(user, channel, ...records) })

const content: [what: string, files: Record<string, string | Uint8Array | object>, sentence: RegExp][] = [
  ['an unknown archive', { 'a.txt': 'hello' }, /Unrecognized file/],
  [
    'invalid UTF-8',
    { 'a.jsonl': Buffer.concat([Buffer.from(jsonLines(user)), Buffer.from([0xff, 0xfe, 10])]) },
    /"a\.jsonl" is not valid UTF-8/,
  ],
  ['broken JSON', { 'a.jsonl': `${jsonLines(user)}{"type":` }, /Line 3 of "a\.jsonl" is not valid JSON/],
  [
    'an unknown version',
    { 'a.jsonl': jsonLines(user).replace('"version":1', '"version":2') },
    /a\.jsonl:1: "version" is not valid: must be 1/,
  ],
  ['a date long ago', lines({ ...message, date: -5 }), /a\.jsonl:4: the date -5 of a message is out of range/],
  ['a date to come', lines({ ...message, date: 99_999_999_999 }), /the date 99999999999 of a message is out of range/],
  ['a list that is not', lines({ ...message, unread: 'u' }), /a\.jsonl:4: "unread" is not valid/],
  [
    'too many reactions',
    lines({ ...message, reactions: Array.from({ length: 100_001 }, () => ({ emoji: 'tada', user: 'u' })) }),
    /"reactions" is not valid/,
  ],
  [
    'groups in a circle',
    lines(
      { type: 'group', id: 'a', name: 'aa', members: [], subgroups: ['b'] },
      { type: 'group', id: 'b', name: 'bb', members: [], subgroups: ['a'] },
    ),
    /the groups contain each other/,
  ],
  ['broken JSON of Slack', { ...slackExport(), 'users.json': '[{' }, /"users\.json" is not valid JSON/],
  ['a list of Slack that is none', { ...slackExport(), 'channels.json': {} }, /"channels\.json" is not a list/],
]

test('rejects hostile content in one sentence and writes nothing', async (t) => {
  await using w = await world()
  const before = await contentsOf(w.chat)
  for (const [what, files, sentence] of content) {
    await t.test(what, async () => {
      using archive = new ArchiveFolder(files)
      await assert.rejects(importInto(w.chat, archive), (error: Error) => {
        assert.match(error.message, sentence)
        assert.match(error.message, /^[^\n]{1,400}\.$/)
        return true
      })
      assert.deepEqual(await contentsOf(w.chat), before)
    })
  }
})

const zips: [what: string, bytes: () => Uint8Array, sentence: RegExp][] = [
  ['a path that climbs', () => zipOf([{ name: '../a.txt', content: 'x' }]), /relative path|points outside/],
  ['an absolute path', () => zipOf([{ name: '/etc/a', content: 'x' }]), /absolute path|points outside/],
  ['a link', () => zipOf([{ name: 'a', content: '/etc/passwd', mode: 0o120777 }]), /"a" is a link/],
  ['a device', () => zipOf([{ name: 'a', content: '', mode: 0o060644 }]), /"a" is not a file/],
  ['an encrypted file', () => zipOf([{ name: 'a', content: 'x', flags: 1 }]), /"a" is encrypted/],
  [
    'a name twice',
    () =>
      zipOf([
        { name: 'a', content: 'x' },
        { name: 'a', content: 'y' },
      ]),
    /two files named "a"/,
  ],
  ['a bomb', () => zipOf([{ name: 'a', content: new Uint8Array(4 * 1024 * 1024) }]), /compressed more than 300 times/],
  ['too many folders', () => zipOf([{ name: `${'a/'.repeat(20)}b`, content: 'x' }]), /more than 16 levels/],
  ['a directory that is cut off', () => zipOf([{ name: 'a', content: 'x' }]).subarray(0, 40), /is damaged/],
]

test('refuses hostile zip files', async (t) => {
  using folder = new TemporaryFolder()
  for (const [what, bytes, sentence] of zips) {
    await t.test(what, async () => {
      const path = join(folder.path, 'a.zip')
      writeFileSync(path, bytes())
      await assert.rejects(openArchive(path), sentence)
    })
  }
  for (const [what, entry] of [
    ['a size that is too small', { size: 5 }],
    ['another checksum', { crc: 7 }],
  ] as const) {
    await t.test(what, async () => {
      const path = join(folder.path, 'a.zip')
      writeFileSync(path, zipOf([{ name: 'a.txt', content: 'a text of some length', ...entry }]))
      const archive = await openArchive(path)
      await assert.rejects(archive.read('a.txt'), /"a\.txt" is damaged/)
      await archive.close()
    })
  }
})

test('names the limit that an archive exceeds', async () => {
  using folder = new TemporaryFolder()
  const path = join(folder.path, 'a.zip')
  writeFileSync(
    path,
    zipOf([
      { name: 'a', content: 'x'.repeat(3000) },
      { name: 'b', content: 'y' },
    ]),
  )
  await assert.rejects(openArchive(path, { limits: { files: 1 } }), /more than 1 files/)
  await assert.rejects(openArchive(path, { limits: { bytes: 2000 } }), /unpacks to more than 0 MiB/)
  const archive = await openArchive(path, { limits: { wholeBytes: 1000 } })
  await assert.rejects(archive.read('a'), /"a" is larger than the limit of 0 MiB/)
  await archive.close()
})

test('refuses hostile tar files and folders, and leaves nothing behind', async () => {
  using folder = new TemporaryFolder()
  using work = new TemporaryFolder()
  const path = join(folder.path, 'a.tar.gz')
  const { readdirSync } = await import('node:fs')
  const refused = async (headers: Parameters<typeof packTar>[0], sentence: RegExp) => {
    writeFileSync(path, gzipSync(await packTar(headers)))
    await assert.rejects(openArchive(path, { work: work.path }), sentence)
    assert.deepEqual(readdirSync(work.path), [])
  }
  await refused([{ header: { name: '../a', size: 1 }, body: 'x' }], /points outside/)
  await refused([{ header: { name: 'a', size: 0, type: 'symlink', linkname: '/etc/passwd' } }], /"a" is a symlink/)
  await refused([{ header: { name: 'a', size: 0, type: 'link', linkname: 'b' } }], /"a" is a link/)
  await refused([{ header: { name: 'a', size: 0, type: 'character-device' } }], /"a" is a character-device/)
  writeFileSync(path, gzipSync(Buffer.alloc(100)).subarray(0, 20))
  await assert.rejects(openArchive(path, { work: work.path }), /is damaged/)
  const inside = join(folder.path, 'folder')
  mkdirSync(inside)
  symlinkSync('/etc/passwd', join(inside, 'a'))
  await assert.rejects(openArchive(inside), /"a" is not a file/)
})

test('reads the same from a folder, a zip file and a tar file', async () => {
  using folder = new TemporaryFolder()
  const files = slackExport()
  const bytesOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const zip = join(folder.path, 'export.zip')
  writeFileSync(
    zip,
    zipOf(Object.entries(files).map(([name, value]) => ({ name: `top/${name}`, content: bytesOf(value) }))),
  )
  const tar = join(folder.path, 'export.tar.gz')
  const entries = Object.entries(files).map(([name, value]) => {
    const body = Buffer.from(bytesOf(value))
    return { header: { name: `top/${name}`, size: body.length }, body: new Uint8Array(body) }
  })
  writeFileSync(tar, gzipSync(await packTar(entries)))
  using plain = new ArchiveFolder(files)
  const reports: unknown[] = []
  for (const path of [plain.path, zip, tar]) {
    await using w = await world()
    reports.push((await importInto(w.chat, { path })).report)
  }
  assert.deepEqual(reports[1], reports[0])
  assert.deepEqual(reports[2], reports[0])
})
