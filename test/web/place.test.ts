import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, sends, until, visitRead } from './gestures.ts'

const many = Array.from({ length: 200 }, (_, i) => `line ${i + 1}`)

/** The first line in sight, and how far below the top it begins. */
const place = `(() => {
  const { top } = document.querySelector('.feed').getBoundingClientRect()
  const line = [...document.querySelectorAll('article[id]')].find((one) => one.getBoundingClientRect().bottom > top + 1)
  return { id: line?.id, top: line?.getBoundingClientRect().top - top }
})()`

browserTest('back and forward restore the scroll position', async (t) => {
  await using server = await testServer({
    web: true,
    streams: { long: { members: ['hamlet', 'cordelia'], topics: { tale: many } } },
  })
  const page = await visitRead(t, server, 'long', 'tale')
  await message(page, 'line 200').waitFor()
  await page.evaluate(`document.querySelector('.feed').scrollBy(0, -2345)`)
  await until(page, `history.state?.place?.id > 0`)
  const left = (await page.evaluate(place)) as { id: string; top: number }
  await page.goto('/#inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.goBack()
  await until(page, `document.querySelector('.feed') !== null`)
  // A row may stand at a part of a pixel, and what is scrolled is a whole one.
  await until(page, `(({ id, top }) => id === '${left.id}' && Math.abs(top - ${left.top}) <= 1)(${place})`)
  await page.goForward()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  // Also who leaves while it scrolls.
  await page.goBack()
  await message(page, 'line 150').waitFor()
  const leftAtOnce = (await page.evaluate(`new Promise((resolve) => {
    document.querySelector('.feed').scrollBy(0, -321)
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const left = ${place}
      location.hash = '#inbox'
      resolve(left)
    }))
  })`)) as { id: string; top: number }
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.goBack()
  await until(page, `(({ id, top }) => id === '${leftAtOnce.id}' && Math.abs(top - ${leftAtOnce.top}) <= 1)(${place})`)
  await page.goForward()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  // Opening it again, without going back, leads to the newest message.
  await page.getByRole('link', { name: 'long', exact: true }).click()
  await message(page, 'line 200').waitFor()
  await until(page, `document.querySelector('.to-bottom') === null`)
})

browserTest('End and sending lead to the newest message of short conversations too', async (t) => {
  await using server = await testServer({
    web: true,
    streams: { short: { members: ['hamlet', 'cordelia'], topics: { tale: many.slice(0, 15) } } },
  })
  const page = await visitRead(t, server, 'short', 'tale')
  await page.setViewportSize({ width: 1400, height: 400 })
  await message(page, 'line 15').waitFor()
  const below = `(({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop)(document.querySelector('.feed'))`
  const goesUp = async () => {
    await page.evaluate(`document.querySelector('.feed').scrollBy(0, -150)`)
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor()
    assert.ok(Number(await page.evaluate(below)) > 100)
  }
  await goesUp()
  await page.locator('#main-view').focus()
  await page.keyboard.press('End')
  await until(page, `${below} <= 1`)
  await goesUp()
  await sends(page, 'Mine')
  await message(page, 'Mine').waitFor()
  await until(page, `${below} <= 1`)
  await goesUp()
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await until(page, `${below} <= 1`)
})

browserTest('marks only fully visible messages as read and puts a line above new ones', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  await hamlet.api.post('/mark_all_as_read')
  // One long line, since a message of many lines is folded, and then visible as a whole.
  const tall = Array.from({ length: 80 }, (_, i) => `verse ${i + 1} ${'la '.repeat(35)}`).join('')
  const { id: title } = await cordelia.says('A song', { topic: 'songs' })
  const { id: song } = await cordelia.says(tall, { topic: 'songs' })
  const page = await visit(t, server.url, hamlet)
  const isUnread = (id: number) => `(document.querySelector('#message-${id}[data-unread]') !== null)`
  const looksAway = (away: boolean) => page.evaluate(`void (document.hasFocus = () => ${!away})`)
  await openTopic(page, server, 'general', 'songs')
  await message(page, 'verse 1').waitFor()
  // The text above it is read, and its first verses were visible as long.
  await until(page, `!${isUnread(title)}`)
  assert.equal(await page.evaluate(isUnread(song)), true)
  await page.evaluate(`document.querySelector('.feed').scrollTo(0, 1e6)`)
  await until(page, `!${isUnread(song)}`)

  await looksAway(true)
  const { id: first } = await cordelia.says('While nobody looks', { topic: 'songs' })
  for (let i = 1; i <= 40; i++) await cordelia.says(`Refrain ${i}`, { topic: 'songs' })
  await message(page, 'Refrain 40').waitFor()
  // The line is above the first of them, and they did not push it out of sight.
  await until(page, `document.querySelector('.unread-line')?.nextElementSibling.id === 'message-${first}'`)
  const top = `document.querySelector('.unread-line').getBoundingClientRect().top`
  await until(page, `${top} > 0 && ${top} < 200`)
  assert.equal(await page.evaluate(isUnread(first)), true)
  await looksAway(false)
  await until(page, `!${isUnread(first)}`)
  assert.equal(await page.evaluate(`document.querySelectorAll('article[data-unread]').length > 5`), true)
})
