import { testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { keptByBrowser, message, openTopic, until } from './gestures.ts'

/** Text is drawn as on a system with pictures of flags, or as on one without: letters in the color of the text. */
const system = (hasFlags: boolean) => `{
  const { fillText } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    if (!${hasFlags}) return fillText.call(this, 'CH', x, y)
    this.fillStyle = '#f00'
    this.fillRect(x, 0, 24, 24)
  }
}`
const cached = `caches.open('web-client').then((cache) => cache.keys()).then((all) => all.map(({ url }) => new URL(url).pathname))`
const fonts = `[...document.fonts].filter(({ family }) => family === 'Flags')`

browserTest('loads a font for flags where the system has none, and keeps it offline', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('Vive la :flag_france:', { topic: 'travel' })
  await server.cordelia.says('Hello :wave:', { topic: 'plain' })
  const page = await visit(t, server.url, server.hamlet)
  await page.addInitScript(system(false))
  await openTopic(page, server, 'general', 'plain')
  await page.reload()
  await message(page, 'Hello').waitFor()
  await openTopic(page, server, 'general', 'travel')
  await message(page, 'Vive la').waitFor()
  await until(page, `${fonts}.some(({ status }) => status === 'loaded')`)
  await until(page, 'navigator.serviceWorker.controller !== null')
  await until(page, `${keptByBrowser}.then((all) => all.includes('realm_users') && all.includes('Vive la'))`)
  await until(page, `${cached}.then((paths) => paths.includes('/') && paths.some((path) => path.endsWith('.woff2')))`)
  await page.context().setOffline(true)
  await page.reload()
  await message(page, 'Vive la').waitFor()
  await until(page, `${fonts}.some(({ status }) => status === 'loaded')`)
})

browserTest('loads no font where the system has flags, or none are shown', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('Vive la :flag_france:', { topic: 'travel' })
  const page = await visit(t, server.url, server.hamlet)
  await page.addInitScript(system(true))
  const script = page.waitForResponse(/\/flag-font-/)
  await openTopic(page, server, 'general', 'travel')
  await page.reload()
  await script
  await until(page, `document.readyState === 'complete'`)
  await until(page, `${fonts}.length === 0`)
})
