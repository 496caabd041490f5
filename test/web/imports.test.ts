import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { importerOf } from '../../src/core/files/import-uploads.ts'
import { testServer } from '../../src/testing/index.ts'
import { jsonLines } from '../import/archives.ts'
import { sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'

const now = 1_700_000_000
const archive = Buffer.from(
  jsonLines(
    { type: 'user', id: 'u1', name: 'Ann', email: 'ann@example.org' },
    { type: 'user', id: 'u2', name: 'Hamlet', email: 'hamlet@example.com' },
    { type: 'user', id: 'u3', name: 'Old Robin' },
    { type: 'channel', id: 'c1', name: 'kitchen' },
    { type: 'message', id: 'm1', user: 'u1', date: now, channel: 'c1', topic: 'soup', content: 'hot' },
    { type: 'message', id: 'm2', user: 'u3', date: now + 1, channel: 'c1', topic: 'soup', content: 'cold' },
    { type: 'left_out', kind: 'canvas', reason: "it isn't supported", place: 'canvas 1' },
  ),
)

browserTest('imports an export from the upload to the report, and undoes it', async (t) => {
  await using server = await testServer({ web: true })
  const { iago } = server.people
  const page = await visit(t, server.url, iago, { size: sizes.phone })
  await page.goto(`${server.url}/#settings/imports`)
  await page.getByText('No imports yet.').waitFor()
  const file = { name: 'old.jsonl', mimeType: 'application/octet-stream', buffer: archive }
  await page.getByLabel('Export from the other server').setInputFiles(file)
  await page.getByRole('heading', { name: 'What importing old.jsonl would do' }).waitFor()
  await page.getByRole('row', { name: /^Message\b.*2 of 2/ }).waitFor()
  await page.getByText('Left out (1)').click()
  await page.getByText('1 × Canvas: not supported').waitFor()

  await page.getByRole('combobox', { name: 'Show' }).selectOption('Name only, no sign-in (1)')
  const robin = page.getByRole('listitem').filter({ hasText: 'Old Robin' })
  await page.getByRole('listitem').filter({ hasText: 'Hamlet' }).waitFor({ state: 'detached' })
  assert.doesNotMatch(await robin.innerText(), /\bu3\b/)
  await robin.getByRole('combobox', { name: 'Account of Old Robin' }).selectOption('Account with this address…')
  await robin.getByLabel('Email address of Old Robin').fill('cordelia@example.com')
  await robin.getByLabel('Email address of Old Robin').press('Tab')
  await page.getByText('Something changed since the last check.').waitFor()
  // Everything that was chosen is still there after a reload.
  await page.reload()
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Existing account (2)')
  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByText('1 person has no password yet.').waitFor()
  await page.getByRole('row', { name: /^Message\b.*2 of 2/ }).waitFor()
  const { messages } = await server.people.cordelia.api.get('/messages', {
    ...{ anchor: 'newest', num_before: 5, num_after: 0, apply_markdown: false },
    narrow: [{ operator: 'sender', operand: 'me' }],
  })
  assert.equal(messages.at(-1).content, 'cold')

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save links as CSV' }).click()
  const links = readFileSync(await (await downloading).path(), 'utf8')
  assert.match(links, /^"email","name","link"\r\n"ann@example.org","Ann","http.*\/password\?token=\w+"\r\n$/)

  await page.getByRole('button', { name: 'Undo the import of old.jsonl?' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/undone$/).waitFor()
  await importerOf(server.chat).settled()
  const { imports } = await iago.api.get('/imports')
  assert.notEqual(imports[0].undone_at, null)
})

browserTest('continues an upload after a reload with the same file', async (t) => {
  await using server = await testServer({ web: true })
  const { iago } = server.people
  const { upload_url } = await iago.api.post('/import_job', { filename: 'old.jsonl', size: archive.length })
  await fetch(`${server.url}${upload_url}`, {
    method: 'PATCH',
    headers: {
      authorization: iago.authorization,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: Uint8Array.from(archive.subarray(0, 100)),
  })
  const page = await visit(t, server.url, iago)
  await page.goto(`${server.url}/#settings/imports`)
  const input = page.getByLabel('The upload stopped. Choose the same file to continue.')
  const other = { name: 'x.zip', mimeType: 'application/zip', buffer: Buffer.from('x') }
  await input.setInputFiles(other)
  await page.getByText("This isn't old.jsonl: the size is different.").waitFor()
  await input.setInputFiles({ ...other, name: 'old.jsonl', buffer: archive })
  await page.getByRole('heading', { name: 'What importing old.jsonl would do' }).waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await page.getByText('No imports yet.').waitFor()
  await page.getByLabel('Export from the other server').waitFor()
})
