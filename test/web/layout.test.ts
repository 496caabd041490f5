import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { testServer } from '../../src/testing/index.ts'
import { clientBuilt, closeBrowser, sizes, skip, visit } from './browser.ts'
import { message, openTopic, until } from './gestures.ts'

after(closeBrowser)

const widthOf = (selector: string) => `document.querySelector('${selector}').getBoundingClientRect().width`

test('sidebars are made wider and narrower, hidden and shown, and stay so', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  const left = page.getByRole('separator', { name: 'Width of the conversations' })
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
  const right = page.getByRole('separator', { name: 'Width of the people' })
  await right.focus()
  const people = Number(await page.evaluate(widthOf('.people-sidebar')))
  await page.keyboard.press('ArrowLeft')
  assert.equal(await page.evaluate(widthOf('.people-sidebar')), people + 16)
  await page.reload()
  await page.locator('.left-sidebar').waitFor()
  assert.equal(await page.evaluate(widthOf('.left-sidebar')), 400)
  await left.dblclick()
  assert.equal(await page.evaluate(widthOf('.left-sidebar')), before)

  await page.getByRole('button', { name: 'Hide the conversations' }).click()
  await page.locator('.left-sidebar').waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('button', { name: 'Show the conversations' }).waitFor()
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

test('on a phone a swipe to the right goes back', { skip }, async (t) => {
  await clientBuilt()
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
  await page.waitForTimeout(100)
  assert.match(page.url(), /garden/)
  await page.evaluate(swipe([100, 120], [260, 130]))
  await page.getByRole('heading', { name: 'Recent conversations' }).waitFor()
  await page.getByRole('button', { name: 'Streams' }).click()
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

for (const [name, size] of [
  ['200 % on a small screen', { width: 640, height: 400 }],
  ['400 % on a usual one', { width: 320, height: 512 }],
] as const) {
  test(`at ${name} nothing is cut off, and only what is long scrolls, downwards`, { skip }, async (t) => {
    await clientBuilt()
    await using server = await testServer({ web: true })
    await server.cordelia.says('A word', { topic: 'garden' })
    const page = await visit(t, server.url, server.hamlet, { size })
    for (const view of views) {
      await page.goto(`/${view}`)
      await page.waitForTimeout(150)
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
  })
}

test('the icon says that something is unread', { skip }, async (t) => {
  await clientBuilt()
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

test('who wants little motion gets none', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const moving = `[...document.querySelectorAll('*')].filter((one) => {
    const { animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(one)
    return [animationDuration, transitionDuration].some((time) => parseFloat(time) > 0.001) || scrollBehavior === 'smooth'
  }).length`
  assert.equal(await page.evaluate(moving), 0)
})
