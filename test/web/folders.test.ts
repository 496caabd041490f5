import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'

browserTest('groups the sidebar by folders, which administrators create, order and archive', async (t) => {
  await using server = await testServer({
    web: true,
    streams: { venice: { members: ['iago', 'hamlet'] }, padua: { members: ['iago', 'hamlet'] } },
  })
  const { iago, hamlet } = server.people
  const page = await visit(t, server.url, iago)
  await page.goto(`${server.url}/#settings/folders`)
  const create = async (name: string) => {
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('button', { name: 'Create folder' }).click()
    await page.getByRole('button', { name: `Edit ${name}` }).waitFor()
  }
  await create('Italy')
  await create('Elsewhere')
  await page.getByRole('button', { name: 'Move Elsewhere up' }).click()
  const folders = async (): Promise<{ id: number; name: string; is_archived: boolean }[]> =>
    (await iago.api.get('/channel_folders', { include_archived: true })).channel_folders
  await eventually('Elsewhere is first', async () => (await folders())[0]!.name === 'Elsewhere')
  // The channel's settings choose its folder.
  await page.goto(`${server.url}/#streams/${await server.streamId('venice')}`)
  await page.getByRole('combobox', { name: 'Folder' }).selectOption({ label: 'Italy' })
  const sidebar = page.getByRole('region', { name: 'Channels' })
  const folder = sidebar.getByRole('button', { name: 'Italy' })
  await folder.waitFor()

  // Others see the same, with the unread messages of a closed folder.
  const other = await visit(t, server.url, hamlet)
  const theirs = other.getByRole('region', { name: 'Channels' })
  await theirs.getByRole('link', { name: /venice/ }).waitFor()
  await theirs.getByRole('button', { name: 'Italy' }).click()
  await theirs.getByRole('link', { name: /venice/ }).waitFor({ state: 'detached' })
  await iago.says('Honest', { stream: 'venice', topic: 'news' })
  await theirs.getByRole('button', { name: /Italy.*1/ }).waitFor()
  await other.reload()
  await theirs.getByRole('button', { name: /Italy.*1/, expanded: false }).waitFor()
  await theirs.getByRole('link', { name: /padua/ }).waitFor()

  // A folder that still has channels can't be archived.
  await page.goto(`${server.url}/#settings/folders`)
  await page.getByRole('button', { name: 'Archive Italy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('alert').first().waitFor()
  await page.getByRole('button', { name: 'Archive Elsewhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('button', { name: 'Restore Elsewhere' }).waitFor()
  assert.equal((await folders()).find(({ name }) => name === 'Elsewhere')!.is_archived, true)
})
