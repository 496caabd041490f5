import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { testServer } from '../../src/testing/index.ts'
import { clientBuilt, closeBrowser, problemsOf, skip, visit } from './browser.ts'
import { message, openTopic, sends, until, writes } from './gestures.ts'

after(closeBrowser)

test('names and topics are text, whatever is in them, and long ones do not break the page', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  const html = '<img src=x onerror="document.title=1"><b>&amp;'
  const name = `${'Long'.repeat(20)} ${'Name'.repeat(4)}`.slice(0, 100)
  await cordelia.api.patch('/settings', { full_name: name })
  await cordelia.says('In a topic of tags', { topic: html })
  await hamlet.api.post('/users/me/status', { status_text: html.slice(0, 60) })
  await hamlet.api.post('/users/me/subscriptions', { subscriptions: [{ name: '<i>verona</i>', description: html }] })
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
    await page.waitForTimeout(150)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, view)
    assert.equal(await page.locator('#app main :is(b, i):not(article *)').count(), 0, view)
  }
  assert.deepEqual(problemsOf.get(page), [])
})

test('a long message, one from the right, one of emoji alone, and none at all', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.hamlet)
  await openTopic(page, server, 'general', 'odd')
  const box = page.getByRole('textbox', { name: 'Message' })
  await sends(page, '   ')
  await page.getByText('There is nothing to send yet').waitFor()
  assert.equal(await page.locator('.outgoing').count(), 0)

  const long = `${'word '.repeat(1999)}end. `.trim()
  await sends(page, long)
  await page.locator('article[id]').filter({ hasText: 'end.' }).waitFor()
  // One more than there may be is refused before it is sent, and stays in the box.
  await writes(page, 'x'.repeat(10_001))
  await box.press('Control+Enter')
  await page.getByText('That is too long: at most 10000').waitFor()
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

test('a message without a topic goes where topics are not required, and is asked for one where they are', {
  skip,
}, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const { iago, hamlet } = server.people
  const { stream_id } = await hamlet.api.get('/get_stream_id', { stream: 'general' })
  const page = await visit(t, server.url, hamlet)
  await page.goto(`/#narrow/channel/${stream_id}`)
  await sends(page, 'Without a name')
  await page.locator('article[id]').filter({ hasText: 'Without a name' }).waitFor()
  await page.getByRole('heading', { name: 'general chat' }).waitFor()
  await iago.api.patch('/realm', { mandatory_topics: true })
  await page.goto(`/#narrow/channel/${stream_id}`)
  await until(page, `document.querySelector('#compose-text') !== null`)
  await sends(page, 'Again without')
  await page.getByText('A topic is needed here').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'Again without')
})
