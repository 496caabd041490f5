import assert from 'node:assert/strict'
import { createFetch } from '../../src/network/post.ts'
import { testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'

const RSS = '<?xml version="1.0"?><rss version="2.0"><channel><title>Blog</title></channel></rss>'
const PRIVATE = 'http://127.0.0.1:9/feed.xml'
const guarded = createFetch()

browserTest('adds and removes feeds of a bot, and shows how reading them went', async (t) => {
  const fetch = async (request: Parameters<typeof guarded>[0]) =>
    request.url === PRIVATE ? guarded(request) : { status: 200, headers: {}, bytes: Buffer.from(RSS) }
  await using server = await testServer({ web: true, outgoing: { fetch } })
  const { hamlet } = server.people
  const { user_id } = await hamlet.api.post('/bots', { full_name: 'News', short_name: 'news', bot_type: 2 })
  const stored = async () => (await hamlet.api.get(`/bots/${user_id}/feeds`)).feeds as Record<string, unknown>[]
  const page = await visit(t, server.url, hamlet)
  await page.goto('/#settings/bots')
  await page.getByRole('button', { name: 'Edit News' }).click()
  const feeds = page.getByRole('region', { name: 'Feeds of News' })
  await feeds.getByText('No feeds yet.').waitFor()
  const add = async (values: Readonly<Record<string, string>>) => {
    for (const [label, value] of Object.entries(values)) await feeds.getByLabel(label, { exact: true }).fill(value)
    await feeds.getByRole('button', { name: 'Add feed' }).click()
  }

  await feeds.getByRole('button', { name: 'New feed' }).click()
  await feeds.getByLabel('Channel').selectOption('general')
  await add({ Address: 'ftp://example.com/feed', Topic: 'blog' })
  await feeds.getByText("This value isn't allowed here.").waitFor()
  await add({ Address: 'https://example.com/feed.xml' })
  const item = (url: string) => feeds.getByRole('listitem').filter({ hasText: url })
  // The server reads an address soon after it was added.
  const shows = (url: string, text: string | RegExp) =>
    eventually(`the page shows ${text}`, async () => {
      await feeds.getByRole('button', { name: 'Refresh' }).click()
      return (await item(url).getByText(text).count()) > 0
    })
  await item('https://example.com/feed.xml').getByText('Goes to general > blog.').waitFor()
  await shows('https://example.com/feed.xml', /Last read: /)

  // The reason says what an administrator can do.
  await feeds.getByRole('button', { name: 'New feed' }).click()
  await feeds.getByLabel('Type').selectOption('Calendar (iCalendar)')
  await feeds.getByLabel('Channel').selectOption('general')
  await add({ Address: PRIVATE, Topic: 'meetings', 'Minutes before an event': '5' })
  await item(PRIVATE).getByText('Goes to general > meetings, 5 minutes before each event.').waitFor()
  await shows(PRIVATE, /Start the server with --allow-private-webhooks/)
  await item(PRIVATE).getByText('Not read yet.').waitFor()
  assert.deepEqual(
    (await stored()).map(({ kind, topic, minutes_before }) => [kind, topic, minutes_before]),
    [
      ['feed', 'blog', null],
      ['calendar', 'meetings', 5],
    ],
  )

  await feeds.getByRole('button', { name: `Remove ${PRIVATE}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await item(PRIVATE).waitFor({ state: 'detached' })
  assert.deepEqual(
    (await stored()).map(({ url }) => url),
    ['https://example.com/feed.xml'],
  )
})
