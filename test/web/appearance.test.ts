import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { onePixelPng } from '../fixtures/images.ts'
import { newPage, problemsOf, signIn, sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, settles, until } from './gestures.ts'

browserTest('shows a status with emoji and text beside the name to others', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  await hamlet.says('Words, words, words', { topic: 'books' })
  const page = await visit(t, server.url, hamlet)
  const other = await visit(t, server.url, cordelia)
  await openTopic(other, server, 'general', 'books')
  await page.getByRole('button', { name: /account of hamlet/ }).click()
  await page.getByRole('menuitem', { name: 'Set a status' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your status' })
  // The focus is where one writes, and comes back to it from the emoji.
  await dialog.waitFor()
  await page.keyboard.type('Reading')
  await dialog.getByRole('button', { name: 'Choose an emoji' }).click()
  await page.keyboard.type('octopus')
  await dialog.getByRole('button', { name: 'octopus', exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await until(page, `document.activeElement?.getAttribute('aria-label') === 'Status'`)
  await page.keyboard.type(' a book')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })

  const beside = { name: 'octopus' } as const
  await message(other, 'Words, words').getByRole('img', beside).waitFor()
  const people = other.getByRole('complementary', { name: 'People' })
  await people.getByText('Reading a book').waitFor()
  await people.getByRole('img', beside).waitFor()
  await message(other, 'Words, words').getByRole('button', { name: 'hamlet', exact: true }).click()
  await other.getByRole('dialog').getByText('Reading a book').waitFor()

  await page.goto('/#settings/profile')
  await page.getByRole('button', { name: 'Set a status' }).click()
  await dialog.getByRole('button', { name: 'In a meeting' }).click()
  await other.keyboard.press('Escape')
  await message(other, 'Words, words').getByRole('img', { name: 'calendar' }).waitFor()
  await page.getByRole('button', { name: 'Set a status' }).click()
  await dialog.getByRole('button', { name: 'Clear status' }).click()
  await message(other, 'Words, words').getByRole('img', { name: 'calendar' }).waitFor({ state: 'detached' })
  assert.deepEqual((await hamlet.api.get(`/users/${hamlet.id}/status`)).status, {})
})

browserTest('groups consecutive messages and shows their times on hover', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('A word', { topic: 'time' })
  await server.cordelia.says('And another', { topic: 'time' })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'time')
  const second = message(page, 'And another')
  await second.waitFor()
  assert.equal(await second.locator('header').count(), 0)
  const opacity = `getComputedStyle(document.querySelector('.gutter')).opacity`
  await page.mouse.move(0, 0)
  await until(page, `${opacity} === '0'`)
  await second.hover()
  await until(page, `${opacity} === '1'`)
})

browserTest('density scales text, lines, rows and gaps together', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('A word', { topic: 'size' })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'size')
  const sizesNow = `JSON.stringify(['.message .content', '.places .row'].map((one) => document.querySelector(one).getBoundingClientRect().height))`
  await message(page, 'A word').waitFor()
  // A picture drawn of initials has the size of one that is fetched.
  for (const [where, size] of [
    ['.message', 36],
    ['.account', 28],
  ] as const) {
    const { width, height } = (await page.locator(`${where} .avatar .drawn`).first().boundingBox())!
    assert.deepEqual([width, height], [size, size])
  }
  const [usualText, usualRow] = JSON.parse(String(await page.evaluate(sizesNow)))
  const other = await visit(t, server.url, server.hamlet)
  await other.goto('/#settings/display')
  await other.getByLabel('Density').selectOption('Compact')
  await until(page, `JSON.parse(${sizesNow})[0] < ${usualText}`)
  const [denseText, denseRow] = JSON.parse(String(await page.evaluate(sizesNow)))
  assert.ok(denseText < usualText && denseRow < usualRow && denseRow >= 24, `${denseText}, ${denseRow}`)
  await other.getByLabel('Line height').fill('200')
  await other.getByLabel('Line height').press('Tab')
  await until(page, `JSON.parse(${sizesNow})[0] > ${denseText}`)
  await until(
    other,
    `document.querySelector('.settings select:not(.pages-of-settings)').selectedOptions[0].text === 'Custom'`,
  )
})

browserTest('applies the theme before the first paint and prints messages dark on light', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('Read me on paper', { topic: 'paper' })
  await server.hamlet.api.patch('/settings', { color_scheme: 2 })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'paper')
  await page.addInitScript(`new PerformanceObserver(() => {
    window.themeAtFirst ??= document.documentElement.dataset.theme
  }).observe({ type: 'paint', buffered: true })
  document.addEventListener('DOMContentLoaded', () => { window.themeWhenParsed = document.documentElement.dataset.theme })`)
  await page.reload()
  await message(page, 'Read me on paper').waitFor()
  await until(page, 'window.themeAtFirst !== undefined')
  assert.deepEqual(await page.evaluate('[themeWhenParsed, themeAtFirst]'), ['dark', 'dark'])
  const colour = `document.querySelector('meta[name=theme-color]').content`
  assert.equal(await page.evaluate(colour), '#1d1e22')
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.evaluate(`getComputedStyle(document.body).colorScheme`), 'light')
  assert.ok(await message(page, 'Read me on paper').isVisible())
  for (const aside of ['.left-sidebar', '.people-sidebar', '.compose', '.page-header button'])
    assert.equal(await page.locator(aside).first().isVisible(), false, aside)
})

browserTest('a right-to-left language mirrors the page and localizes dates', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('مرحبا بالعالم', { topic: 'peace' })
  const page = await visit(t, server.url, server.hamlet)
  await page.goto('/#settings/display')
  await page.getByLabel('Language').selectOption('ar')
  await page.locator('html[lang=ar][dir=rtl] .shell').waitFor()
  await openTopic(page, server, 'general', 'peace')
  await message(page, 'مرحبا').waitFor()
  const left = (selector: string) => page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().left`)
  assert.ok(Number(await left('.left-sidebar')) > Number(await left('main')))
  assert.ok(Number(await left('main')) > Number(await left('.people-sidebar')))
  const dayLine = await page.locator('.date-line').first().innerText()
  assert.match(dayLine, /\p{Script=Arabic}/u)
  // Nothing reaches over the side of the window, in both directions.
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  await server.hamlet.api.patch('/settings', { default_language: 'de' })
  await page.locator('html[lang=de][dir=""] .shell').waitFor()
  await until(page, `/[a-zäöü]/.test(document.querySelector('.date-line').innerText)`)
})

browserTest('shows 12:05 for five past midnight, and yesterday after the next midnight', async (t) => {
  await using server = await testServer({ web: true })
  server.clock.set(Date.UTC(2026, 0, 4, 23, 5))
  await server.cordelia.says('Still up', { topic: 'night' })
  const page = await newPage(server.url, { locale: 'en-US' })
  t.after(() => page.context().close())
  // The clock runs, and a busy machine takes its time until midnight.
  await page.clock.install({ time: Date.UTC(2026, 0, 5, 22, 55) })
  await signIn(page, server.hamlet)
  await openTopic(page, server, 'general', 'night')
  assert.match(await message(page, 'Still up').locator('.time').first().innerText(), /^12:05\sam$/i)
  await until(page, `document.querySelector('.date-line').innerText === 'Today'`)
  await page.clock.fastForward(6 * 60_000)
  await until(page, `document.querySelector('.date-line').innerText === 'Yesterday'`)
})

browserTest('every view fits 360 pixels in both directions and themes', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  const long = 'Unbreakable'.repeat(20)
  await cordelia.says(`${long} \`${long}\``, { topic: long.slice(0, 60) })
  await hamlet.api.post('/users/me/subscriptions', { subscriptions: [{ name: long.slice(0, 60) }] })
  for (const theme of ['light', 'dark'] as const) {
    const page = await newPage(server.url, { theme, size: { ...sizes.phone, width: 360 } })
    t.after(() => page.context().close())
    await signIn(page, hamlet)
    for (const language of ['en', 'ar']) {
      await hamlet.api.patch('/settings', { default_language: language })
      await page.locator(`html[lang=${language}][dir="${language === 'ar' ? 'rtl' : ''}"] .shell`).waitFor()
      for (const view of [
        'inbox',
        'recent',
        'streams',
        'people',
        'search',
        'narrow',
        'drafts',
        'settings/display',
        'settings/profile',
      ]) {
        await page.goto(`/#${view}`)
        await settles(page, server)
        const wide = await page.evaluate(
          `(() => { const clipped = (one) => one && (getComputedStyle(one).overflowX !== 'visible' || one.matches('.hidden, .skip') || clipped(one.parentElement)); return [...document.querySelectorAll('#app *')].filter((one) => { const { left, right, width } = one.getBoundingClientRect(); return width > 1 && (left < -1 || right > innerWidth + 1) && !clipped(one) }).slice(0, 3).map((one) => one.outerHTML.slice(0, 120)) })()`,
        )
        assert.deepEqual(wide, [], `${view}, ${language}, ${theme}`)
      }
    }
  }
})

browserTest('draws the initials of users without an avatar and requests nothing external', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet, cordelia } = server.people
  await iago.api.patch('/realm', { enable_spectator_access: true })
  await iago.api.patch(`/streams/${await server.streamId('general')}`, { is_web_public: true })
  await hamlet.api.upload('/users/me/avatar', onePixelPng())
  await hamlet.says('From hamlet', { topic: 'faces' })
  await cordelia.says('From cordelia', { topic: 'faces' })
  const outsider = await newPage(server.url)
  t.after(() => outsider.context().close())
  const member = await visit(t, server.url, iago)
  for (const page of [member, outsider]) {
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await openTopic(page, server, 'general', 'faces')
    await message(page, 'From cordelia').locator('.drawn[data-initials="C"]').waitFor()
    await message(page, 'From hamlet').locator('.avatar img[src*="/user_avatars/"]').waitFor()
    await settles(page, server)
    assert.deepEqual(
      requested.filter((url) => /^https?:/.test(url) && !url.startsWith(server.url)),
      [],
    )
    assert.ok(requested.some((url) => url.includes('/user_avatars/')))
    assert.deepEqual(problemsOf.get(page), [])
  }
})

browserTest('can follow a topic someone else starts from its menu', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  await server.hamlet.says('First', { topic: 'begun' })
  await openTopic(page, server, 'general', 'begun')
  const side = page.getByRole('navigation', { name: 'Conversations' })
  await side.getByRole('link', { name: 'begun' }).hover()
  await side.getByRole('button', { name: 'Actions for begun' }).click()
  await side.getByRole('menuitemradio', { name: 'Follow topic', checked: true }).waitFor()
})
