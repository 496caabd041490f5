// Screenshots of every view of the web client, in both themes and three widths: `npx tsx scripts/screenshots.ts
// [folder] [pattern of names] [part of a form, such as phone or wide-dark] [language]`. Images for documents go to
// docs/screenshots, as WebP.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { testServer } from '../src/testing/index.ts'
import { clientBuilt, closeBrowsers, newPage, problemsOf, signIn, sizes } from '../test/web/browser.ts'
import { signInHere } from '../test/web/gestures.ts'
import type { Language } from '../web/texts/plural.ts'
import { dialogs } from './screenshots-dialogs.ts'
import { firstRun, openToAll, pagesByLink, seed, seedSettings } from './screenshots-seed.ts'
import { signOnViews, strictServer } from './screenshots-sign-on.ts'
import { views, viewsWithoutAccount } from './screenshots-views.ts'
import { inWordsOf } from './screenshots-words.ts'

const [folder = 'screenshots', wanted = '', form = '', language = 'en'] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })

/** Screenshots in documents, by their file names there. */
const documents: Readonly<Record<string, string>> = {
  'conversation-wide-light': 'conversation.webp',
  'conversation-phone-dark': 'phone.webp',
  'first-run-wide-light': 'first-steps.webp',
  'inbox-wide-light': 'inbox.webp',
  'markup-wide-dark': 'markup.webp',
  'media-wide-light': 'media.webp',
  'jump-wide-light': 'palette.webp',
  'stream-permissions-wide-light': 'channel-permissions.webp',
  'import-preview-wide-light': 'import.webp',
  'sign-on-wide-light': 'sign-in.webp',
  'reports-wide-light': 'reports.webp',
  'audit-wide-light': 'audit.webp',
}
/** A tablet held upright, which is narrower than the middle size of the tests. */
const tablet = { width: 820, height: 1000 }
/** How long a step may take. A failed step is reported, and the next one follows. */
const STEP_MS = 10_000
const isForDocuments = resolve(folder) === resolve('docs/screenshots')

await clientBuilt()
await using server = await testServer(seed)
await seedSettings(server)
const { cordelia, hamlet } = server.people
for (const { api } of [cordelia, hamlet]) await api.patch('/settings', { default_language: language })
/** People in other countries read English with 24 hours. */
const locale = language === 'en' ? 'en-GB' : language
await using alone = await firstRun()
await using strict = await strictServer()
/** Views of people other than Cordelia. */
const others = {
  'nothing-new': { url: server.url, account: hamlet },
  'first-run': { url: alone.url, account: alone.owner },
}
const any = await newPage(server.url)
await inWordsOf(any, language as Language)
await any.context().close()
for (const theme of ['light', 'dark'] as const) {
  for (const [width, size] of Object.entries(sizes)) {
    if (!`${width}-${theme}`.includes(form)) continue
    const page = await newPage(server.url, {
      size: isForDocuments || width !== 'middle' ? size : tablet,
      theme,
      locale,
    })
    page.setDefaultTimeout(STEP_MS)
    const shoot = async (name: string, page: Page) => {
      const inDocs = documents[`${name}-${width}-${theme}`]
      // Elements under the pointer look different.
      await page.mouse.move(0, 0)
      const picture = await page.screenshot()
      if (!isForDocuments) writeFileSync(join(folder, `${name}-${width}-${theme}.png`), picture)
      else if (inDocs) await sharp(picture).webp({ lossless: true, effort: 6 }).toFile(join(folder, inDocs))
    }
    const isWanted = (name: string) =>
      new RegExp(wanted).test(name) && (!isForDocuments || documents[`${name}-${width}-${theme}`] !== undefined)
    if (isWanted('sign-in')) {
      await page.goto('/')
      await page.waitForSelector('.sign-in')
      await page.waitForTimeout(200)
      await shoot('sign-in', page)
      await signInHere(page, 'cordelia@example.com', 'wrong horse')
      await page.locator('.problem:not(:empty)').waitFor()
      await shoot('sign-in-refused', page)
    }
    for (const [name, address] of Object.entries(await pagesByLink(server))) {
      if (!isWanted(name)) continue
      await page.goto(address)
      await shoot(name, page)
    }
    await openToAll(server, true)
    for (const [name, step] of Object.entries(viewsWithoutAccount)) {
      if (!isWanted(name)) continue
      await step(page, server)
      await page.waitForTimeout(500)
      await shoot(name, page)
    }
    await openToAll(server, false)
    await signIn(page, cordelia)
    // After a click, elements that get the focus show no ring.
    await page.locator('h1').first().click()
    // People appear after the first view.
    await page.locator('.person').first().waitFor({ state: 'attached' })
    for (const [name, step] of Object.entries({ ...views, ...dialogs })) {
      if (!isWanted(name)) continue
      const undo = await step(page, server).catch((error: Error) => console.error(`${name}: ${error.message}`))
      await page.waitForTimeout(500)
      await shoot(name, page)
      if (typeof undo === 'function') await undo()
      // Closes open menus and dialogs. Otherwise a key press would show a focus ring.
      if ((await page.locator('dialog[open], [role=menu]').count()) > 0) await page.keyboard.press('Escape')
    }
    for (const [name, { url, account }] of Object.entries(others)) {
      if (!isWanted(name)) continue
      const other = await newPage(url, { size, theme, locale })
      await signIn(other, account)
      await other.waitForTimeout(1500)
      await shoot(name, other)
      await other.context().close()
    }
    const stranger = await newPage(strict.url, { size: page.viewportSize() ?? size, theme, locale })
    for (const [name, step] of Object.entries(signOnViews)) {
      if (!isWanted(name)) continue
      await step(stranger, strict).catch((error: Error) => console.error(`${name}: ${error.message}`))
      await shoot(name, stranger)
    }
    await stranger.context().close()
    const problems = problemsOf.get(page)!
    if (problems.length > 0) console.error(`${width} ${theme}:\n  ${[...new Set(problems)].join('\n  ')}`)
    await page.context().close()
  }
}
await closeBrowsers()
