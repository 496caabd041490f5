import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { png } from '../files/images.ts'
import { ArchiveFolder, importInto, jsonLines } from '../import/archives.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'

browserTest('an owner edits organization settings individually, with errors beside each field', async (t) => {
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
  await page.getByText("This field can't be empty.").waitFor()

  await page.goto('/#settings/messages')
  await page.getByLabel('Time limit for editing').selectOption('1 day')
  await page.getByText('Saved').waitFor()
  await page.goto('/#settings/permissions')
  // As with the arrow keys, which pass by other choices.
  const choice = page.getByLabel('Create public channels')
  const changes = () => server.requests.filter(({ method }) => method === 'PATCH').length
  const all = changes() + 3
  for (const name of ['Moderators', 'Administrators', 'Moderators']) await choice.selectOption(name)
  await eventually('three changes are asked for', () => changes() === all)
  await page.getByText('Saved').waitFor()

  const state = await server.people.hamlet.api.post('/register', { fetch_event_types: '["realm"]' })
  assert.equal(state.realm_name, 'Denmark')
  assert.equal(state.realm_message_content_edit_limit_seconds, 86_400)
  assert.equal(state.can_create_public_streams, false)
})

browserTest('an owner merges an imported stub, and erases a deactivated person', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet, cordelia } = server.people
  using archive = new ArchiveFolder({
    'import.jsonl': jsonLines(
      { type: 'user', id: 'u1', name: 'Old Hamlet' },
      { type: 'channel', id: 'c1', name: 'castle' },
      { type: 'message', id: 'm1', user: 'u1', date: 1_700_000_000, channel: 'c1', topic: 'x', content: 'Mark me.' },
    ),
  })
  await importInto(server.chat, archive)
  await cordelia.api.delete('/users/me')
  const page = await visit(t, server.url, iago)
  await page.goto('/#settings/users')
  await page.getByRole('button', { name: 'Merge Old Hamlet…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Merge into').selectOption(String(hamlet.id))
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await page.getByRole('button', { name: 'Merge Old Hamlet…' }).waitFor({ state: 'detached' })
  const { messages } = await iago.api.get('/messages', {
    ...{ anchor: 'newest', num_before: 1, num_after: 0 },
    narrow: [{ operator: 'channel', operand: 'castle' }],
  })
  assert.equal(messages[0].sender_id, hamlet.id)

  await page.getByRole('button', { name: 'Erase cordelia…' }).click()
  await dialog.getByLabel('Also delete their messages').check()
  await dialog.getByRole('button', { name: 'Erase', exact: true }).click()
  await page.getByRole('heading', { name: 'Person erased' }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('listitem').getByText('Deleted user').waitFor()
  assert.equal((await iago.api.get(`/users/${cordelia.id}`)).user.is_deleted, true)
  assert.equal(await page.getByRole('button', { name: 'Erase Deleted user…' }).count(), 0)
})

browserTest('an owner changes a role, deactivates and reactivates', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet } = server.people
  const page = await visit(t, server.url, iago)
  await page.goto('/#settings/users')
  await page.getByLabel('Role of hamlet').selectOption('Moderator')
  await page.getByText('Saved').waitFor()
  const { user } = await iago.api.get(`/users/${hamlet.id}`)
  assert.equal(user.role, 300)
  await page.getByLabel('Role of cordelia').selectOption('Owner')
  // Another owner was quicker: the server refuses what was offered a moment ago.
  const role = page.getByLabel('Role of iago')
  const dialog = page.getByRole('dialog', { name: 'Change your own role to Member?' })
  // As with a key on the way to another choice: a role of one's own that cannot be taken back is asked for.
  await role.selectOption('Member')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await role.inputValue(), '100')
  assert.equal((await iago.api.get('/users/me')).role, 100)
  const refusal = { code: 'BAD_REQUEST', result: 'error', msg: 'The owner is the only one.' }
  await page.route('**/json/users/*', (route) => route.fulfill({ status: 400, json: refusal }))
  await role.selectOption('Member')
  await dialog.getByRole('button', { name: 'Change my role' }).click()
  await page.locator('li', { hasText: 'iago@' }).locator('.problem').waitFor()
  assert.equal(await role.inputValue(), '100')
  await page.unroute('**/json/users/*')

  await page.getByRole('button', { name: 'Deactivate hamlet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await page.getByRole('button', { name: 'Reactivate hamlet' }).click()
  await page.getByRole('button', { name: 'Deactivate hamlet' }).waitFor()

  // A user who gives up the rights loses the page.
  await role.selectOption('Moderator')
  await page.getByRole('dialog').getByRole('button', { name: 'Change my role' }).click()
  await page.getByRole('heading', { name: 'Profile' }).waitFor()
  assert.equal((await iago.api.get('/users/me')).role, 300)
})

browserTest('a member manages their own emoji and sees no administrator pages', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.hamlet)
  await page.goto('/#settings/users')
  await page.getByRole('heading', { name: 'Profile' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Permissions' }).count(), 0)

  await page.goto('/#settings/emoji')
  const add = async (name: string) => {
    await page.getByLabel('Name').fill(name)
    await page
      .getByLabel('Image')
      .setInputFiles({ name: 'yorick.png', mimeType: 'image/png', buffer: Buffer.from(png()) })
    await page.getByRole('button', { name: 'Add emoji' }).click()
  }
  await add('yorick')
  await page.getByText(':yorick:').waitFor()
  await add('yorick')
  await page.getByText('A custom emoji with this name already exists.').waitFor()
  await page.getByRole('button', { name: 'Delete yorick' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No custom emoji yet.').waitFor()

  const guest = await visit(t, server.url, server.people.polonius)
  await guest.goto('/#settings/emoji')
  await guest.getByText('No custom emoji yet.').waitFor()
  assert.equal(await guest.getByRole('button', { name: 'Add emoji' }).count(), 0)
})

browserTest('a stream administrator renames, removes members and archives; others only view', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet } = server.people
  const { stream_id } = await iago.api.get('/get_stream_id', { stream: 'general' })
  const other = await visit(t, server.url, hamlet)
  await other.goto(`/#streams/${stream_id}/members`)
  await other.locator('.settings-list').getByText('iago').waitFor()
  assert.equal(await other.getByRole('button', { name: 'Archive' }).count(), 0)

  const page = await visit(t, server.url, iago)
  await page.goto('/#streams')
  await page.getByRole('link', { name: 'Settings for general' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('castle')
  await page.getByRole('textbox', { name: 'Name' }).blur()
  await page.getByText('Saved').waitFor()
  await other.getByRole('heading', { name: 'castle' }).waitFor()
  await page.getByRole('tab', { name: 'Members' }).click()
  await page.getByRole('button', { name: 'Remove cordelia' }).click()
  await page.getByRole('button', { name: 'Remove cordelia' }).waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'General' }).click()
  await page.getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  const archived = other.getByText('This channel is archived')
  await archived.waitFor()
  await page.getByRole('button', { name: 'Archived channels' }).click()
  await page.getByRole('button', { name: 'Unarchive castle' }).click()
  await archived.waitFor({ state: 'detached' })
  await other.getByRole('heading', { name: 'castle' }).waitFor()
})
