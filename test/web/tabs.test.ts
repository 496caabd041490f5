import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { violations } from './axe.ts'
import { sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { settles } from './gestures.ts'

browserTest('shows the settings of channels and groups in tabs, which the address names', async (t) => {
  await using server = await testServer({ web: true, groups: { cooks: ['hamlet'] } })
  const { iago } = server.people
  const general = await server.streamId('general')
  const page = await visit(t, server.url, iago)
  await page.goto(`/#streams/${general}`)
  const tabs = page.getByRole('tab')
  await page.getByRole('tab', { name: 'General', selected: true }).waitFor()
  assert.deepEqual(await tabs.allInnerTexts(), ['General', 'Personal', 'Members', 'Permissions'])
  await page.getByRole('region', { name: 'Danger zone' }).getByRole('button', { name: 'Archive' }).waitFor()
  // Arrow keys move between tabs.
  await tabs.first().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('tabpanel', { name: 'Members' }).getByText('iago').waitFor()
  await page.getByRole('tab', { name: 'Members', selected: true }).and(page.locator(':focus')).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).count(), 0)
  await page.reload()
  await page.getByRole('tab', { name: 'Members', selected: true }).waitFor()
  await page.goBack()
  await page.goForward()
  await page.getByRole('tab', { name: 'Members', selected: true }).waitFor()

  // A tab ends with the right to use it.
  const other = await visit(t, server.url, server.people.hamlet)
  await other.goto(`/#streams/${general}/permissions`)
  await other.getByRole('tab', { name: 'Personal', selected: true }).waitFor()
  assert.deepEqual(await other.getByRole('tab').allInnerTexts(), ['Personal', 'Members'])

  const { user_groups } = await iago.api.get('/user_groups')
  const { id } = user_groups.find(({ name }: { name: string }) => name === 'cooks')
  await page.goto(`/#settings/groups/${id}/permissions`)
  await page.getByLabel('Mention').waitFor()
  await page.getByRole('tab', { name: 'General' }).click()
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await page.waitForURL(new RegExp(`#settings/groups/${id}/general$`))
})

for (const size of ['wide', 'phone'] as const) {
  browserTest(`axe finds no violations in any tab (${size})`, async (t) => {
    await using server = await testServer({ web: true })
    const page = await visit(t, server.url, server.people.iago, { size: sizes[size] })
    for (const tab of ['general', 'personal', 'members', 'permissions']) {
      await page.goto(`/#streams/${await server.streamId('general')}/${tab}`)
      await page.reload()
      await settles(page, server)
      assert.deepEqual(await violations(page), [], tab)
    }
  })
}
