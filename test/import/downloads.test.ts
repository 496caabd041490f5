import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { downloadName, withDownloads } from '../../src/import/archive/downloads.ts'
import { openArchive } from '../../src/import/archive/open.ts'
import type { Download } from '../../src/network/post.ts'
import { world } from '../../src/testing/index.ts'
import { onePixelPng } from '../fixtures/images.ts'
import { ArchiveFolder, importInto } from './archives.ts'
import { slackExport } from './slack-export.ts'

interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: Uint8Array | string
}

const FILE = 'https://files.example/F2?t=xoxe-1'
const PICTURE = 'https://a.example/1.png'

/** Servers elsewhere: their answers by address, one after the other, and what they were asked. */
function servers(answers: Readonly<Record<string, readonly Answer[]>>) {
  const asked: string[] = []
  const download: Download = async ({ url }) => {
    asked.push(url)
    const nth = asked.filter((one) => one === url).length - 1
    const all = answers[url] ?? [{ status: 404 }]
    const { status = 200, headers = {}, body = '' } = all[Math.min(nth, all.length - 1)]!
    async function* chunks() {
      yield Buffer.from(body)
    }
    return { status, headers, body: chunks() }
  }
  return { asked, download }
}

const working = {
  [FILE]: [{ status: 302, headers: { location: '/real' } }],
  'https://files.example/real': [{ status: 503 }, { body: 'found again' }],
  [PICTURE]: [{ body: onePixelPng() }],
}
const about = (report: { left_out: { kind: string; reason: string }[] }) =>
  report.left_out.filter(({ kind }) => kind === 'file' || kind === 'picture').map(({ kind, reason }) => [kind, reason])

test('downloads the files and pictures that an export only names', async () => {
  const { asked, download } = servers(working)
  await using w = await world({ chat: { outgoing: { download } } })
  using archive = new ArchiveFolder(slackExport())
  const planned = await importInto(w.chat, archive, { downloadFiles: true, dryRun: true })
  assert.deepEqual(asked, [])
  const progress: string[] = []
  const { report } = await importInto(w.chat, archive, { downloadFiles: true }, (line) => progress.push(line))
  assert.deepEqual(about(report), [])
  assert.deepEqual([planned.report.found, planned.report.imported], [report.found, report.imported])
  assert.ok(progress.some((line) => line.startsWith('2 of 2 files downloaded')))

  const { messages } = await w.cordelia.api.get('/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: 'kitchen' }],
    apply_markdown: false,
  })
  const contents = messages.map(({ content }: { content: string }) => content).join('\n')
  const [, path] = /\[lost\.txt\]\((\S+)\)/.exec(contents)!
  const file = await w.cordelia.api.get(`/user_uploads/${path!.replace('/user_uploads/', '')}`)
  assert.match(file.url, /lost\.txt/)
  const { members } = await w.iago.api.get('/users')
  const ann = members.find((user: { full_name: string }) => user.full_name === 'Ann')
  assert.match(ann.avatar_url, /^\/user_avatars\//)
})

test('stops before downloads take the space that must stay free', async () => {
  const { download } = servers(working)
  let isFull = false
  await using w = await world({
    chat: { outgoing: { download }, freeBytes: (path) => (isFull && path.endsWith('.downloads') ? 0 : 1e12) },
  })
  using archive = new ArchiveFolder(slackExport())
  isFull = true
  await assert.rejects(importInto(w.chat, archive, { downloadFiles: true }), {
    code: 'STORAGE_FULL',
    message: /^Not enough disk space for .*\. 64 MiB must stay free\.$/,
  })
  assert.deepEqual(readdirSync(`${archive.path}.downloads`), [])
  isFull = false
  const { report } = await importInto(w.chat, archive, { downloadFiles: true })
  assert.deepEqual(about(report), [])
})

test('downloads nothing unless asked', async () => {
  const { asked, download } = servers(working)
  await using w = await world({ chat: { outgoing: { download } } })
  using archive = new ArchiveFolder(slackExport())
  const { report } = await importInto(w.chat, archive)
  assert.deepEqual(asked, [])
  assert.deepEqual(about(report).sort(), [
    ['file', 'the archive contains only its URL'],
    ['picture', 'the archive contains only its URL'],
  ])
})

test('leaves out what cannot be downloaded, without its token in any line', async () => {
  const signIn = [{ headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<html>' }]
  const { asked, download } = servers({ [FILE]: signIn })
  await using w = await world({ chat: { outgoing: { download } } })
  using archive = new ArchiveFolder(slackExport())
  const progress: string[] = []
  const { report } = await importInto(w.chat, archive, { downloadFiles: true }, (line) => progress.push(line))
  assert.deepEqual(about(report).sort(), [
    ['file', "it couldn't be downloaded"],
    ['picture', "it couldn't be downloaded"],
  ])
  assert.deepEqual(asked.toSorted(), [PICTURE, FILE].toSorted())
  assert.match(progress.join('\n'), /files\.example\/F2: .*asks for a sign-in/)
  assert.match(progress.join('\n'), /a\.example\/1\.png: the server answered with status 404/)
  assert.doesNotMatch(progress.join('\n'), /\?t=/)
})

test('does not download again what is in the folder, and nothing half a file', async () => {
  async function* cutOff() {
    yield Buffer.from('found')
    throw new Error('connection reset')
  }
  const whole = servers(working)
  let attempts = 0
  const download: Download = async (request) => {
    if (request.url !== 'https://files.example/real') return whole.download(request)
    attempts++
    return { status: 200, headers: {}, body: cutOff() }
  }
  await using w = await world({ chat: { outgoing: { download } } })
  using archive = new ArchiveFolder(slackExport())
  const { report } = await importInto(w.chat, archive, { downloadFiles: true })
  assert.deepEqual(about(report), [['file', "it couldn't be downloaded"]])
  assert.equal(attempts, 3)
  const folder = `${archive.path}.downloads`
  const [picture, ...rest] = readdirSync(folder)
  assert.match(picture!, /^[0-9a-f]{64}$/)
  assert.deepEqual(rest, [])

  await using other = await world({ chat: { outgoing: { download: whole.download } } })
  const before = whole.asked.length
  await importInto(other.chat, archive, { downloadFiles: true })
  assert.deepEqual(whole.asked.slice(before), [FILE, 'https://files.example/real', FILE, 'https://files.example/real'])
})

test('connects to no private address, and says so', async () => {
  await using w = await world()
  using archive = new ArchiveFolder({
    ...slackExport(),
    'users.json': [{ id: 'U1', name: 'ann', profile: { image_512: 'https://127.0.0.1:9/secret' } }],
  })
  const progress: string[] = []
  const { report } = await importInto(w.chat, archive, { downloadFiles: true }, (line) => progress.push(line))
  assert.ok(about(report).some(([kind]) => kind === 'picture'))
  assert.match(progress.join('\n'), /127\.0\.0\.1.* is not on the public Internet/)
})

test('closes the connection of an answer that has no file', async () => {
  const open = new Set<string>()
  // Like the connection of a real answer, it closes when its reader stops.
  async function* endless(url: string) {
    try {
      for (;;) yield Buffer.from('not found')
    } finally {
      open.delete(url)
    }
  }
  const download: Download = async ({ url }) => {
    open.add(url)
    const isRedirect = url === FILE
    const headers: Record<string, string> = isRedirect ? { location: '/real' } : {}
    return { status: isRedirect ? 302 : 404, headers, body: endless(url) }
  }
  await using w = await world({ chat: { outgoing: { download } } })
  using archive = new ArchiveFolder(slackExport())
  await importInto(w.chat, archive, { downloadFiles: true })
  assert.deepEqual([...open], [])
})

test('reads no picture into memory that is too large, and imports the rest', async () => {
  const { download } = servers(working)
  await using w = await world({ chat: { outgoing: { download } } })
  using archive = new ArchiveFolder(slackExport())
  const folder = `${archive.path}.downloads`
  mkdirSync(folder)
  const picture = join(folder, downloadName(PICTURE))
  writeFileSync(picture, '')
  truncateSync(picture, 129 * 1024 * 1024)
  const opened = await withDownloads(await openArchive(archive.path), folder)
  await assert.rejects(opened.read(opened.downloaded!(PICTURE)!), /larger than the limit of 128 MiB/)
  await opened.close()
  await importInto(w.chat, archive, { downloadFiles: true })
  const { members } = await w.iago.api.get('/users')
  const ann = members.find((user: { full_name: string }) => user.full_name === 'Ann')
  assert.doesNotMatch(String(ann.avatar_url), /^\/user_avatars\//)
})

test('says that the folder for downloads cannot be written', async () => {
  await using w = await world({ chat: { outgoing: servers(working) } })
  using archive = new ArchiveFolder(slackExport())
  writeFileSync(`${archive.path}.downloads`, '')
  await assert.rejects(
    importInto(w.chat, archive, { downloadFiles: true }),
    /The folder for downloads can't be created/,
  )
  rmSync(`${archive.path}.downloads`)
})
