import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { type TestServer, testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, sends, settles, until, visitRead } from './gestures.ts'

const many = Array.from({ length: 400 }, (_, i) => `line ${i + 1}${i % 7 === 0 ? '\n\n* with\n* a list' : ''}`)

/** Scrolls back by 300 px; the line in sight must not move any more, whatever that has fetched. Answers by how much it did. */
const scrollUp = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const feed = document.querySelector('.feed')
  feed.scrollBy(0, -300)
  await frame()
  const line = [...feed.getElementsByTagName('article')].find((one) => one.getBoundingClientRect().top > 100)
  const before = line.getBoundingClientRect().top
  for (let n = 0; n < 8; n++) await frame()
  return line.isConnected ? Math.abs(line.getBoundingClientRect().top - before) : 0
})()`

browserTest('scrolls through a long conversation and back without jumping', async (t) => {
  await using server = await testServer({
    web: true,
    streams: { long: { members: ['hamlet', 'cordelia'], topics: { tale: many } } },
  })
  const page = await visitRead(t, server, 'long', 'tale')
  await message(page, 'line 400').waitFor()
  // Scrolls by 300 px, and looks where a line is before and after whatever that has fetched.
  const jumps: number[] = []
  for (let i = 0; i < 40; i++) {
    const moved = Number(await page.evaluate(scrollUp))
    jumps.push(moved)
  }
  assert.ok(Math.max(...jumps) <= 1, `jumps of ${jumps.filter((jump) => jump > 1)} px`)
  // What is far away is not drawn: in a low window less is near.
  await page.setViewportSize({ width: 1000, height: 400 })
  for (let i = 0; i < 5; i++) await page.evaluate(scrollUp)
  const heights = `(() => { const { scrollHeight, clientHeight } = document.querySelector('.feed'); return scrollHeight / clientHeight })()`
  assert.ok(Number(await page.evaluate(heights)) < 9)
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await message(page, 'line 400').waitFor()
})

/** Opens a long conversation and scrolls back so far that its end isn't drawn. */
async function scrolledBack(t: TestContext, server: TestServer): Promise<Page> {
  const page = await visitRead(t, server, 'long', 'tale')
  await message(page, 'line 400').waitFor()
  await eventually('the end is not drawn', async () => {
    await page.evaluate(scrollUp)
    return (await message(page, 'line 400').count()) === 0
  })
  return page
}
const longTale = { web: true, streams: { long: { members: ['hamlet', 'cordelia'], topics: { tale: many } } } } as const

browserTest('jumping to the newest message works offline and after sending', async (t) => {
  await using server = await testServer(longTale)
  const page = await scrolledBack(t, server)
  await settles(page, server)
  await page.context().setOffline(true)
  await page.getByText("You're offline").waitFor()
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await message(page, 'line 400').waitFor()
  await eventually('the end is not drawn again', async () => {
    await page.evaluate(scrollUp)
    return (await message(page, 'line 400').count()) === 0
  })
  await sends(page, 'said without a connection')
  await page.locator('.outgoing').filter({ hasText: 'said without a connection' }).waitFor()
})

/** Scrolls to the top while no answer with messages comes. Answers what lets them through. */
async function waitsForOlder(page: Page, server: TestServer): Promise<() => void> {
  const held: (() => void)[] = []
  let isHeld = true
  await page.route('**/json/messages?**', async (route) => {
    if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
    await route.continue()
  })
  await eventually('all that is known is drawn, and more is asked for', async () => {
    await page.evaluate(`document.querySelector('.feed').scrollTop = 0`)
    await settles(page, server)
    return held.length > 0 && (await page.evaluate(`document.querySelector('.feed').scrollTop`)) === 0
  })
  return () => {
    isHeld = false
    for (const letThrough of held) letThrough()
  }
}

browserTest('jumping to the newest message wins over loading older ones', async (t) => {
  await using server = await testServer(longTale)
  const page = await scrolledBack(t, server)
  await settles(page, server)
  const release = await waitsForOlder(page, server)
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await message(page, 'line 400').waitFor()
  release()
  await settles(page, server)
  const isLast = `[...document.querySelectorAll('article')].at(-1)?.textContent.includes('line 400')`
  await until(page, isLast)

  // Where the newest is not known, it is fetched after them.
  const narrow = [['channel', 'long']]
  const window = { anchor: 'newest', num_before: 250, num_after: 0, narrow }
  const { id } = (await server.hamlet.api.get('/messages', window)).messages[0]
  await page.unroute('**/json/messages?**')
  await page.goto(`${page.url()}/near/${id}`)
  const named = page.locator(`#message-${id}`)
  // Before that the page may keep a place further down, to which a reload returns.
  await named.waitFor()
  await settles(page, server)
  await page.reload()
  await named.waitFor()
  await settles(page, server)
  const releaseAgain = await waitsForOlder(page, server)
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  releaseAgain()
  await until(page, isLast)
})

browserTest('a message link opens the conversation there, and back returns', async (t) => {
  await using server = await testServer({
    web: true,
    streams: { long: { members: ['hamlet', 'cordelia'], topics: { tale: many } } },
  })
  const page = await visit(t, server.url, server.hamlet)
  const { messages } = await server.hamlet.api.get('/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 150,
    narrow: [['channel', 'long']],
  })
  const wanted = messages[120]
  await page.goto('/#recent')
  await page.goto(`/#narrow/channel/${wanted.stream_id}-long/topic/tale/near/${wanted.id}`)
  await page.locator(`#message-${wanted.id}`).waitFor()
  const isInSight = `(() => { const { top } = document.getElementById('message-${wanted.id}').getBoundingClientRect(); return top > 0 && top < innerHeight })()`
  await until(page, isInSight)
  await page.goBack()
  await page.getByRole('heading', { name: 'Recent conversations' }).waitFor()
})

browserTest('supports the usual shortcuts of Zulip clients', async (t) => {
  await using server = await testServer({ web: true })
  await server.hamlet.api.post('/mark_all_as_read')
  await server.cordelia.says('first', { topic: 'keys' })
  const { id } = await server.cordelia.says('second', { topic: 'keys' })
  const page = await visit(t, server.url, server.hamlet)
  await page.locator('#main-view').focus()
  await page.keyboard.press('n')
  await message(page, 'second').waitFor()
  await page.keyboard.press('k')
  await page.keyboard.press('j')
  assert.equal(await page.evaluate('document.activeElement?.id'), `message-${id}`)
  await page.keyboard.press('*')
  await page.locator(`#message-${id} .starred`).waitFor()
  await page.keyboard.press('r')
  await until(page, `document.activeElement?.id === 'compose-text'`)
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await page.getByRole('heading', { name: 'Recent conversations' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search everything' }).fill('cord')
  await page.getByRole('option', { name: /cordelia/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'cordelia' }).waitFor()
})

browserTest('joining a stream shows its topic with missed messages', async (t) => {
  await using server = await testServer({ web: true, streams: { verona: { members: ['iago'] } } })
  const { iago, hamlet } = server.people
  const says = (content: string) => iago.says(content, { stream: 'verona', topic: 'feud' })
  await says('one')
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'verona', 'feud')
  await message(page, 'one').waitFor()
  await settles(page, server)
  await page.goto('/#inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await says('two')
  await openTopic(page, server, 'verona', 'feud')
  await message(page, 'two').waitFor()
  await settles(page, server)
  await says('three')
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await message(page, 'three').waitFor()
})

browserTest('marks all messages from a point as unread, including those not rendered', async (t) => {
  await using server = await testServer(longTale)
  const { hamlet } = server.people
  await hamlet.api.post('/mark_all_as_read')
  const narrow = [['channel', 'long']]
  const window = { anchor: 'newest', num_before: 300, num_after: 0, narrow }
  const { messages } = await hamlet.api.get('/messages', window)
  const { id, stream_id } = messages[0]
  const page = await visit(t, server.url, hamlet)
  await page.goto(`/#narrow/channel/${stream_id}/topic/tale/near/${id}`)
  await page.locator(`#message-${id}`).waitFor()
  await settles(page, server)
  await page.locator('#main-view').focus()
  await page.keyboard.press('U')
  const unread = async () => (await hamlet.api.post('/register', { fetch_event_types: ['message'] })).unread_msgs.count
  await eventually('all from there on are unread', async () => {
    await settles(page, server)
    return (await unread()) === messages.length
  })
})
