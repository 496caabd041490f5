// Pictures of every view of the web client in a language, in three widths: `npx tsx scripts/language-pictures.ts CODE
// FOLDER [part of a name]`. Lists texts that are cut off. `screenshots.ts` opens menus and dialogs in a language, too.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { testServer } from '../src/testing/index.ts'
import { administratorViews, views } from '../test/web/all-views.ts'
import { clientBuilt, closeBrowsers, newPage, problemsOf, signIn, sizes } from '../test/web/browser.ts'
import { seed, seedSettings } from './screenshots-seed.ts'

const [language = 'de', folder = 'pictures', wanted = ''] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })

/** Texts that are shortened by an ellipsis, and elements over a side of the window. */
const cutOff = `(() => {
  const scrolls = (one) => one && (getComputedStyle(one).overflowX !== 'visible' || scrolls(one.parentElement))
  return [...document.querySelectorAll('body *')].filter((one) => {
    if (one.closest('.hidden, .skip, .excerpt, datalist') || one.getClientRects().length === 0) return false
    const { left, right, width } = one.getBoundingClientRect()
    const isWide = width > 1 && (left < -1 || right > innerWidth + 1) && !scrolls(one)
    const { overflowX } = getComputedStyle(one)
    const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
    return isWide || ((overflowX === 'hidden' || overflowX === 'clip') && one.scrollWidth > one.clientWidth + 1 && hasText)
  }).slice(0, 8).map((one) => one.innerText.slice(0, 80))
})()`

await clientBuilt()
await using server = await testServer(seed)
await seedSettings(server)
const { cordelia, iago } = server.people
for (const person of [cordelia, iago]) await person.api.patch('/settings', { default_language: language })
for (const [width, size] of Object.entries(sizes)) {
  const shoot = async (page: Page, name: string) => {
    await page.waitForTimeout(500)
    writeFileSync(join(folder, `${name}-${width}.png`), await page.screenshot())
    const cut = (await page.evaluate(cutOff)) as string[]
    if (cut.length > 0) console.log(`${name} ${width}: ${cut.join(' | ')}`)
  }
  const signInPage = await newPage(server.url, { size, locale: language })
  await signInPage.goto('/')
  if ('sign-in'.includes(wanted)) await shoot(signInPage, 'sign-in')
  for (const [person, all] of [
    [cordelia, views],
    [iago, administratorViews],
  ] as const) {
    const page = await newPage(server.url, { size })
    await signIn(page, person)
    await page.locator(`html[lang=${language}] .shell`).waitFor()
    for (const view of all) {
      const name = view.slice(1).replaceAll('/', '-')
      if (!name.includes(wanted)) continue
      await page.goto(`/${view}`)
      await shoot(page, name)
    }
    for (const problem of new Set(problemsOf.get(page))) console.error(`${width}: ${problem}`)
    await page.context().close()
  }
  await signInPage.context().close()
}
await closeBrowsers()
