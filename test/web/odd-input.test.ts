import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { problemsOf, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, sends, settles, until, writes } from './gestures.ts'

browserTest("shows any name or topic as text, and long ones don't break the page", async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  const html = '<img src=x onerror="document.title=1"><b>&amp;'
  const name = `${'Long'.repeat(20)} ${'Name'.repeat(4)}`.slice(0, 100)
  await cordelia.api.patch('/settings', { full_name: name })
  await cordelia.says('In a topic of tags', { topic: html })
  await hamlet.api.post('/users/me/status', { status_text: html.slice(0, 60) })
  await hamlet.api.post('/users/me/subscriptions', { subscriptions: [{ name: '<i>verona</i>', description: html }] })
  await server.iago.api.patch('/realm', { name: 'Organization'.repeat(3) })
  const turned = 's\u202eti ma'
  await cordelia.api.post('/users/me/subscriptions', { subscriptions: [{ name: turned }], principals: [hamlet.id] })
  await cordelia.says('Straight on', { stream: turned, topic: 'ways' })
  const page = await visit(t, server.url, hamlet)
  await page.getByRole('main').getByText(html, { exact: true }).click()
  await message(page, 'In a topic of tags').waitFor()
  assert.equal(
    await page
      .locator('h1')
      .innerText()
      .then((text) => text.includes(html)),
    true,
  )
  assert.equal(await page.locator('h1 img, h1 b, .left-sidebar b, .people-sidebar b, .left-sidebar i').count(), 0)
  for (const view of ['inbox', 'recent', 'streams', 'people', 'narrow']) {
    await page.goto(`/#${view}`)
    await settles(page, server)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, view)
    assert.equal(await page.locator('#app main :is(b, i):not(article *)').count(), 0, view)
  }
  const beyond = `[...document.querySelectorAll('.account-button .name')].filter((one) => one.scrollWidth > one.clientWidth).length`
  assert.equal(await page.evaluate(beyond), 0)
  await page.goto('/#recent')
  const row = page.locator('.recent .title', { hasText: 'ways' })
  await row.waitFor()
  // The first letter of the topic is before its last: it is not written backwards.
  const [first, last] = (await page.evaluate(`(() => {
    const text = [...document.querySelectorAll('.recent .title')].find((one) => one.innerText.includes('ways')).lastChild
    return [0, text.data.length - 1].map((at) => {
      const range = document.createRange()
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      return range.getBoundingClientRect().left
    })
  })()`)) as [number, number]
  assert.ok(first < last)
  assert.deepEqual(problemsOf.get(page), [])
})

browserTest("a name with direction characters doesn't affect surrounding text", async (t) => {
  const turned = 's\u202eti ma'
  await using server = await testServer({ web: true, streams: { [turned]: { members: ['hamlet'] } } })
  const { hamlet } = server.people
  await hamlet.says('Straight on', { stream: turned, topic: turned })
  const page = await visit(t, server.url, hamlet)
  await page.getByRole('link', { name: turned }).first().click()
  await message(page, 'Straight on').waitFor()
  await until(page, `document.title.includes('\\u2068${turned}\\u2069')`)

  // What follows the name stands to the right of it, and is not written backwards.
  const isStraight = `(() => {
    const text = document.querySelector('.notices p').firstChild
    const leftOf = (at) => {
      const range = document.createRange()
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      return range.getBoundingClientRect().left
    }
    const end = text.data.indexOf('\\u2069')
    const places = [...text.data].flatMap((_, at) => (at > text.data.indexOf('\\u2068') && at <= end ? [] : [leftOf(at)]))
    return places.length > 3 && places.every((left, i) => i === 0 || left >= places[i - 1])
  })()`
  await page.goto('/#streams')
  await page.getByRole('button', { name: `Leave ${turned}` }).click()
  await page.getByText('You left').waitFor()
  await until(page, isStraight)
  await page.getByRole('button', { name: `Join ${turned}` }).click()
  await page.locator('.notices p', { hasText: 'You joined' }).waitFor()
})

browserTest('handles long, right-to-left, emoji-only and empty messages', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.hamlet)
  await openTopic(page, server, 'general', 'odd')
  const box = page.getByRole('textbox', { name: 'Message' })
  await sends(page, '   ')
  await page.getByText('Write a message first').waitFor()
  assert.equal(await page.locator('.outgoing').count(), 0)

  const long = `${'word '.repeat(1999)}end. `.trim()
  await sends(page, long)
  await page.locator('article[id]').filter({ hasText: 'end.' }).waitFor()
  // A text that is too long is rejected before sending, and stays in the composer.
  await writes(page, 'x'.repeat(10_001))
  await box.press('Control+Enter')
  await page.getByText('This message is too long. The limit is 10,000').waitFor()
  assert.equal((await box.inputValue()).length, 10_001)

  await sends(page, 'שלום עולם')
  const fromRight = page.locator('article[id]').filter({ hasText: 'שלום' }).locator('.content')
  await fromRight.waitFor()
  const direction = `getComputedStyle([...document.querySelectorAll('article[id] .content')].find((one) => one.textContent.includes('שלום'))).direction`
  assert.equal(await page.evaluate(direction), 'rtl')
  await sends(page, '🎉🎉')
  await page.locator('article[id]').filter({ hasText: '🎉🎉' }).waitFor()
  await sends(page, '/me smiles')
  await page.locator('article[id]').filter({ hasText: 'smiles' }).waitFor()
  await sends(page, '/todo Supper\nBread: two loaves')
  await page.getByRole('region', { name: 'Tasks: Supper' }).getByRole('checkbox').click()
  await until(page, `document.querySelector('.todo input[type=checkbox]').checked`)
  assert.deepEqual(problemsOf.get(page), [])
})

browserTest('requires a topic only where the organization does', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet } = server.people
  const { stream_id } = await hamlet.api.get('/get_stream_id', { stream: 'general' })
  const page = await visit(t, server.url, hamlet)
  await page.goto(`/#narrow/channel/${stream_id}`)
  await sends(page, 'Without a name')
  await page.locator('article[id]').filter({ hasText: 'Without a name' }).waitFor()
  await page.getByRole('heading', { name: 'general chat' }).waitFor()
  // What is said after it shows that the page knows it.
  await iago.api.patch('/realm', { topics_policy: 'disable_empty_topic' })
  await iago.says('Topics are required', { topic: 'rules' })
  await page.goto(`/#narrow/channel/${stream_id}`)
  await message(page, 'Topics are required').waitFor()
  await until(page, `document.querySelector('#compose-text') !== null`)
  await sends(page, 'Again without')
  await page.getByText('Add a topic').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'Again without')
})

browserTest('keeps a draft that is too long in the browser only', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.hamlet)
  await openTopic(page, server, 'general', 'long')
  await writes(page, 'x'.repeat(10_001))
  await openTopic(page, server, 'general', 'short')
  await writes(page, 'Brevity')
  // Drafts are saved in the order in which they were written.
  await eventually('the short text is saved', async () => (await server.hamlet.api.get('/drafts')).drafts.length > 0)
  const asked = server.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/drafts'))
  assert.deepEqual(
    asked.map(({ status }) => status),
    [200],
  )
  await openTopic(page, server, 'general', 'long')
  assert.equal((await page.getByRole('textbox', { name: 'Message' }).inputValue()).length, 10_001)
})
