import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { newPage, problemsOf, signIn, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, until, visitRead } from './gestures.ts'

const SCRIPT = '**/web/main-*.js'

browserTest('asks for the newest messages once, while the script of the page is loaded', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('Columbines', { topic: 'herbs' })
  const page = await visit(t, server.url, server.hamlet)
  await page.goto('/#narrow')
  await message(page, 'Columbines').waitFor()
  await until(page, `localStorage.getItem('ahead')?.includes('messages') === true`)
  await server.cordelia.says('Rosemary', { topic: 'herbs' })
  const asked: string[] = []
  let isAsked = () => {}
  const ahead = new Promise<void>((resolve) => {
    isAsked = resolve
  })
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== '/json/messages') return
    asked.push(request.url())
    isAsked()
  })
  // The script arrives only after the request.
  await page.route(SCRIPT, async (route) => {
    await ahead
    await route.continue()
  })
  let register = () => {}
  const registered = new Promise<void>((resolve) => {
    register = resolve
  })
  await page.route('**/json/register', async (route) => {
    await registered
    await route.continue()
  })
  await page.reload()
  await message(page, 'Rosemary').waitFor()
  assert.equal(asked.length, 1)
  register()
  assert.deepEqual(problemsOf.get(page), [])
})

browserTest('signing out leaves nothing to ask for ahead', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('Columbines', { topic: 'herbs' })
  const page = await visit(t, server.url, server.hamlet)
  await page.goto('/#narrow')
  await until(page, `localStorage.getItem('ahead')?.includes('messages') === true`)
  await page.getByRole('button', { name: /account of hamlet/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Password').waitFor()
  await until(page, `localStorage.getItem('ahead') === null`)
})

browserTest('a first visit asks who is signed in while the script of the page is loaded', async (t) => {
  await using server = await testServer({ web: true })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  const asked: string[] = []
  let isAsked = () => {}
  const ahead = new Promise<void>((resolve) => {
    isAsked = resolve
  })
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/json/')) return
    asked.push(pathname)
    isAsked()
  })
  await page.route(SCRIPT, async (route) => {
    await ahead
    await route.continue()
  })
  await signIn(page, server.hamlet)
  assert.equal(asked.filter((path) => path === '/json/session').length, 1)
})

browserTest('shows what changed between the first messages and the state, and draws nothing else again', async (t) => {
  await using server = await testServer({
    web: true,
    streams: { watch: { members: ['hamlet', 'cordelia', 'iago'], topics: { night: 120 } } },
  })
  const { hamlet, cordelia, iago } = server.people
  const says = async (text: string) => (await cordelia.says(text, { stream: 'watch', topic: 'night' })).id
  const edited = await says('Twelve, I think')
  const deleted = await says('Who goes?')
  const moved = await says('Breakfast')
  const liked = await says('A cold night')
  const page = await visitRead(t, server, 'watch', 'night')
  await until(page, `localStorage.getItem('ahead')?.includes('night') === true`)
  await until(page, `localStorage.getItem('screen').includes('A cold night')`)
  await says('All is well')
  const { promise: registered, resolve: register } = Promise.withResolvers<void>()
  await page.route('**/json/register', async (route) => {
    await registered
    await route.continue()
  })
  await page.reload()
  await message(page, 'All is well').waitFor()
  // Messages above the view are drawn, too.
  await until(page, `document.querySelector('.feed').scrollTop > document.querySelector('.feed').clientHeight`)

  await cordelia.api.patch(`/messages/${edited}`, { content: 'One' })
  await iago.api.delete(`/messages/${deleted}`)
  await iago.api.patch(`/messages/${moved}`, { topic: 'morning', propagate_mode: 'change_one' })
  await iago.api.post(`/messages/${liked}/reactions`, { emoji_name: 'snowflake' })
  await hamlet.api.post('/messages/flags', { messages: [edited], op: 'add', flag: 'starred' })
  await page.evaluate(`{
    window.removed = []
    const note = (node) => node.localName === 'article' && window.removed.push(Number(node.id.replace('message-', '')))
    new MutationObserver((all) => all.forEach(({ removedNodes }) => removedNodes.forEach(note))).observe(
      document.querySelector('.feed-content'),
      { childList: true },
    )
  }`)
  register()
  await message(page, 'One').waitFor()
  await page.locator(`#message-${liked} .reactions`).waitFor()
  await page.locator(`#message-${edited} .starred`).waitFor()
  for (const id of [deleted, moved]) await page.locator(`#message-${id}`).waitFor({ state: 'detached' })
  await message(page, 'All is well').waitFor()
  assert.deepEqual(await page.evaluate('window.removed'), [deleted, moved])
})
