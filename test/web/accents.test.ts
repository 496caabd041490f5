import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { png } from '../files/images.ts'
import { newPage, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { lowContrasts } from './contrast.ts'
import { until } from './gestures.ts'

const pairs = [
  ['accent', 'page'],
  ['accent', 'side'],
  ['accent', 'raised'],
  ['accent', 'accent-wash'],
  ['accent', 'mention-wash'],
  ['accent', 'hover'],
  ['on-accent', 'accent'],
  ['text', 'accent-wash'],
  ['quiet', 'accent-wash'],
] as const

browserTest('every accent has enough contrast in both themes', async (t) => {
  await using server = await testServer({ web: true })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.goto('/')
  await page.getByLabel('Password').waitFor()
  const hues = Array.from({ length: 24 }, (_, i) => `hsl(${i * 15} 100% 50%)`)
  const extremes = ['#000000', '#ffffff', '#ffff00', '#0000ff', '#777777']
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const accent of ['', 'blue', 'green', 'purple', 'orange', ...hues, ...extremes]) {
      const name = accent.startsWith('hsl') ? '#own' : accent
      await page.evaluate(
        `document.documentElement.dataset.accent = '${name}'; document.documentElement.style.setProperty('--own', '${accent}')`,
      )
      assert.deepEqual(await lowContrasts(page, pairs, 4.5, `${accent || 'usual'} ${colorScheme}`), [])
    }
  }
})

browserTest(
  "an organization's color, logo and sentence are on the sign-in page, and people choose another",
  async (t) => {
    await using server = await testServer({ web: true })
    const { iago, hamlet } = server.people
    await iago.api.upload('/realm/logo?night=false', png())
    await iago.api.patch('/realm', { description: 'Something is rotten.' })
    const owner = await visit(t, server.url, iago)
    await owner.goto('/#settings/organization')
    await owner.getByRole('radio', { name: 'Accent color 6' }).check()
    await owner.getByText('Saved').waitFor()
    await until(owner, `document.documentElement.dataset.accent === '#1e8a4c'`)
    assert.equal((await iago.api.patch('/realm', { accent_color: 'green' })).status, 400)

    const page = await newPage(server.url)
    t.after(() => page.context().close())
    await page.goto('/')
    await page.getByText('Something is rotten.').waitFor()
    await page.locator('img.logo').waitFor()
    await until(page, `document.documentElement.dataset.accent === '#1e8a4c'`)

    const own = await visit(t, server.url, hamlet)
    await own.goto('/#settings/display')
    await own.getByLabel('Accent color', { exact: true }).selectOption('Purple')
    await until(own, `document.documentElement.dataset.accent === 'purple'`)
    await own.getByText('Saved').waitFor()
    // The next start begins with it. A stored screen that is older may follow until the server has answered.
    await own.addInitScript(`globalThis.accents = []
      new MutationObserver((changes) => accents.push(...changes.map(({ oldValue }) => oldValue), document.documentElement.dataset.accent))
        .observe(document, { subtree: true, attributeFilter: ['data-accent'], attributeOldValue: true })`)
    await own.reload()
    await until(own, `accents.some(Boolean)`)
    assert.equal(await own.evaluate(`accents.find(Boolean)`), 'purple')
    await own.getByLabel('Accent color', { exact: true }).selectOption('As in the organization')
    await until(own, `document.documentElement.dataset.accent === '#1e8a4c'`)
    await owner.getByLabel('Accent color', { exact: true }).waitFor()
    await owner.getByRole('button', { name: 'Remove', exact: true }).first().click()
    await until(own, `document.documentElement.dataset.accent === ''`)
  },
)
