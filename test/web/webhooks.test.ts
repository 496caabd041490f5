import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'

browserTest('builds the URL of a webhook and lists what it received', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const { api_key } = await hamlet.api.post('/bots', { full_name: 'Builds', short_name: 'builds', bot_type: 2 })
  const page = await visit(t, server.url, hamlet)
  await page.goto(`${server.url}/#settings/bots`)
  await page.getByRole('button', { name: 'Edit Builds' }).click()
  const builder = page.getByRole('region', { name: 'Webhook URL' })
  await builder.getByRole('combobox', { name: 'Service' }).selectOption('GitHub')
  await builder.getByRole('combobox', { name: 'Channel' }).selectOption('general')
  await builder.getByLabel('Topic').fill('release & fixes')
  await builder.getByLabel('Only these events').fill('push, issues')
  await builder.getByLabel('Only these branches').fill('main,release/*')
  const address = new URL((await builder.locator('code').textContent())!)
  assert.equal(address.pathname, '/api/v1/external/github')
  assert.equal(address.searchParams.get('topic'), 'release & fixes')
  assert.equal(address.searchParams.get('stream'), String(await server.streamId('general')))

  // The service uses the URL unchanged, with the key.
  address.searchParams.set('api_key', api_key)
  const post = async (event: string, payload: object) =>
    fetch(`${server.url}${address.pathname}${address.search}`, {
      method: 'POST',
      headers: { 'x-github-event': event, 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    })
  const repository = { name: 'elsinore', full_name: 'denmark/elsinore', html_url: 'https://example.com/elsinore' }
  const issue = { number: 7, title: 'A ghost', html_url: 'https://example.com/7', user: { login: 'horatio' }, body: '' }
  const opened = await post('issues', { action: 'opened', issue, repository, sender: { login: 'horatio' } })
  assert.equal(opened.status, 200, await opened.text())
  await post('star', { action: 'created', repository, sender: { login: 'horatio' } })
  const deliveries = page.getByRole('region', { name: 'Last 20 deliveries' })
  await deliveries.getByText('Nothing received yet.').waitFor()
  await deliveries.getByRole('button', { name: 'Refresh' }).click()
  await deliveries.getByText(/star ignored/).waitFor()
  await deliveries.getByText(/issues.* sent/).click()
  await deliveries.getByText('A ghost').waitFor()
  await deliveries.getByRole('link', { name: 'Open the message' }).click()
  await page.getByRole('main').getByText('release & fixes').first().waitFor()
})
