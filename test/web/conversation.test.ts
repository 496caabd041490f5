import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { testServer } from '../../src/testing/index.ts'
import { newPage, problemsOf, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, sends, signInHere, until } from './gestures.ts'

const noProblems = (...pages: Page[]) => {
  for (const page of pages) assert.deepEqual(problemsOf.get(page), [])
}

browserTest("two people sign in, talk and see each other's actions immediately", async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  const ann = await visit(t, server.url, hamlet)
  const bea = await visit(t, server.url, cordelia)
  const { id } = await cordelia.says('Who is there?', { topic: 'watch' })
  await openTopic(ann, server, 'general', 'watch')
  await openTopic(bea, server, 'general', 'watch')
  await message(ann, 'Who is there?').waitFor()

  await ann.getByRole('textbox', { name: 'Message' }).pressSequentially('Nay')
  await bea.getByText('hamlet is typing').waitFor()
  await sends(ann, 'Nay, answer *me*.')
  await message(bea, 'Nay, answer me.').waitFor()
  assert.equal(await bea.locator('article em').innerText(), 'me')
  // On the sender's own page it stands once, confirmed.
  await message(ann, 'Nay, answer me.').waitFor()
  assert.equal(await ann.getByText('Nay, answer me.').count(), 1)
  await ann.locator('.outgoing').waitFor({ state: 'detached' })

  await ann.locator(`#message-${id}`).hover()
  await ann.locator(`#message-${id}`).getByRole('button', { name: 'Add reaction' }).click()
  await ann.getByRole('searchbox', { name: 'Search emoji' }).fill('octopus')
  await ann.getByRole('button', { name: 'octopus', exact: true }).click()
  await bea.getByRole('button', { name: 'octopus: hamlet' }).waitFor()
  noProblems(ann, bea)
})

browserTest('explains a wrong password and stores nothing', async (t) => {
  await using server = await testServer({ web: true })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.goto('/')
  await page.getByLabel('Email').fill(server.hamlet.email)
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Incorrect email or password').waitFor()
  await page.getByLabel('Password').fill(server.hamlet.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.shell').waitFor()
  const stored = await page.evaluate('JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])')
  assert.doesNotMatch(String(stored), /key|session=|correct horse/)

  // A push service that does not answer holds nobody up.
  await until(page, 'navigator.serviceWorker.controller !== null')
  await page.evaluate('void (PushManager.prototype.getSubscription = () => new Promise(() => {}))')
  const signsOut = async () => {
    await page.getByRole('button', { name: /account of hamlet/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.locator('.shell').waitFor({ state: 'detached' })
    await page.getByLabel('Password').waitFor()
  }
  await signsOut()
  await signInHere(page, server.hamlet.email, server.hamlet.password)
  await page.locator('.shell').waitFor()
  await signsOut()
  await page.reload()
  await page.getByLabel('Password').waitFor()
})

browserTest('marks seen messages as read and counts the rest in the title', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  for (let i = 1; i <= 3; i++) await cordelia.says(`number ${i}`, { topic: 'counted' })
  await cordelia.says('elsewhere', { topic: 'other' })
  const page = await visit(t, server.url, hamlet)
  await until(page, `/^\\(\\d+\\)/.test(document.title)`)
  const before = Number(/^\((\d+)\)/.exec(await page.title())?.[1])
  await page
    .getByRole('main')
    .getByRole('link', { name: /counted/ })
    .click()
  await page.getByText('New', { exact: true }).waitFor()
  await until(page, `document.title.startsWith('(${before - 3})')`)
  await page.goto('/#inbox')
  await page.getByRole('main').getByRole('link', { name: /other/ }).waitFor()
  assert.equal(
    await page
      .getByRole('main')
      .getByRole('link', { name: /counted/ })
      .count(),
    0,
  )
})

browserTest('shows scripts in markup as harmless text', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  await cordelia.says(
    '<img src=x onerror="document.title=1"><script>document.title=2</script> [x](javascript:alert(1))',
  )
  await cordelia.says('$$x^2$$ and ```spoiler hidden\nthe end\n```', { topic: 'greetings' })
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'greetings')
  await page.locator('.katex').first().waitFor()
  assert.equal(await page.locator('article script, article [onerror], article a[href^=javascript]').count(), 0)
  noProblems(page)
})
