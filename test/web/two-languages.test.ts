// cspell:ignore guten keine markierten nachrichten stunden berechtigungen
import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { newPage, signIn, sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, until } from './gestures.ts'

browserTest('a German browser writes times with 24 hours until the reader chooses otherwise', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('Guten Tag', { topic: 'greetings' })
  const page = await newPage(server.url, { locale: 'de-DE' })
  t.after(() => page.context().close())
  await signIn(page, server.hamlet)
  await page.locator('html[lang=de] .shell').waitFor()
  const writes = async (pattern: RegExp) => {
    await openTopic(page, server, 'general', 'greetings')
    await message(page, 'Guten Tag').locator('.time').getByText(pattern).waitFor()
  }
  await writes(/^\d\d:\d\d$/)
  await page.goto('/#settings/display')
  const setting = page.getByRole('checkbox', { name: '24-Stunden-Format' })
  assert.equal(await setting.isChecked(), true)
  await setting.uncheck()
  await until(page, `localStorage.getItem('chosen-hours') !== null`)
  await writes(/^\d{1,2}:\d\d [AP]M$/)
  await page.reload()
  await writes(/^\d{1,2}:\d\d [AP]M$/)
})

browserTest('an empty view has an icon, and suggestions are in the reader’s language', async (t) => {
  await using server = await testServer({ web: true })
  const page = await newPage(server.url, { locale: 'de-DE' })
  t.after(() => page.context().close())
  await signIn(page, server.hamlet)
  await page.goto('/#narrow/is/starred')
  await page.locator('.nothing', { hasText: 'Keine markierten Nachrichten' }).locator('.icon-star').waitFor()
  await page.goto('/#search')
  await page.getByRole('main').getByRole('combobox').pressSequentially('sender:')
  await page.getByRole('option', { name: 'sender:me Du' }).waitFor()
})

/** Where the first and the last character of an element's text are, and where the element begins. */
const placesIn = (selector: string) => `(() => {
  const text = document.querySelector(${JSON.stringify(selector)}).firstChild
  const left = (at) => {
    const range = new Range()
    range.setStart(text, at)
    range.setEnd(text, at + 1)
    return range.getBoundingClientRect().left
  }
  return { first: left(0), last: left(text.length - 1), start: text.parentElement.getBoundingClientRect().left }
})()`

browserTest('English text on an Arabic page keeps its direction and its beginning', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, iago, cordelia } = server.people
  await hamlet.api.patch('/settings', { default_language: 'ar' })
  const stream_id = await server.streamId('general')
  await iago.api.patch(`/streams/${stream_id}`, { description: `Everything ${'and more '.repeat(20)}.` })
  await cordelia.says('/poll Where do we eat?\nAt home', { topic: 'lunch' })
  await cordelia.says('```spoiler Who did it\nThe butler\n```', { topic: 'lunch' })
  const page = await visit(t, server.url, hamlet, { size: sizes.phone })
  await page.goto('/#streams')
  await page.locator('html[dir=rtl] .streams .description').first().waitFor()
  await until(page, `(({ first, start }) => first >= start - 1)(${placesIn('.streams .description')})`)
  await page.goto(`/#narrow/channel/${stream_id}/topic/lunch`)
  await page.locator('.widget-title').waitFor()
  await until(page, `(({ first, last }) => first < last)(${placesIn('.widget-title')})`)
  // The triangle points to the right, to the text.
  await until(
    page,
    `(({ borderLeftWidth, borderRightWidth }) => borderLeftWidth !== '0px' && borderRightWidth === '0px')(getComputedStyle(document.querySelector('.spoiler-button'), '::before'))`,
  )
})

browserTest('the tabs of a channel fit on a German phone', async (t) => {
  await using server = await testServer({ web: true })
  await server.iago.api.patch('/settings', { default_language: 'de' })
  const page = await visit(t, server.url, server.iago, { size: sizes.phone })
  const stream_id = await server.streamId('general')
  await page.goto(`/#streams/${stream_id}/permissions`)
  await page.getByRole('tab', { name: 'Berechtigungen', selected: true }).waitFor()
  await until(
    page,
    `(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('[role=tablist]'))`,
  )
  // A title without buttons stays at its place.
  await until(page, `document.querySelector('.page-header h1').getBoundingClientRect().left < 40`)
})
