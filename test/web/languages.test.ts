// cspell:ignore schreibsperre dich eine grund guten anzeige sprache januar nachricht posteingang anmelden adresse iniciar rosmarin konfettibombe krake oktopus reaktionen emoji
import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { newPage, signIn, sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { fillIn, keptByBrowser, message, openTopic, until, writes } from './gestures.ts'

const languageIs = (code: string, dir = '') =>
  `document.documentElement.lang === '${code}' && document.documentElement.dir === '${dir}'`
const cachedPaths = `caches.open('web-client').then((cache) => cache.keys()).then((all) => all.map(({ url }) => new URL(url).pathname))`

browserTest(
  'choosing a language takes effect immediately, and lasts after a reload and in other browsers',
  async (t) => {
    await using server = await testServer({ web: true })
    await server.cordelia.says('Guten Tag', { topic: 'greetings' })
    const page = await visit(t, server.url, server.hamlet)
    await openTopic(page, server, 'general', 'greetings')
    await writes(page, 'Half a thought')
    await page.goto('/#settings/display')
    await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
    await page.getByRole('heading', { name: 'Anzeige' }).waitFor()
    await until(page, languageIs('de'))
    assert.equal(await page.getByLabel('Sprache').inputValue(), 'de')
    await openTopic(page, server, 'general', 'greetings')
    assert.match(await page.locator('.date-line').first().innerText(), /^\p{L}+tag, 1\. Januar$/u)
    assert.equal(await page.getByLabel('Nachricht', { exact: true }).inputValue(), 'Half a thought')
    await page.reload()
    await page.getByRole('link', { name: 'Posteingang' }).first().waitFor()

    const other = await visit(t, server.url, server.hamlet)
    await other.getByRole('link', { name: 'Posteingang' }).first().waitFor()
    await page.goto('/#settings/display')
    await page.getByLabel('Sprache').selectOption({ label: 'English' })
    await page.getByRole('heading', { name: 'Display' }).waitFor()
    await other.getByRole('link', { name: 'Inbox' }).first().waitFor()
  },
)

browserTest('the reader’s language says why a message was not sent, also after a reload', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, iago } = server.people
  await hamlet.api.patch('/settings', { default_language: 'de' })
  const page = await visit(t, server.url, hamlet)
  await page.locator('html[lang=de] .shell').waitFor()
  await openTopic(page, server, 'general', 'greetings')
  await page.locator('.tools button').first().waitFor()
  await iago.api.post(`/users/${hamlet.id}/moderate`, { actions: ['silence'], minutes: 60, reason: 'Too loud' })
  await page.locator('#compose-text').fill('Guten Tag')
  await page.locator('#compose-text').press('Control+Enter')
  const reason = /Für dich gilt eine Schreibsperre bis .* Grund: Too loud/
  await message(page, 'Guten Tag').getByText(reason).waitFor()
  await page.reload()
  await message(page, 'Guten Tag').getByText(reason).waitFor()
})

browserTest('the sign-in page begins in the language of the browser, and offers others', async (t) => {
  await using server = await testServer({ web: true })
  const page = await newPage(server.url, { locale: 'de-AT' })
  t.after(() => page.context().close())
  await page.goto('/')
  await page.getByRole('button', { name: 'Anmelden' }).waitFor()
  await until(page, languageIs('de'))
  await page.getByLabel('Sprache').selectOption({ label: 'Français' })
  await page.getByRole('button', { name: 'Se connecter' }).waitFor()
  await until(page, languageIs('fr'))
  // Nobody has chosen a language for this account, so the browser's stays.
  const { email, password } = server.hamlet
  await fillIn(page, { 'Adresse e-mail': email, 'Mot de passe': password }, 'Se connecter')
  await page.locator('html[lang=fr] .shell').waitFor()
  await server.hamlet.api.patch('/settings', { default_language: 'ja' })
  await page.locator('html[lang=ja] .shell').waitFor()
})

browserTest('the organization’s language is that of its sign-in page and of new accounts', async (t) => {
  await using server = await testServer({ web: true })
  await server.iago.api.patch('/realm', { default_language: 'es' })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.goto('/')
  await page.getByRole('button', { name: 'Iniciar sesión' }).waitFor()
  await server.iago.api.post('/users', { email: 'ann@example.com', full_name: 'Ann', password: 'correct horse' })
  await signIn(page, { email: 'ann@example.com', password: 'correct horse' })
  await page.locator('html[lang=es] .shell').waitFor()
  // English was the language of earlier accounts before, and counts as their choice now.
  const earlier = await visit(t, server.url, server.hamlet)
  await earlier.locator('html[lang=en] .shell').waitFor()
})

browserTest('the page of a first visit starts offline in its language', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('Rosmarin', { topic: 'herbs' })
  const page = await newPage(server.url, { locale: 'de-DE' })
  t.after(() => page.context().close())
  await signIn(page, server.hamlet)
  await openTopic(page, server, 'general', 'herbs')
  for (const part of ['de', 'de-pages', 'de-pieces'])
    await until(page, `${cachedPaths}.then((all) => all.some((path) => /\\/${part}-[\\w-]{8}\\.js$/.test(path)))`)
  await until(page, `${cachedPaths}.then((paths) => paths.includes('/'))`)
  await until(page, `${keptByBrowser}.then((all) => all.includes('realm_users') && all.includes('Rosmarin'))`)
  await page.context().setOffline(true)
  await page.reload()
  await message(page, 'Rosmarin').waitFor()
  await page.getByRole('link', { name: 'Posteingang' }).first().waitFor()
  await until(page, languageIs('de'))
})

browserTest('without the files of its language, the page is in English', async (t) => {
  await using server = await testServer({ web: true })
  const page = await newPage(server.url, { locale: 'it-IT' })
  t.after(() => page.context().close())
  await page.route('**/web/it-*.js', (route) => route.abort())
  await signIn(page, server.hamlet)
  await page.getByRole('link', { name: 'Inbox' }).first().waitFor()
  await page.goto('/#settings/display')
  await page.getByRole('heading', { name: 'Display' }).waitFor()
  await until(page, languageIs('en'))
})

browserTest('a page from right to left shortens English text at its end', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says(`Starts here ${'and goes on '.repeat(30)}`, { topic: 'long' })
  await server.hamlet.api.patch('/settings', { default_language: 'ar' })
  const page = await visit(t, server.url, server.hamlet, { size: sizes.phone })
  await page.locator('html[dir=rtl] .excerpt').filter({ hasText: 'Starts here' }).first().waitFor()
  await until(
    page,
    `(() => {
      const excerpt = [...document.querySelectorAll('.excerpt')].find((one) => one.textContent.includes('Starts here'))
      const first = new Range()
      first.setStart(excerpt.firstChild, 0)
      first.setEnd(excerpt.firstChild, 1)
      return first.getBoundingClientRect().left >= excerpt.getBoundingClientRect().left - 1
    })()`,
  )
})

browserTest('emoji have the names of the reader’s language, and are found by them', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  await hamlet.api.patch('/settings', { default_language: 'de' })
  const { id } = await cordelia.says('Guten Tag', { topic: 'greetings' })
  await cordelia.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  const page = await visit(t, server.url, hamlet)
  await page.locator('html[lang=de] .shell').waitFor()
  await openTopic(page, server, 'general', 'greetings')
  await page.getByRole('button', { name: 'Konfettibombe: cordelia' }).waitFor()
  const text = page.getByRole('textbox', { name: 'Nachricht', exact: true })
  await text.pressSequentially(':krake')
  await page.getByRole('option', { name: 'Oktopus' }).waitFor()
  await text.press('Enter')
  assert.equal(await text.inputValue(), ':octopus: ')
})
