// Pictures of what incoming webhooks announce, for docs/guide/webhooks.md: `npx tsx scripts/webhook-pictures.ts [folder]`.
// Each service posts events to the page's server, and the pictures show their topic at two widths.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { manualClock, type TestServer, testServer } from '../src/testing/index.ts'
import { clientBuilt, closeBrowsers, newPage, signIn } from '../test/web/browser.ts'
import { openTopic, settles } from '../test/web/gestures.ts'
import { pictures } from './webhook-examples.ts'

const folder = process.argv[2] ?? 'docs/screenshots'
const widths = [1400, 390]
/** The same at each run, so that unchanged pictures stay unchanged. */
const now = Date.UTC(2026, 10, 24, 9, 40)

/** Makes a bot named like the service, and posts the events with its key. */
async function announce({ url, people }: TestServer, { service, full_name, topic, events }: (typeof pictures)[number]) {
  const { api_key } = await people.iago.api.post('/bots', { full_name, short_name: service, bot_type: 2 })
  const address = new URL(`${url}/api/v1/external/${service}`)
  address.search = String(new URLSearchParams({ api_key, stream: 'general', topic }))
  for (const { headers, payload } of events) {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(payload),
    })
    if (!answer.ok) throw new Error(`${service}: ${await answer.text()}`)
  }
}

/** The conversation's header and its messages, without the message field. */
async function picture(page: Page, server: TestServer, size: { width: number; height: number }): Promise<Buffer> {
  await page.setViewportSize(size)
  await settles(page, server)
  const boxOf = async (part: Locator) => (await part.boundingBox())!
  const header = await boxOf(page.locator('.feed-page header').first())
  const start = await boxOf(page.getByText('This is the beginning'))
  // Without the empty space above the first message.
  const blank = Math.round(start.y - header.y - header.height - 16)
  await page.setViewportSize({ ...size, height: size.height - blank })
  await settles(page, server)
  const { x, y, width } = await boxOf(page.locator('.feed-page'))
  const last = await boxOf(page.locator('article[id]').last())
  const image = await page.screenshot({ clip: { x, y, width, height: last.y + last.height + 12 - y } })
  return sharp(image).png({ palette: true, effort: 10 }).toBuffer()
}

await clientBuilt()
await using server = await testServer({ web: true, org: 'Arden & Co.', clock: manualClock(now) })
for (const example of pictures) await announce(server, example)
await server.people.hamlet.api.post('/mark_all_as_read')
for (const width of widths) {
  const size = { width, height: 1000 }
  const page = await newPage(server.url, { size })
  await page.clock.setFixedTime(now)
  await signIn(page, server.people.hamlet)
  for (const { service, topic } of pictures) {
    await openTopic(page, server, 'general', topic)
    writeFileSync(join(folder, `webhook-${service}-${width}.png`), await picture(page, server, size))
  }
  await page.context().close()
}
await closeBrowsers()
