import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import test, { after } from 'node:test'
import type { Page } from 'playwright-core'
import { testServer } from '../../src/testing/index.ts'
import { clientBuilt, closeBrowser, newPage, signIn, sizes, skip, visit } from './browser.ts'

after(closeBrowser)

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = "{ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }"

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

/** What axe finds wrong with the page as it is. */
async function violations(page: Page): Promise<string[]> {
  // Run by the browser's debugger, which the page's policy does not bind.
  await page.evaluate(axe)
  const found = (await page.evaluate(`axe.run(${rules}).then((result) => result.violations)`)) as Violation[]
  return found.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  )
}

const views = [
  '#inbox',
  '#recent',
  '#drafts',
  '#scheduled',
  '#streams',
  '#streams/1',
  '#people',
  '#search',
  '#narrow',
  '#narrow/is/starred',
  '#settings/profile',
  '#settings/display',
  '#settings/notifications',
  '#settings/sessions',
  '#settings/emoji',
]

/** Views that only administrators have. */
const administratorViews = [
  '#streams/1',
  '#settings/organization',
  '#settings/messages',
  '#settings/accounts',
  '#settings/permissions',
  '#settings/users',
]

for (const theme of ['light', 'dark'] as const) {
  for (const size of ['wide', 'phone'] as const) {
    test(`axe finds nothing wrong with any view (${theme}, ${size})`, { skip }, async (t) => {
      await clientBuilt()
      await using server = await testServer({ web: true })
      const { hamlet, cordelia, iago } = server.people
      await cordelia.says(
        '@**hamlet** `code`, a [link](https://example.com) and **more**\n\n```js\nconst a = 1 // one\n```',
      )
      await cordelia.says('/poll Where?\nHome\nInn')
      await cordelia.says('A word', { people: [hamlet] })
      const page = await newPage(server.url, { theme, size: sizes[size] })
      t.after(() => page.context().close())
      const check = async (at: Page, view: string) => {
        await at.goto(`/${view}`)
        await at.waitForTimeout(250)
        assert.deepEqual(await violations(at), [], view)
      }
      await page.goto('/')
      await page.getByLabel('Password').waitFor()
      assert.deepEqual(await violations(page), [], 'the sign-in page')
      await signIn(page, hamlet)
      for (const view of views) await check(page, view)
      await page.locator('#main-view').focus()
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
      assert.deepEqual(await violations(page), [], 'the help')
      const ofOwner = await visit(t, server.url, iago, { theme, size: sizes[size] })
      for (const view of administratorViews) await check(ofOwner, view)
    })
  }
}
