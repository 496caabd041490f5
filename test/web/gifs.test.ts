import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { png } from '../files/images.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { openTopic } from './gestures.ts'

browserTest('finds a GIF of the configured provider, and attaches a copy of it', async (t) => {
  await using server = await testServer({ web: true, gifApiKeys: { giphy: 'k' } })
  const page = await visit(t, server.url, server.hamlet)
  const asked: URL[] = []
  const answered = { 'access-control-allow-origin': '*' }
  const body = Buffer.from(png({ width: 4, height: 3 }))
  await page.route(/^https:/, async (route) => {
    const url = new URL(route.request().url())
    if (url.hostname !== 'api.giphy.com') return route.fulfill({ headers: answered, contentType: 'image/gif', body })
    asked.push(url)
    const images = {
      fixed_width_small: { url: 'https://media1.giphy.com/small.gif' },
      downsized: { url: 'https://media1.giphy.com/large.gif' },
    }
    const data = url.searchParams.get('q') === 'no such thing' ? [] : [{ id: '1', title: 'Happy Cat!', images }]
    return route.fulfill({ headers: answered, json: { data } })
  })
  await openTopic(page, server, 'general', 'cats')
  const opens = async () => {
    await page.getByRole('button', { name: 'Insert' }).click()
    await page.getByRole('menuitem', { name: 'GIF…' }).click()
  }
  const picker = page.getByRole('dialog', { name: 'GIFs' })
  await opens()
  await picker.getByRole('img', { name: 'Happy Cat!' }).waitFor()
  await picker.getByRole('searchbox', { name: 'Search GIPHY' }).fill('no such thing')
  await picker.getByText('No GIFs found.').waitFor()
  assert.deepEqual(
    asked.map(({ pathname, searchParams }) => [pathname, searchParams.get('q'), searchParams.get('rating')]),
    [
      ['/v1/gifs/trending', null, 'g'],
      ['/v1/gifs/search', 'no such thing', 'g'],
    ],
  )
  await picker.getByRole('searchbox').fill('cat')
  await picker.getByRole('img', { name: 'Happy Cat!' }).click()
  await page.getByRole('list', { name: 'Attached files' }).getByText('happy-cat.gif').waitFor()

  await page.route(/^https:..api.giphy.com/, (route) => route.abort())
  await opens()
  await picker.getByText("Couldn't reach GIPHY. Try again in a moment.").waitFor()
  await page.keyboard.press('Escape')
  await server.people.iago.api.patch('/realm', { gif_rating_policy: 0 })
  // A later change, which can be seen, shows that the page knows this one.
  await server.people.iago.api.patch('/realm', { name: 'Elsinore' })
  await page.locator('.account').getByText('Elsinore').waitFor()
  await page.getByRole('button', { name: 'Insert' }).click()
  await page.getByRole('menuitem', { name: 'Poll…' }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: 'GIF…' }).count(), 0)
})
