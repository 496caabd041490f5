// cspell:ignore heute gestern
// Walks through the page in a language, and opens what its buttons open: `npx tsx scripts/language-walk.ts CODE [width]
// [pseudo] [part of an address]`. Lists texts that are cut off, and with `pseudo` those that the page has no words for.
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { testServer } from '../src/testing/index.ts'
import { TemporaryFolder } from '../test/temporary-folder.ts'
import { administratorViews, views } from '../test/web/all-views.ts'
import { clientBuilt, closeBrowsers, newPage, problemsOf, signIn } from '../test/web/browser.ts'
import { buildWithPseudoTexts } from '../test/web/pseudo/build.ts'
import { seed, seedSettings } from './screenshots-seed.ts'

const [language = 'de', width = '1400', ...rest] = process.argv.slice(2)
const isPseudo = rest.includes('pseudo')
const wanted = rest.find((one) => one !== 'pseudo') ?? ''
/** Long enough for what a button opens to be drawn. */
const OPENING_MS = 120

const texts = `(() => {
  const shown = (one) => one.getClientRects().length > 0 && !one.closest('.content, .excerpt, datalist, .hidden, script, style, .emoji-list, .emoji-picker footer, time, kbd')
  const all = [...document.querySelectorAll('body *')].filter(shown)
  const own = all.flatMap((one) => [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data))
  const said = all.flatMap((one) => ['aria-label', 'title', 'placeholder', 'alt', 'aria-roledescription', 'aria-valuetext'].map((name) => one.getAttribute(name)))
  return [...own, ...said].filter(Boolean).map((text) => text.trim()).filter(Boolean)
})()`

const cutOff = `(() => {
  const scrolls = (one) => one && (getComputedStyle(one).overflowX !== 'visible' || scrolls(one.parentElement))
  const found = []
  for (const one of document.querySelectorAll('body *')) {
    if (one.closest('.hidden, .skip, .excerpt, datalist') || one.getClientRects().length === 0) continue
    const { left, right, width } = one.getBoundingClientRect()
    const { overflowX } = getComputedStyle(one)
    const own = [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join('').trim()
    const isWide = width > 1 && (left < -1 || right > innerWidth + 1) && !scrolls(one)
    const isCut = (overflowX === 'hidden' || overflowX === 'clip') && one.scrollWidth > one.clientWidth + 1 && own
    if (isWide || isCut) found.push((isWide ? 'wide ' : 'cut ') + one.tagName.toLowerCase() + '.' + one.className + ': ' + (one.innerText ?? '').slice(0, 80))
  }
  return found.slice(0, 6)
})()`

/** What a press of any of them opens is looked at. */
const opening = `(() => {
  const name = (one) => (one.getAttribute('aria-label') ?? one.innerText ?? '').trim()
  return [...document.querySelectorAll('main button, main summary, main [role=tab], .left-sidebar button, .bottom-bar button, dialog button, [role=menu] [role=menuitem], .compose button')]
    .filter((one) => one.getClientRects().length > 0 && !one.disabled)
    .map((one, i) => { one.dataset.walk = String(i); return [String(i), (one.closest('dialog,[role=menu]') ? 'in ' : '') + one.className + ' ' + name(one).replace(/[\\d:]+/g, '0').slice(0, 60)] })
})()`

await clientBuilt()
using folder = new TemporaryFolder()
if (isPseudo) await buildWithPseudoTexts(folder.path)
await using server = await testServer({ ...seed, ...(isPseudo && { webFiles: folder.path }) })
await seedSettings(server)
const { cordelia, iago } = server.people
for (const person of [cordelia, iago]) await person.api.patch('/settings', { default_language: language })
const state = await cordelia.api.post('/register', { fetch_event_types: undefined })
const known = JSON.stringify(state).toLowerCase()

/** Names of people and channels, dates, times, and operators, which no language has words for. */
const names = [
  ...state.realm_users.map(({ full_name }: { full_name: string }) => full_name),
  ...state.streams.map(({ name }: { name: string }) => name),
].sort((a: string, b: string) => b.length - a.length)
const isData = (text: string): boolean => {
  const rest = names.reduce((left: string, name: string) => left.replaceAll(name, ' '), text)
  const words =
    /\d{1,2}:\d\d.*|\d+ (?:Min|Std)\.|\b(?:und|Heute|Gestern)\b|\w+\., \d+\. \w+|[\w-]+:[\w-]*|\S+@\S+|https?:\S+|\(?Ctrl\+\w+\)?/g
  return !/\p{L}{3}/u.test(rest.replace(words, ' '))
}

const seen = new Set<string>()
const pressed = new Set<string>()
const report = (where: string, text: string) => {
  if (seen.has(text)) return
  seen.add(text)
  console.log(`${where}: ${text.replace(/\s+/g, ' ').slice(0, 200)}`)
}

function unmarked(text: string): string {
  let left = text
  for (let before = ''; before !== left; ) {
    before = left
    left = left.replace(/⟦[^⟦⟧]*⟧/g, ' ')
  }
  return left.trim()
}

async function look(page: Page, where: string): Promise<void> {
  for (const one of (await page.evaluate(cutOff)) as string[]) report(where, one)
  if (!isPseudo) return
  for (const text of (await page.evaluate(texts)) as string[]) {
    const left = unmarked(text)
    if (isData(left) || known.includes(JSON.stringify(left).slice(1, -1).toLowerCase())) continue
    report(where, `english “${left}” in “${text.slice(0, 120)}”`)
  }
}

/** Returns to a view in which nothing is open. */
async function reset(page: Page, address: string): Promise<void> {
  for (let i = 0; i < 3; i++)
    if ((await page.locator('dialog[open], [role=menu], [role=listbox]').count()) > 0)
      await page.keyboard.press('Escape')
  if (
    (await page.locator('dialog[open]').count()) > 0 ||
    !(await page.evaluate('location.hash')) ||
    (await page.evaluate('location.hash')) !== address
  ) {
    await page.goto('about:blank')
    await page.goto(`/${address}`)
    await pause(400)
  }
}

async function press(page: Page, address: string, path: readonly string[]): Promise<void> {
  const buttons = (await page.evaluate(opening)) as [string, string][]
  for (const [, key] of buttons) {
    if (/^(?:in )?(?:sender|avatar)/.test(key)) continue
    if (pressed.has(key) || (path.length > 0 && !key.startsWith('in '))) continue
    pressed.add(key)
    // What was pressed before may have changed the page.
    const now = ((await page.evaluate(opening)) as [string, string][]).find(([, other]) => other === key)
    if (!now) continue
    await page
      .locator(`[data-walk="${now[0]}"]`)
      .first()
      .click({ force: true, timeout: 1500 })
      .catch(() => {})
    await pause(OPENING_MS)
    await look(page, `${address} ${[...path, key.trim()].join(' > ')}`)
    const isOpen = (await page.locator('dialog[open], [role=menu]').count()) > 0
    if (isOpen && path.length < 2) await press(page, address, [...path, key.trim()])
    if (path.length > 0) {
      if ((await page.locator('dialog[open], [role=menu]').count()) === 0) return
      continue
    }
    await reset(page, address)
  }
}

const messages = await cordelia.api.get('/get_stream_id', { stream: 'design' })
const design = `#narrow/channel/${messages.stream_id}/topic/new.20logo`
const { user_groups } = await cordelia.api.get('/user_groups')
const group = user_groups.find(({ name }: { name: string }) => name === 'designers')
const page = await newPage(server.url, { size: { width: Number(width), height: 860 }, locale: language })
page.setDefaultTimeout(8000)
if ('#signin'.includes(wanted)) {
  await page.goto('/')
  await page.locator('.sign-in').waitFor()
  await look(page, 'sign-in')
}
await signIn(page, cordelia)
await page.locator(`html[lang=${language}] .shell`).waitFor()
const all = [
  design,
  `#narrow/dm/${server.people.beatrice.id}`,
  ...views,
  ...administratorViews,
  `#settings/groups/${group.id}`,
]
for (const address of new Set(all)) {
  if (!address.includes(wanted)) continue
  await page.goto(`/${address}`)
  await pause(700)
  await look(page, address)
  if (address === design) {
    for (const key of ['?', 'Control+k', 'x', '/']) {
      await page.locator('#main-view').focus()
      await page.keyboard.press(key)
      await pause(500)
      await look(page, `key ${key}`)
      await reset(page, address)
    }
    await page.locator('article[id]').last().click()
    await pause(200)
  }
  await press(page, address, []).catch((error: Error) => console.log(`${address}: ${error.message.slice(0, 300)}`))
}
for (const problem of new Set(problemsOf.get(page))) console.error(`error: ${problem}`)
await page.context().close()
await closeBrowsers()
