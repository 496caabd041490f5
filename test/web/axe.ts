import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const all = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules for which the theme matters, which changes colors only. */
const ofColor = ['color-contrast', 'link-in-text-block']

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

/** Returns axe's findings for the current page, in both themes. */
export async function violations(page: Page): Promise<string[]> {
  // Run by the browser's debugger, which the page's policy does not bind.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axe)
  const found = async (rules: readonly string[]) => {
    const run = `axe.run({ runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })`
    return (await page.evaluate(`${run}.then((result) => result.violations)`)) as Violation[]
  }
  const light = await found(all)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await found(ofColor)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark].flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  )
}
