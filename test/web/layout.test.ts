import assert from 'node:assert/strict'
import sharp from 'sharp'
import { testServer } from '../../src/testing/index.ts'
import { newPage, signIn, sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, settles, until } from './gestures.ts'

const widthOf = (selector: string) => `document.querySelector('${selector}').getBoundingClientRect().width`

browserTest('sidebars can be resized, hidden and shown, and stay that way', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  const left = page.getByRole('separator', { name: 'Left sidebar width' })
  const before = Number(await page.evaluate(widthOf('.left-sidebar')))
  await left.focus()
  await page.keyboard.press('ArrowRight')
  assert.equal(await page.evaluate(widthOf('.left-sidebar')), before + 16)
  const { x, y } = (await left.boundingBox())!
  await page.mouse.move(x + 3, y + 200)
  await page.mouse.down()
  await page.mouse.move(400, y + 200)
  await page.mouse.up()
  assert.equal(await page.evaluate(widthOf('.left-sidebar')), 400)
  const right = page.getByRole('separator', { name: 'Right sidebar width' })
  await right.focus()
  const people = Number(await page.evaluate(widthOf('.people-sidebar')))
  await page.keyboard.press('ArrowLeft')
  assert.equal(await page.evaluate(widthOf('.people-sidebar')), people + 16)
  await page.reload()
  await page.locator('.left-sidebar').waitFor()
  assert.equal(await page.evaluate(widthOf('.left-sidebar')), 400)
  await left.dblclick()
  assert.equal(await page.evaluate(widthOf('.left-sidebar')), before)

  await page.getByRole('button', { name: 'Hide sidebar' }).click()
  await page.locator('.left-sidebar').waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('button', { name: 'Show sidebar' }).waitFor()
  await page.locator('#main-view').focus()
  await page.keyboard.press('[')
  await page.locator('.left-sidebar').waitFor()
})

/** A finger that goes over the page. */
const swipe = (from: [number, number], to: [number, number]) => `(() => {
  const target = document.elementFromPoint(${from})
  const touch = ([clientX, clientY]) => new Touch({ identifier: 1, target, clientX, clientY })
  const [start, end] = [touch([${from}]), touch([${to}])]
  target.dispatchEvent(new TouchEvent('touchstart', { bubbles: true, touches: [start], changedTouches: [start] }))
  target.dispatchEvent(new TouchEvent('touchend', { bubbles: true, touches: [], changedTouches: [end] }))
})()`

browserTest('swiping right on a phone goes back', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says(`Anyone?\n\n\`\`\`\n${'long line '.repeat(40)}\n\`\`\``, { topic: 'garden' })
  const page = await visit(t, server.url, server.hamlet, { size: sizes.phone })
  await page.goto('/#recent')
  await page.getByRole('heading', { name: 'Recent conversations' }).waitFor()
  await openTopic(page, server, 'general', 'garden')
  await message(page, 'Anyone?').waitFor()
  // Neither up and down, nor over code that moves sideways itself.
  await page.evaluate(swipe([100, 300], [220, 500]))
  const code = (await page.locator('article pre').boundingBox())!
  await page.evaluate(swipe([code.x + 40, code.y + 10], [code.x + 200, code.y + 10]))
  await settles(page, server)
  assert.match(page.url(), /garden/)
  await page.evaluate(swipe([100, 120], [260, 130]))
  await page.getByRole('heading', { name: 'Recent conversations' }).waitFor()
  await page.getByRole('button', { name: 'Channels' }).click()
  await page.locator('.drawer-left').waitFor()
  await page.evaluate(swipe([100, 500], [260, 500]))
  await page.locator('.drawer-left').waitFor({ state: 'detached' })
  assert.match(page.url(), /#recent/)
})

const views = [
  '#inbox',
  '#recent',
  '#drafts',
  '#streams',
  '#streams/1',
  '#people',
  '#search',
  '#narrow',
  '#settings/profile',
  '#settings/notifications',
]

/** What can be used and reaches out of the window, where nothing scrolls to it. */
const cutOff = `(() => {
  const scrolls = (element) => element && (/auto|scroll/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth || scrolls(element.parentElement))
  const cut = [...document.querySelectorAll('button, a, input, select, textarea, h1')].filter((element) => {
    const { left, right, width, height } = element.getBoundingClientRect()
    const shown = width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true }) && !element.matches('.skip')
    return shown && (right > innerWidth + 1 || left < -1) && !scrolls(element.parentElement)
  })
  return cut.map((element) => element.outerHTML.slice(0, 120))
})()`

const spaced = `(() => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }')
  document.adoptedStyleSheets.push(sheet)
})()`
const belowTheWindow = `[...document.querySelectorAll('.lightbox :is(button, a)')].filter((one) => one.getBoundingClientRect().bottom > innerHeight).map((one) => one.textContent)`
/** Names that are not seen to their end. */
const shortened = `[...document.querySelectorAll('.list-page .row .name')].filter((one) => one.scrollWidth > one.clientWidth + 1 && one.getBoundingClientRect().width > 0 && getComputedStyle(one).whiteSpace === 'nowrap').map((one) => one.textContent)`

for (const [name, size] of [
  ['200 % on a small screen', { width: 640, height: 400 }],
  ['400 % on a usual one', { width: 320, height: 512 }],
] as const) {
  browserTest(`clips nothing at ${name} and scrolls only long content vertically`, async (t) => {
    await using server = await testServer({
      web: true,
      streams: { 'a stream with a long name': { members: ['hamlet'] } },
    })
    await server.cordelia.says('A word', { topic: 'garden' })
    const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#55aa88' } })
      .png()
      .toBuffer()
    const { url } = await server.cordelia.api.upload('/user_uploads', new Uint8Array(picture), 'cup.png')
    await server.cordelia.says(`[cup.png](${url})`, { topic: 'garden' })
    await server.cordelia.says('A word', { topic: 'where we sit when the weather is fine' })
    const page = await visit(t, server.url, server.hamlet, { size })
    for (const view of views) {
      await page.goto(`/${view}`)
      await settles(page, server)
      assert.deepEqual(await page.evaluate(cutOff), [], view)
      const sideways = `[document.documentElement, ...document.querySelectorAll('.scrolling, .feed, main')].filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1).map((one) => one.className || one.tagName)`
      assert.deepEqual(await page.evaluate(sideways), [], view)
    }
    await openTopic(page, server, 'general', 'garden')
    await message(page, 'A word').waitFor()
    assert.deepEqual(await page.evaluate(cutOff), [])
    // There is room to read while one writes.
    await page.getByRole('textbox', { name: 'Message' }).fill('Two\nlines')
    const room = Number(await page.evaluate(`document.querySelector('.feed').clientHeight`))
    assert.ok(room >= 100, `${room} px to read in`)
    await until(page, `document.querySelector('.send').getBoundingClientRect().bottom <= innerHeight`)
    await page.getByRole('button', { name: 'Send later' }).click()
    await page.getByRole('dialog').waitFor()
    // As somebody has it who reads better so (WCAG 1.4.12).
    await page.evaluate(spaced)
    const dialogs = `[...document.querySelectorAll('dialog')].filter((one) => one.scrollWidth > one.clientWidth).length`
    assert.equal(await page.evaluate(dialogs), 0, 'a dialog that scrolls sideways')
    await page.keyboard.press('Escape')
    await page.locator('.message_inline_image a').click()
    await page.getByRole('dialog').waitFor()
    assert.deepEqual(await page.evaluate(belowTheWindow), [], 'buttons of the lightbox')
    await page.keyboard.press('Escape')
    await page.goto('/#recent')
    await page.locator('.recent .row').first().waitFor()
    assert.deepEqual(await page.evaluate(shortened), [], 'conversations')
    await page.goto('/#streams')
    await page.locator('.streams .row').first().waitFor()
    assert.deepEqual(await page.evaluate(shortened), [], 'streams')
  })
}

browserTest('a short topic leaves its channel the room, and the bar of a phone fits in every language', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  await hamlet.api.patch('/settings', { default_language: 'de' })
  const page = await visit(t, server.url, hamlet, { size: { ...sizes.phone, width: 320 } })
  await page.locator('html[lang=de] .shell').waitFor()
  await openTopic(page, server, 'general', 'x')
  assert.equal(
    await page.evaluate(
      `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('h1 a'))`,
    ),
    0,
  )
  assert.equal(
    await page.evaluate(
      `[...document.querySelectorAll('.bottom-bar > *')].some((one) => one.getBoundingClientRect().right > innerWidth)`,
    ),
    false,
  )
})

browserTest('on a tablet, settings have the width beside the sidebar', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet, { size: { width: 820, height: 1000 } })
  await page.goto('/#settings/sessions')
  await page.getByRole('heading', { name: 'Sessions and API keys' }).waitFor()
  assert.ok(Number(await page.evaluate(widthOf('.settings section'))) > 450)
  await page.getByRole('combobox', { name: 'Settings section' }).selectOption('Display')
  await page.getByRole('heading', { name: 'Display' }).waitFor()
})

browserTest("keeps the people list's close button visible when the list has no column", async (t) => {
  await using server = await testServer({ web: true })
  await server.hamlet.says('A word', { topic: 'garden' })
  const page = await visit(t, server.url, server.hamlet, { size: sizes.middle })
  await openTopic(page, server, 'general', 'garden')
  const people = page.locator('.people-sidebar')
  const button = (pressed: boolean) => page.getByRole('button', { name: 'People', exact: true, pressed })
  await button(false).click()
  await people.waitFor()
  await button(true).click()
  await people.waitFor({ state: 'hidden' })
  await button(false).waitFor()
})

browserTest('the icon shows unread messages', async (t) => {
  await using server = await testServer({ web: true })
  await server.hamlet.api.post('/mark_all_as_read')
  const page = await visit(t, server.url, server.hamlet)
  const icon = `document.querySelector('link[rel=icon]').href`
  await until(page, `${icon}.endsWith('/favicon.svg')`)
  await server.cordelia.says('New', { topic: 'news' })
  await until(page, `${icon}.endsWith('/favicon-unread.svg')`)
  await server.hamlet.api.patch('/settings', { desktop_icon_count_display: 3 })
  await until(page, `${icon}.endsWith('/favicon.svg')`)
  await server.cordelia.says('For you', { people: [server.hamlet] })
  await until(page, `${icon}.endsWith('/favicon-unread.svg')`)
})

/**
 * Notes what moves without being asked to, from the first frame on. Time stands still, because a bar appears above the
 * page after three seconds without the server, which a busy machine can take.
 */
const noteShifts = `
  const began = Date.now()
  Date.now = () => began
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) shifts.push({ value, what: sources.map(({ node }) => node?.outerHTML?.slice(0, 80)) })
  }).observe({ type: 'layout-shift', buffered: true })`

browserTest('nothing shifts at the start or when images, older messages or settings arrive', async (t) => {
  await using server = await testServer({
    web: true,
    streams: { long: { members: ['hamlet', 'cordelia'], topics: { many: 200 } } },
  })
  const { hamlet, cordelia } = server
  const image = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#55aa88' } })
    .png()
    .toBuffer()
  const { url } = await cordelia.api.upload('/user_uploads', new Uint8Array(image), 'cup.png')
  for (let i = 0; i < 3; i++) await cordelia.says(`[cup.png](${url})`, { stream: 'long', topic: 'pictures' })
  // As another size than the usual one: it is there from the first frame. What is in sight stays unread: when a machine is
  // busy, the kept view and the server could differ in it.
  await hamlet.api.patch('/settings', { web_font_size_px: 20, web_mark_read_on_scroll_policy: 3 })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.addInitScript(noteShifts)
  const moved = async (when: string) => {
    await settles(page, server)
    const shifts = JSON.parse(String(await page.evaluate(`JSON.stringify(shifts.splice(0))`))) as { value: number }[]
    const sum = shifts.reduce((all, { value }) => all + value, 0)
    assert.ok(sum < 0.005, `${when}: ${sum} ${JSON.stringify(shifts)}`)
  }
  await signIn(page, hamlet)
  await moved('signing in')
  await openTopic(page, server, 'long', 'many')
  await moved('a topic')
  await page.evaluate(`document.querySelector('.feed').scrollTop = 0`)
  await moved('older messages')
  await openTopic(page, server, 'long', 'pictures')
  await until(page, `[...document.querySelectorAll('.message img[width]')].filter((one) => one.complete).length >= 3`)
  await moved('images')
  await page.reload()
  await message(page, 'cup.png').locator('img').last().waitFor()
  await moved('the start with what was kept')
  for (const view of ['profile', 'display', 'notifications']) {
    await page.goto(`/#settings/${view}`)
    await moved(view)
  }
})

browserTest('respects the reduced motion preference', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const moving = `[...document.querySelectorAll('*')].filter((one) => {
    const { animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(one)
    return [animationDuration, transitionDuration].some((time) => parseFloat(time) > 0.001) || scrollBehavior === 'smooth'
  }).length`
  assert.equal(await page.evaluate(moving), 0)
})
