import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { exporterOf } from '../../src/core/organization/exports/exporter.ts'
import { testServer } from '../../src/testing/index.ts'
import { readArchive } from '../organization/exports/read-archive.ts'
import { sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'

browserTest('people export their own data on a phone, download it and delete it', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  await hamlet.says('To be, or not to be', { stream: 'general', topic: 'question' })
  // Another export is in progress, so this one waits.
  const { promise, resolve } = Promise.withResolvers<void>()
  const other = exporterOf(server.chat).alone(() => promise, { signal: undefined, leaves: ['x.partial'], onWait() {} })
  const page = await visit(t, server.url, hamlet, { size: sizes.phone })
  await page.goto(`${server.url}/#settings/account`)
  await page.getByRole('heading', { name: 'Your data' }).waitFor()
  const request = page.getByRole('button', { name: 'Export your data' })
  await request.click()
  await page.getByRole('status').filter({ hasText: 'In progress…' }).waitFor()
  assert.equal(await request.isDisabled(), true)
  // After a reload, the page still shows it.
  await page.reload()
  await page.getByRole('status').filter({ hasText: 'In progress…' }).waitFor()
  resolve()
  await other
  await page.getByText(/^Available until .* \(\d+ kB\)$/).waitFor()
  const width = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  assert.equal(width, 0)
  await page.getByRole('heading', { name: 'Your data' }).scrollIntoViewIfNeeded()
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/own-export.png` })

  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  const { files } = await readArchive(createReadStream(await (await downloading).path()))
  assert.match(Buffer.from(files.get('import.jsonl')!).toString(), /"To be, or not to be"/)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('link', { name: 'Download' }).waitFor({ state: 'detached' })
  assert.equal(await request.isDisabled(), false)
})
