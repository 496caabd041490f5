import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { until } from './gestures.ts'

browserTest('finds settings by name or description, and opens the page at them', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.iago)
  await page.goto('/#settings/profile')
  const pages = page.getByRole('navigation', { name: 'Settings' })
  // Every page has an icon.
  const links = await pages.getByRole('link').count()
  assert.equal(await pages.locator('a > svg.icon').count(), links)
  await pages.getByRole('list', { name: 'Security and data' }).getByRole('link', { name: 'Domains' }).waitFor()

  const search = page.getByRole('searchbox', { name: 'Search settings' })
  const found = page.getByRole('list', { name: 'Matching settings' })
  // Its placeholder is longer in other languages.
  assert.equal(
    await page.evaluate(`getComputedStyle(document.querySelector('.settings-rail input')).textOverflow`),
    'ellipsis',
  )
  await search.fill('retention')
  await found.getByRole('link', { name: /^Message retention/ }).click()
  await page.getByRole('heading', { name: 'Messages', exact: true }).waitFor()
  await until(page, `document.activeElement.closest('#setting-message_retention_days') !== null`)
  // The list of pages is there again.
  await pages.locator('[aria-current=page]').getByText('Messages').waitFor()

  // Only its description has the word.
  await search.fill('14:05')
  await found.getByRole('link', { name: /24-hour time/ }).waitFor()
  await search.press('Enter')
  await until(page, `document.activeElement.closest('#setting-twenty_four_hour_time') !== null`)
  // The same one again, which is no longer in sight.
  await page.evaluate(`document.querySelector('.settings').scrollTop = 0`)
  await search.fill('14:05')
  await search.press('Enter')
  await until(page, `document.activeElement.closest('#setting-twenty_four_hour_time') !== null`)
  assert.ok(Number(await page.evaluate(`document.querySelector('.settings').scrollTop`)) > 0)
  await search.fill('no such thing')
  await page.getByText('No settings match.').waitFor()
})

browserTest('offers only settings that the reader can change, on a phone too', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.hamlet, { size: sizes.phone })
  await page.goto('/#settings/profile')
  const search = page.getByRole('searchbox', { name: 'Search settings' })
  await search.fill('retention')
  await page.getByText('No settings match.').waitFor()
  await search.fill('theme')
  await page
    .getByRole('list', { name: 'Matching settings' })
    .getByRole('link', { name: /^Theme/ })
    .click()
  await page.getByRole('heading', { name: 'Display', exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Theme' }).waitFor()
})
