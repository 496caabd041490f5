import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { newPage, problemsOf, signIn, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, until } from './gestures.ts'

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
