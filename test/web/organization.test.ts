import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { testServer } from '../../src/testing/index.ts'
import { png } from '../emoji/pictures.ts'
import { clientBuilt, closeBrowser, skip, visit } from './browser.ts'

after(closeBrowser)

test('an owner changes the organization field by field, and a refusal stands beside its field', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.iago)
  await page.goto('/#settings/organization')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Denmark')
  await name.blur()
  await page.getByText('Saved').waitFor()
  await page.locator('.account').getByText('Denmark').waitFor()
  await name.fill('')
  await name.blur()
  await page.getByText('name cannot be blank').waitFor()

  await page.goto('/#settings/messages')
  await page.getByLabel('Time to edit').selectOption('A day')
  await page.getByText('Saved').waitFor()
  await page.goto('/#settings/permissions')
  await page.getByLabel('Create public streams').selectOption('Moderators')
  await page.getByText('Saved').waitFor()

  const state = await server.people.hamlet.api.post('/register', { fetch_event_types: '["realm"]' })
  assert.equal(state.realm_name, 'Denmark')
  assert.equal(state.realm_message_content_edit_limit_seconds, 86_400)
  assert.equal(state.can_create_public_streams, false)
})

test('an owner gives a role, deactivates and reactivates', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const { iago, hamlet } = server.people
  const page = await visit(t, server.url, iago)
  await page.goto('/#settings/users')
  await page.getByLabel('Role of hamlet').selectOption('Moderator')
  await page.getByText('Saved').waitFor()
  const { user } = await iago.api.get(`/users/${hamlet.id}`)
  assert.equal(user.role, 300)
  await page.getByLabel('Role of iago').selectOption('Member')
  await page.locator('li', { hasText: 'iago@' }).locator('.problem').waitFor()
  assert.equal(await page.getByLabel('Role of iago').inputValue(), '100')

  await page.getByRole('button', { name: 'Deactivate hamlet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await page.getByRole('button', { name: 'Reactivate hamlet' }).click()
  await page.getByRole('button', { name: 'Deactivate hamlet' }).waitFor()
})

test('a member adds and deletes emoji of their own, and has no pages of administrators', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.hamlet)
  await page.goto('/#settings/users')
  await page.getByRole('heading', { name: 'Profile' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Permissions' }).count(), 0)

  await page.goto('/#settings/emoji')
  const add = async (name: string) => {
    await page.getByLabel('Name').fill(name)
    await page
      .getByLabel('Picture')
      .setInputFiles({ name: 'yorick.png', mimeType: 'image/png', buffer: Buffer.from(png()) })
    await page.getByRole('button', { name: 'Add emoji' }).click()
  }
  await add('yorick')
  await page.getByText(':yorick:').waitFor()
  await add('yorick')
  await page.getByText('A custom emoji with this name already exists.').waitFor()
  await page.getByRole('button', { name: 'Delete yorick' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('There are none yet.').waitFor()

  const guest = await visit(t, server.url, server.people.polonius)
  await guest.goto('/#settings/emoji')
  await guest.getByText('There are none yet.').waitFor()
  assert.equal(await guest.getByRole('button', { name: 'Add emoji' }).count(), 0)
})

test('who administers a stream renames it, removes somebody and archives it; others only see it', {
  skip,
}, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const { iago, hamlet } = server.people
  const { stream_id } = await iago.api.get('/get_stream_id', { stream: 'general' })
  const other = await visit(t, server.url, hamlet)
  await other.goto(`/#streams/${stream_id}`)
  await other.locator('.settings-list').getByText('iago').waitFor()
  assert.equal(await other.getByRole('button', { name: 'Archive' }).count(), 0)

  const page = await visit(t, server.url, iago)
  await page.goto('/#streams')
  await page.getByRole('link', { name: 'Settings of general' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('castle')
  await page.getByRole('textbox', { name: 'Name' }).blur()
  await page.getByText('Saved').waitFor()
  await other.getByRole('heading', { name: 'castle' }).waitFor()
  await page.getByRole('button', { name: 'Remove cordelia' }).click()
  await page.getByRole('button', { name: 'Remove cordelia' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  const archived = other.getByText('This stream is archived')
  await archived.waitFor()
  await page.getByRole('button', { name: 'Archived streams' }).click()
  await page.getByRole('button', { name: 'Bring back castle' }).click()
  await archived.waitFor({ state: 'detached' })
  await other.getByRole('heading', { name: 'castle' }).waitFor()
})
