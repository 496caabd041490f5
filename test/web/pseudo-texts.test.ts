import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { manualClock, type TestServer, testServer } from '../../src/testing/index.ts'
import { languageChoices } from '../../web/view/parts/language-names.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { administratorViews, fillSettings, views } from './all-views.ts'
import { newPage, signIn, sizes } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { settles } from './gestures.ts'
import { buildWithPseudoTexts } from './pseudo/build.ts'

/** Everything that people read or hear, a line each. */
const visibleTexts = `(() => {
  const said = [...document.querySelectorAll('[aria-label], [title], [placeholder], [alt], [aria-roledescription]')]
    .flatMap((one) => ['aria-label', 'title', 'placeholder', 'alt', 'aria-roledescription'].map((name) => one.getAttribute(name)))
  return [document.body.innerText, ...said.filter(Boolean)]
})()`

/** Texts of the page that are cut off, and elements that reach over a side of the window. */
const cutOff = `(() => {
  const isHidden = (one) => one.closest('.hidden, .skip') !== null
  const scrolls = (one) => one && (getComputedStyle(one).overflowX !== 'visible' || scrolls(one.parentElement))
  const all = [...document.querySelectorAll('body *')].filter((one) => !isHidden(one) && one.getClientRects().length > 0)
  const wide = all.filter((one) => {
    const { left, right, width } = one.getBoundingClientRect()
    return width > 1 && (left < -1 || right > innerWidth + 1) && !scrolls(one)
  })
  const ownText = (one) => [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join('')
  const cut = all.filter((one) => {
    const { overflowX } = getComputedStyle(one)
    // The first words of a message, who wrote, and the name of a conversation are shortened.
    if (one.matches('.excerpt, .conversation .small, .page-header h1') && !one.closest('.list-page > header')) return false
    return (overflowX === 'hidden' || overflowX === 'clip') && one.scrollWidth > one.clientWidth + 1 && ownText(one).includes('⟦')
  })
  return [...wide, ...cut].slice(0, 5).map((one) => one.outerHTML.slice(0, 160))
})()`

/** What the server rejects, by selectors that are the same in every language. */
const others: Readonly<Record<string, (page: Page, server: TestServer) => Promise<unknown>>> = {
  'a rejected value': async (page, server) => {
    await page.goto('/#settings/words')
    server.fail('POST */users/me/alert_words', { status: 403, times: 1 })
    await page.locator('input[name=word]').fill('ghost')
    await page.locator('input[name=word]').press('Enter')
    await page.locator('main .problem').filter({ hasText: /\w/ }).first().waitFor()
  },
}

const day = (i: number) => new Date(Date.UTC(2026, i, i + 1))

/** Words of dates and times in a language. */
const wordsOfTime = (language: string): string[] =>
  [...Array(12).keys()].flatMap((i) =>
    (['long', 'short'] as const).flatMap((style) => [
      ...new Intl.DateTimeFormat(language, { weekday: style }).format(new Date(Date.UTC(2026, 0, i + 1))).split(' '),
      ...new Intl.DateTimeFormat(language, { day: 'numeric', month: style }).format(day(i)).split(' '),
    ]),
  )

const relative = (language: string): string[] => {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  // However slow the machine is.
  const minutes = [...Array(59).keys()].map((i) => format.format(-i - 1, 'minute'))
  return [format.format(0, 'day'), format.format(-1, 'day'), format.format(0, 'second'), ...minutes]
}

/** What people and the server wrote, and what has the same name everywhere. */
const data = [
  ...['hamlet', 'cordelia', 'iago', 'polonius', 'Welcome Bot', 'Notification Bot', 'Bot \\w+', '\\S+@\\S+', 'Elsinore'],
  ...['general', 'open', 'greetings', 'channel events', "For anything that doesn't fit in another channel."],
  ...[
    'cooks',
    'Who cooks',
    'Work',
    'ghost',
    'test',
    'export',
    'Field \\d',
    'Some help',
    'Python',
    'Try',
    'Chrome on Linux',
  ],
  ...[
    'Buy now',
    'an ad',
    'spam',
    'reports',
    'Where',
    'Home',
    'Inn',
    'A word',
    'code',
    'more',
    'Hello, and welcome to Elsinore!.*',
    'Jitsi Meet',
  ],
  // Addresses, operators, and time zones.
  ...[
    'https?://\\S+',
    'example.com',
    '[\\w-]+:[\\w-]+',
    '(?:channels?|topic|sender|mentions|dm-including|has):[\\w-]*',
    '(?:is|has|in): [\\w, ]+',
    '\\w+/[\\w/ -]+',
  ],
  'starred, mentioned, unread, read, dm, resolved, followed, muted',
  'zulip|GMT|UTC|MEZ',
]

const dataIn = (language: 'de' | 'ar'): RegExp => {
  const names = languageChoices().map(([, name]) => name.replace(/[()]/g, '\\$&'))
  const words = [...data, ...names, ...wordsOfTime(language), ...relative(language), 'um', 'und', 'غرينتش']
  return new RegExp(words.sort((a, b) => b.length - a.length).join('|'), 'giu')
}

/** The letters outside of marks. */
function unmarked(text: string): string[] {
  let left = text
  for (let before = ''; before !== left; ) {
    before = left
    left = left.replace(/⟦[^⟦⟧]*⟧/g, ' ')
  }
  return left.split(/[\n·]/).map((line) => line.trim())
}

browserTest('no text is left in English, and longer ones fit phones in both directions', async (t) => {
  using folder = new TemporaryFolder()
  await buildWithPseudoTexts(folder.path)
  await using server = await testServer({
    web: true,
    webFiles: folder.path,
    clock: manualClock(Date.now()),
    streams: { open: { members: ['hamlet', 'iago'] }, reports: { private: true, members: ['iago'] } },
  })
  const { hamlet, cordelia, iago } = server.people
  await cordelia.says('@**hamlet** `code` and **more**')
  await cordelia.says('/poll Where?\nHome\nInn')
  await cordelia.says('A word', { people: [hamlet] })
  const group = await fillSettings(server.people)
  const problems: string[] = []
  for (const [language, width] of [
    ['de', 320],
    ['ar', 390],
  ] as const) {
    const known = dataIn(language)
    for (const person of [hamlet, iago]) await person.api.patch('/settings', { default_language: language })
    for (const [person, all] of [
      [hamlet, [...views, group]],
      [iago, administratorViews],
    ] as const) {
      const page = await newPage(server.url, { size: { ...sizes.phone, width } })
      t.after(() => page.context().close())
      await signIn(page, person)
      await page.locator(`html[lang=${language}] .shell`).waitFor()
      const look = async (view: string) => {
        await settles(page, server)
        for (const element of (await page.evaluate(cutOff)) as string[])
          problems.push(`${view} ${language}: ${element}`)
        // The audit log has the names that operations have in the API.
        if (view === '#settings/audit') return
        const lines = ((await page.evaluate(visibleTexts)) as string[]).flatMap(unmarked)
        const left = lines.filter((line) => /\p{L}{3}/u.test(line.replace(known, '')))
        for (const line of new Set(left)) problems.push(`${view} ${language}: ${line}`)
      }
      for (const view of all) {
        await page.goto(`/${view}`)
        // Whether the field has the focus, and so suggestions, depends on the views before it.
        if (view === '#search') {
          await settles(page, server)
          await page.locator('main [role=combobox]').blur()
          await page.locator('main [role=combobox]').focus()
          await page.locator('main [role=listbox]').waitFor()
        }
        await look(view)
      }
      for (const [name, open] of Object.entries(person === hamlet ? others : {})) {
        await page.goto('about:blank')
        await open(page, server)
        await look(name)
      }
    }
  }
  assert.deepEqual(problems, [])
})
