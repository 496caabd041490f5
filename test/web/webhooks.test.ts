import assert from 'node:assert/strict'
import { type TestServer, testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { fillIn } from './gestures.ts'

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

  await builder.getByRole('combobox', { name: 'Service' }).selectOption('GitLab')
  await builder.getByLabel('Titles of merge requests in topics').uncheck()
  const ofGitlab = new URL((await builder.locator('code').textContent())!)
  assert.equal(ofGitlab.searchParams.get('use_merge_request_title'), 'false')
  await builder.getByRole('combobox', { name: 'Service' }).selectOption('Discord-compatible webhook')
  const discord = new URL((await builder.locator('code').textContent())!)
  const likeDiscord = await fetch(`${server.url}${discord.pathname.replace('KEY', api_key)}${discord.search}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'As at Discord' }),
  })
  assert.equal(likeDiscord.status, 204)

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

/** Makes an incoming webhook of hamlet's, and returns a function that posts to an integration with its key. */
async function withBot({ url, hamlet }: TestServer) {
  const { api_key } = await hamlet.api.post('/bots', { full_name: 'Builds', short_name: 'builds', bot_type: 2 })
  return (integration: string, payload: object) =>
    fetch(`${url}/api/v1/external/${integration}?api_key=${api_key}&stream=general`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    })
}

browserTest('makes an integration from templates, with a preview of the last payload of a bot', async (t) => {
  await using server = await testServer({ web: true })
  const post = await withBot(server)
  await post('json', { title: 'Build 7', url: 'https://ci.example.com/7', status: 'passed' })
  const page = await visit(t, server.url, server.people.iago)
  await page.goto('/#settings/integrations')
  await page.getByText('No custom integrations yet.').waitFor()
  await page.getByRole('button', { name: 'New integration' }).click()
  const templates = { Message: '**{{ title | link: url }}** is {{ status }}', Topic: '{{ status }}', Event: 'build' }
  for (const [label, value] of Object.entries({ Name: 'ci', ...templates }))
    await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByLabel('Use the last payload of').selectOption('Builds')
  const preview = page.locator('.template-preview')
  await preview.getByText('Topic: passed. Event: build.').waitFor()
  await preview.getByRole('link', { name: 'Build 7' }).waitFor()
  assert.equal((await preview.innerText()).replace(/\n+/g, ' '), 'Topic: passed. Event: build. Build 7 is passed')
  await page.getByLabel('Sample payload').fill('{"title": "Build 8", "status": "failed"}')
  await page.getByRole('button', { name: 'Show preview' }).click()
  await preview.getByText('Build 8 is failed').waitFor()
  await page.getByRole('button', { name: 'Create integration' }).click()

  // Its address works, and leads to the message of the preview.
  await page.getByRole('button', { name: 'Copy URL of ci' }).waitFor()
  assert.equal((await post('ci', { title: 'Build 9', status: 'passed' })).status, 200)
  const { messages } = await server.hamlet.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  assert.deepEqual([messages[0].subject, messages[0].content], ['passed', '<p><strong>Build 9</strong> is passed</p>'])
})

browserTest('shows the errors of templates at their fields', async (t) => {
  await using server = await testServer({ web: true })
  await withBot(server)
  const page = await visit(t, server.url, server.people.iago)
  await page.goto('/#settings/integrations')
  await page.getByRole('button', { name: 'New integration' }).click()
  const shows = async (label: string, problem: RegExp) => {
    const field = page.getByLabel(label, { exact: true })
    await page.locator('.form-field', { has: field }).getByText(problem).waitFor()
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    assert.equal(await page.locator('[aria-invalid="true"]').count(), 1)
  }
  await fillIn(page, { Name: 'github', Message: 'x' }, 'Create integration')
  await shows('Name', /There already is an integration "github"/)
  await fillIn(page, { Name: 'ci', Message: '{% if %}' }, 'Create integration')
  await shows('Message', /The template of "content" has an error/)
  await fillIn(page, { Message: 'x', Topic: '{{' }, 'Show preview')
  await shows('Topic', /The template of "topic" has an error/)
  await fillIn(page, { Topic: '', 'Sample payload': '{' }, 'Show preview')
  await shows('Sample payload', /Malformed JSON/)
  await page.getByLabel('Use the last payload of').selectOption('Builds')
  await shows('Use the last payload of', /received no payload/)
  await fillIn(page, { Message: '{% if no %}x{% endif %}', 'Sample payload': '{}' }, 'Show preview')
  await page.getByText('No message. The template is empty for this payload.').waitFor()
  assert.equal(await page.locator('[aria-invalid="true"]').count(), 0)
})

browserTest('changes and removes integrations, and bots can choose them while the page is open', async (t) => {
  await using server = await testServer({ web: true })
  const post = await withBot(server)
  const { iago, hamlet } = server.people
  const page = await visit(t, server.url, hamlet)
  await page.goto('/#settings/bots')
  await page.getByRole('button', { name: 'Edit Builds' }).click()
  const service = page.getByRole('combobox', { name: 'Service' })
  const offers = (name: string) => service.getByRole('option', { name, exact: true })
  const { id } = await iago.api.post('/realm/webhook_templates', { name: 'ci', content: 'one' })
  await offers('ci').waitFor({ state: 'attached' })
  await service.selectOption('ci')
  await page.locator('.address-builder code').getByText('/api/v1/external/ci?').waitFor()

  const ofAdmin = await visit(t, server.url, iago)
  await ofAdmin.goto('/#settings/integrations')
  await ofAdmin.getByRole('button', { name: 'Edit ci' }).click()
  await fillIn(ofAdmin, { Name: 'tests', Message: 'two' }, 'Save')
  await ofAdmin.getByRole('button', { name: 'Edit tests' }).waitFor()
  // The chosen service is gone, so another one is chosen.
  await offers('tests').waitFor({ state: 'attached' })
  assert.notEqual(await service.inputValue(), 'ci')
  assert.equal((await post('tests', {})).status, 200)
  // Another administrator's change arrives with its event.
  await iago.api.patch(`/realm/webhook_templates/${id}`, { name: 'checks' })
  await ofAdmin.getByRole('button', { name: 'Remove checks' }).click()
  await ofAdmin.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await ofAdmin.getByText('No custom integrations yet.').waitFor()
  await offers('checks').waitFor({ state: 'detached' })
  assert.equal((await post('checks', {})).status, 400)
})
