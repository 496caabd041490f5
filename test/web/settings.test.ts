import assert from 'node:assert/strict'
import { setUpPath } from '../../src/core/organization/set-up.ts'
import { createChatServer } from '../../src/http/index.ts'
import { contextOf, createOrganization, openChat } from '../../src/index.ts'
import { testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { newPage, problemsOf, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { fillIn, message, openTopic, sends, settles, until } from './gestures.ts'

browserTest('leads from the setup link to the first message', async (t) => {
  await using chat = await openChat({ passwordCost: 4 })
  const owner = { org: 'Chat', owner_email: 'owner@localhost', owner_name: 'Owner' }
  await createOrganization(chat, owner, { setUp: true })
  await using server = await createChatServer({ chat, port: 0, web: true })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.goto((await setUpPath(contextOf(chat)))!)
  const given = {
    'Organization name': 'Elsinore',
    'Your name': 'Gertrude',
    Email: 'gertrude@example.com',
    Password: 'correct horse',
    'Confirm password': 'correct horse',
  }
  await fillIn(page, { ...given, 'Confirm password': 'another horse' }, 'Set up')
  await page.getByText("The passwords don't match").waitFor()
  // What was filled in is still there, but for the passwords.
  await fillIn(page, { Password: 'correct horse', 'Confirm password': 'correct horse' }, 'Set up')
  await page.getByRole('heading', { name: 'Elsinore is ready' }).waitFor()
  await page.getByRole('link', { name: 'Continue to Elsinore' }).click()
  await page.locator('.account').getByText('Gertrude').waitFor()
  // A user without others sees what to do next.
  const welcome = page.getByRole('region', { name: 'Welcome to Elsinore' })
  await welcome.getByRole('button', { name: 'Invite people' }).click()
  await page.getByRole('dialog', { name: 'Invite people' }).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'general' }).first().click()
  await page
    .getByRole('textbox', { name: 'Topic' })
    .or(page.getByRole('combobox', { name: 'Topic' }))
    .fill('crown')
  await sends(page, 'Good Hamlet, cast thy dark colour off')
  await message(page, 'Good Hamlet').waitFor()
})

interface Group {
  name: string
  id: number
}

browserTest('creates, mentions and leaves a group', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  const page = await visit(t, server.url, hamlet)
  const other = await visit(t, server.url, cordelia)
  await page.goto('/#settings/groups')
  await page.getByRole('button', { name: 'New group' }).click()
  await page.getByRole('combobox', { name: 'Members' }).fill('cord')
  await page.getByRole('option', { name: 'cordelia' }).click()
  await fillIn(page, { Name: 'cooks', Description: 'Who cooks' }, 'Create group')
  await page.getByRole('heading', { name: 'cooks' }).waitFor()

  // A group that this one is in cannot be in it.
  const { cooks, household } = await hamlet.api
    .post('/user_groups/create', { name: 'household', description: '', members: [] })
    .then(() => hamlet.api.get('/user_groups'))
    .then(({ user_groups: all }) => Object.fromEntries(all.map(({ name, id }: Group) => [name, id])))
  await page
    .getByLabel('Add a group', { exact: true })
    .locator('option', { hasText: 'household' })
    .waitFor({ state: 'attached' })
  await hamlet.api.post(`/user_groups/${household}/subgroups`, { add: [cooks] })
  await page.getByLabel('Add a group', { exact: true }).waitFor({ state: 'detached' })

  await openTopic(page, server, 'general', 'supper')
  await sends(page, 'What is there to eat, @*cooks*?')
  await other.goto('/#narrow/is/mentioned')
  await message(other, 'What is there to eat').waitFor()

  await other.goto('/#settings/groups')
  await other.getByRole('link', { name: 'cooks' }).click()
  await other.getByRole('button', { name: 'Leave' }).click()
  await other.getByRole('main').getByRole('listitem').filter({ hasText: 'cordelia' }).waitFor({ state: 'detached' })
  assert.equal(await other.getByRole('button', { name: 'Deactivate' }).count(), 0)

  // Her settings: who may mention it, as a person chosen by name.
  await page.goto('/#settings/groups')
  await page.getByRole('link', { name: 'cooks' }).click()
  await page.getByRole('tab', { name: 'Permissions' }).click()
  await page.getByLabel('Mention').selectOption('Custom')
  await page.getByRole('combobox', { name: 'People: Mention' }).fill('iag')
  await page.getByRole('option', { name: 'iago' }).click()
  await page.getByText('Saved').waitFor()
  const { user_groups } = await hamlet.api.get('/user_groups')
  const changed = user_groups.find(({ name }: Group) => name === 'cooks')
  assert.deepEqual(changed.members, [hamlet.id])
  assert.ok(changed.can_mention_group.direct_members.includes(server.people.iago.id))
  await page.getByRole('tab', { name: 'General' }).click()
  const deactivate = async () => {
    await page.getByRole('button', { name: 'Deactivate' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  }
  await deactivate()
  await page.getByText('This group is still used as a subgroup of household. Remove it there first.').waitFor()
  await hamlet.api.post(`/user_groups/${household}/subgroups`, { delete: [cooks] })
  await deactivate()
  await page.getByRole('heading', { name: 'Deactivated' }).waitFor()
  assert.deepEqual(problemsOf.get(other), [])
})

browserTest('creates a bot whose key works in a program and can be replaced', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.hamlet)
  await page.goto('/#settings/bots')
  await page.getByRole('button', { name: 'New bot' }).click()
  await fillIn(page, { Name: 'Builds' }, 'Cancel')
  await page.getByRole('button', { name: 'New bot' }).click()
  await page.getByLabel('Username').fill('builds')
  await fillIn(page, { Name: 'Builds' }, 'Create bot')
  const dialog = page.getByRole('dialog')
  const key = await dialog.getByLabel('API key', { exact: true }).inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const email = await page.locator('li', { hasText: 'Builds' }).locator('.small').first().innerText()
  const send = (with_key: string) =>
    fetch(`${server.url}/api/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${email}:${with_key}`).toString('base64')}` },
      body: new URLSearchParams({ type: 'stream', to: 'general', topic: 'builds', content: 'It is green' }),
    })
  assert.equal((await send(key)).status, 200)

  await page.getByRole('button', { name: 'New key for Builds' }).click()
  await dialog.getByRole('button', { name: 'Create new key' }).click()
  const second = await dialog.getByLabel('API key', { exact: true }).inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()
  assert.deepEqual([(await send(key)).status, (await send(second)).status], [401, 200])
  await page.getByRole('button', { name: 'Edit Builds' }).click()
  await page.getByLabel('Default channel for messages').selectOption('general')
  await page.getByText('Saved').waitFor()
  await openTopic(page, server, 'general', 'builds')
  await message(page, 'It is green').waitFor()

  await page.goto('/#settings/bots')
  await page.getByRole('button', { name: 'Deactivate Builds' }).click()
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await page.getByText('No bots yet').waitFor()
  assert.equal((await send(second)).status, 401)
})

browserTest('shows the URLs an external service needs for its bot', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.hamlet)
  await page.goto('/#settings/bots')
  await page.getByRole('button', { name: 'New bot' }).click()
  await page.getByLabel('Type').selectOption({ index: 1 })
  await page.getByLabel('Username').fill('hub')
  await fillIn(page, { Name: 'Hub' }, 'Create bot')
  const key = await page.getByRole('dialog').getByLabel('API key', { exact: true }).inputValue()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Edit Hub' }).click()
  await page.getByLabel('Message', { exact: true }).fill('**{title}**')
  await page.getByLabel('Message', { exact: true }).blur()
  await page.getByText('Saved').waitFor()
  const builder = page.getByRole('region', { name: 'Webhook URL' })
  await builder.getByRole('combobox', { name: 'Service' }).selectOption('json')
  const address = await builder.locator('code').innerText()
  const answer = await fetch(address.replace('KEY', key), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Murder most foul' }),
  })
  assert.equal(answer.status, 200)
  await page.goto('/#narrow/search/foul')
  await page.locator('article strong', { hasText: 'Murder most' }).waitFor()
})

browserTest('creates, tests and reorders a linkifier that links its matches', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.iago)
  await page.goto('/#settings/linkifiers')
  const add = (pattern: string, address: string) =>
    fillIn(page, { Pattern: pattern, 'URL template': address }, 'Add linkifier')
  await add('T-(?P<id>[0-9]+', 'https://example.com/{id}')
  await page.locator('form .problem').filter({ hasText: /\S/ }).waitFor()
  await add('T-(?P<id>[0-9]+)', 'https://example.com/tickets/{id}')
  await page.getByRole('button', { name: 'Edit T-(?P<id>[0-9]+)' }).waitFor()
  await add('C-(?P<id>[0-9]+)', 'https://example.com/changes/{id}')
  const named = (label: string) => until(page, `document.activeElement?.getAttribute('aria-label') === '${label}'`)
  await page.getByRole('button', { name: 'Move C-(?P<id>[0-9]+) up' }).press('Enter')
  await page.locator('ol > li').first().filter({ hasText: 'C-' }).waitFor()
  // The keyboard continues in the row, even at the top.
  await named('Move C-(?P<id>[0-9]+) down')
  await page.keyboard.press('Enter')
  await page.locator('ol > li').last().filter({ hasText: 'C-' }).waitFor()
  await named('Move C-(?P<id>[0-9]+) up')
  await page.keyboard.press('Enter')
  await page.locator('ol > li').first().filter({ hasText: 'C-' }).waitFor()
  // A second press continues from the first, before the server has responded.
  await add('D-(?P<id>[0-9]+)', 'https://example.com/days/{id}')
  await page.getByRole('button', { name: 'Move D-(?P<id>[0-9]+) up' }).waitFor()
  await page.evaluate(`(() => {
    const up = [...document.querySelectorAll('ol > li')].at(-1).querySelector('button')
    up.click()
    up.click()
  })()`)
  await page.locator('ol > li').first().filter({ hasText: 'D-' }).waitFor()
  await eventually('the server has it first', async () => {
    const { linkifiers } = await server.people.iago.api.get('/realm/linkifiers')
    return linkifiers[0].pattern.startsWith('D-')
  })

  await fillIn(page, { 'Sample message': 'See T-12.' }, 'Preview')
  const link = page.getByRole('link', { name: 'T-12' })
  assert.equal(await link.getAttribute('href'), 'https://example.com/tickets/12')
  // Its two parts are changed together because they describe the same groups.
  await page.getByRole('button', { name: 'Edit D-(?P<id>[0-9]+)' }).click()
  const row = page.locator('ol > li').first()
  await row.getByLabel('Pattern').fill('D-(?P<day>[0-9]+)')
  await row.getByLabel('URL template').fill('https://example.com/days/{day}')
  await row.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Edit D-(?P<day>[0-9]+)' }).waitFor()

  await openTopic(page, server, 'general', 'tickets')
  await sends(page, 'C-7 mends T-13')
  const written = message(page, 'mends').getByRole('link', { name: 'C-7' })
  await written.waitFor()
  assert.equal(await written.getAttribute('href'), 'https://example.com/changes/7')
})

browserTest('defines a profile field, fills it in and shows it on a profile', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet } = server.people
  const page = await visit(t, server.url, iago)
  const other = await visit(t, server.url, hamlet)
  await page.goto('/#settings/fields')
  await page.getByLabel('Type').selectOption('List of options')
  await fillIn(page, { Name: 'Castle wing', 'Options, one per line': 'North\nSouth' }, 'Add field')
  await page.getByRole('button', { name: 'Edit Castle wing' }).waitFor()
  await other.goto('/#settings/profile')
  await other.getByLabel('Castle wing').selectOption('South')
  await other.getByText('Saved').waitFor()
  // A choice of another name is still the choice.
  await page.getByRole('button', { name: 'Edit Castle wing' }).click()
  await page.getByLabel('Options').last().fill('South\nNorth\nEast')
  await page.getByLabel('Options').last().blur()
  await page.getByText('Saved').waitFor()
  assert.equal(await other.getByLabel('Castle wing').locator('option:checked').innerText(), 'South')
})

browserTest('profiles show choices and people by name, and links as links', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet, cordelia } = server.people
  const field_data = { a: { text: 'North', order: '1' }, b: { text: 'South', order: '2' } }
  const said = [
    [{ field_type: 3, field_data }, 'b'],
    [{ field_type: 5 }, 'https://example.com/wing'],
    [{ field_type: 6 }, [iago.id, cordelia.id]],
  ] as const
  for (const [i, [field, value]] of said.entries()) {
    const { id } = await iago.api.post('/realm/profile_fields', { name: `Field ${i}`, hint: '', ...field })
    await hamlet.api.patch('/users/me/profile_data', { data: [{ id, value }] })
  }
  await hamlet.says('Words', { topic: 'books' })
  const page = await visit(t, server.url, iago)
  await openTopic(page, server, 'general', 'books')
  // People come after the first view.
  await settles(page, server)
  await message(page, 'Words').getByRole('button', { name: 'hamlet' }).click()
  const profile = page.getByRole('dialog', { name: 'hamlet' })
  await profile.getByText('South').waitFor()
  await profile.getByText('iago, cordelia').waitFor()
  assert.equal(await profile.getByRole('link').getAttribute('href'), 'https://example.com/wing')
})

browserTest("doesn't show profile fields as empty while they load", async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet } = server.people
  const { id } = await iago.api.post('/realm/profile_fields', { name: 'Castle wing', hint: '', field_type: 1 })
  await hamlet.api.patch('/users/me/profile_data', { data: [{ id, value: 'South' }] })
  const page = await visit(t, server.url, hamlet)
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.goto('/favicon.svg')
  await page.evaluate('localStorage.clear()')
  await page.route('**/json/register', async (route) => {
    // People are fetched without a queue for their events.
    if (/(^|&)event_types=%5B%5D/.test(route.request().postData() ?? '')) await held
    await route.continue()
  })
  await page.goto('/#settings/profile')
  await page.getByLabel('Name', { exact: true }).waitFor()
  await page.getByLabel('Time zone').waitFor()
  assert.equal(await page.getByLabel('Castle wing').count(), 0)
  answer()
  await eventually('what is said', async () => (await page.getByLabel('Castle wing').inputValue()) === 'South')
})

browserTest("changes an account's password, alert words, muted users and keys", async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  const page = await visit(t, server.url, hamlet)
  await page.goto('/#settings/words')
  await fillIn(page, { 'Word or phrase': 'ghost' }, 'Add')
  await page.getByRole('button', { name: 'Remove ghost' }).waitFor()
  await fillIn(page, { 'Word or phrase': 'crown' }, 'Add')
  await page.getByRole('button', { name: 'Remove crown' }).press('Enter')
  await page.getByRole('button', { name: 'Remove crown' }).waitFor({ state: 'detached' })
  // Text typed while the previous word is being saved stays.
  server.fail('POST */alert_words', { delay: 500 })
  await fillIn(page, { 'Word or phrase': 'skull' }, 'Add')
  await page.getByLabel('Word or phrase').fill('Yorick')
  await page.getByRole('button', { name: 'Remove skull' }).waitFor()
  await page.getByRole('button', { name: 'Remove skull' }).press('Enter')
  await page.getByRole('button', { name: 'Remove skull' }).waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Word or phrase').inputValue(), 'Yorick')
  // What is sent before the one before has arrived is sent after it.
  server.fail('POST */alert_words', { delay: 500 })
  await page.getByLabel('Word or phrase').press('Enter')
  await page.getByLabel('Word or phrase').fill('jester')
  await page.getByLabel('Word or phrase').press('Enter')
  for (const word of ['Yorick', 'jester']) {
    await page.getByRole('button', { name: `Remove ${word}` }).press('Enter')
    await page.getByRole('button', { name: `Remove ${word}` }).waitFor({ state: 'detached' })
  }
  // With the row its button is gone, and the focus is still on the page of settings.
  await until(page, `document.activeElement?.getAttribute('aria-labelledby') === 'settings-title'`)
  await page.goto('/#settings/muted')
  await page.getByRole('combobox', { name: 'Mute someone' }).fill('cord')
  await page.getByRole('option', { name: 'cordelia' }).click()
  await page.getByRole('button', { name: 'Unmute cordelia' }).waitFor()
  await page.getByText(/^muted \w/).waitFor()
  await page.getByRole('button', { name: 'Block cordelia' }).click()
  await page.getByText(/, blocked$/).waitFor()
  const state = await hamlet.api.post('/register', { fetch_event_types: ['alert_words', 'muted_users'] })
  assert.deepEqual(state.alert_words, ['ghost'])
  assert.deepEqual([state.muted_users[0].id, state.muted_users[0].is_blocked], [cordelia.id, true])

  // Another session was revoked elsewhere, and a new one began.
  const sessionOf = async () => {
    const answer = await fetch(`${server.url}/json/session`, {
      method: 'POST',
      headers: { 'x-requested-with': 'test' },
      body: new URLSearchParams({ username: hamlet.email, password: hamlet.password }),
    })
    return { cookie: answer.headers.get('set-cookie')!.split(';')[0]!, 'x-requested-with': 'test' }
  }
  const statusOf = async (headers: Record<string, string>) =>
    (await fetch(`${server.url}/json/users/me`, { headers })).status
  const [first, second] = [await sessionOf(), await sessionOf()]
  await page.goto('/#settings/sessions')
  await page.getByRole('button', { name: 'Sign out Browser' }).nth(1).waitFor()
  await fetch(`${server.url}/json/session`, { method: 'DELETE', headers: first })
  const third = await sessionOf()
  await page.getByRole('button', { name: 'Sign out of all other sessions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByRole('button', { name: 'Sign out Browser' }).first().waitFor({ state: 'detached' })
  assert.deepEqual([await statusOf(second), await statusOf(third)], [401, 401])
  await fillIn(page, { 'Your password': 'wrong' }, 'Create key')
  await page.getByText('incorrect').waitFor()
  await fillIn(page, { 'Your password': hamlet.password }, 'Create key')
  const key = await page.getByRole('dialog').getByLabel('API key', { exact: true }).inputValue()
  const authorization = `Basic ${Buffer.from(`${hamlet.email}:${key}`).toString('base64')}`
  assert.equal((await fetch(`${server.url}/api/v1/users/me`, { headers: { authorization } })).status, 200)
  const copy = page.getByRole('button', { name: 'Copy: API key' })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await copy.click()
  await page.getByRole('dialog').getByRole('status').getByText('Copied.').waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), key)
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
  await copy.click()
  await page.getByRole('dialog').getByRole('status').getByText('This browser blocked copying.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()

  await page.goto('/#settings/account')
  const newPassword = page.getByLabel('New password', { exact: true })
  await newPassword.fill('password1')
  await page.getByRole('status').getByText('Easy to guess.').waitFor()
  await newPassword.fill('another horse')
  await page.getByRole('status').getByText('Strong password').waitFor()
  const change = {
    'Current password': hamlet.password,
    'New password': 'another horse',
    'Confirm new password': 'another horse',
  }
  await fillIn(page, { ...change, 'Confirm new password': 'other horse' }, 'Change password')
  await page.getByText("don't match").waitFor()
  await fillIn(page, change, 'Change password')
  await page.getByText('Password changed').waitFor()
  assert.equal((await fetch(`${server.url}/api/v1/users/me`, { headers: { authorization } })).status, 401)
})

/** Holds the first answer about who is in a stream back, until `answerHeld` is called; that answers when it has arrived. */
const holdsFirstMembers = `{
  const request = fetch
  window.fetch = async (...asked) => {
    const answer = await request(...asked)
    if (/\\/members/.test(asked[0]) && !window.answerHeld) {
      const text = await answer.clone().text()
      await new Promise((resolve) => {
        const frame = () => new Promise((drawn) => requestAnimationFrame(drawn))
        window.answerHeld = () => (resolve(), frame().then(frame))
      })
      return new Response(text, answer)
    }
    return answer
  }
}`

browserTest('a stream administrator adds members, sets posting and changes personal settings', async (t) => {
  await using server = await testServer({ web: true, streams: { verona: { members: ['iago'] } } })
  const { iago, hamlet, cordelia } = server.people
  const { stream_id } = await iago.api.get('/get_stream_id', { stream: 'verona' })
  // Somebody else who administered it has left the organization.
  const administrators = { new: { direct_members: [iago.id, cordelia.id], direct_subgroups: [] } }
  await iago.api.patch(`/streams/${stream_id}`, { can_administer_channel_group: administrators })
  await iago.api.delete(`/users/${cordelia.id}`)
  const page = await visit(t, server.url, iago)
  await page.evaluate(holdsFirstMembers)
  await page.goto(`/#streams/${stream_id}/members`)
  await until(page, 'window.answerHeld !== undefined')
  // Nobody is not oneself.
  await page.getByRole('combobox', { name: 'Add someone' }).press('Backspace')
  await page.getByRole('combobox', { name: 'Add someone' }).fill('ham')
  await page.getByRole('option', { name: 'hamlet' }).click()
  await page.getByRole('button', { name: 'Remove hamlet' }).waitFor()
  const added = server.requests.filter((one) => one.method === 'POST' && one.path.endsWith('/me/subscriptions'))
  assert.equal(added.length, 1)
  // A response that a later one overtook is out of date.
  await page.evaluate('answerHeld()')
  await page.getByRole('button', { name: 'Remove hamlet' }).waitFor()
  const tab = (name: string) => page.getByRole('tab', { name }).click()
  await tab('Permissions')
  await page.getByRole('combobox', { name: 'People: Administer' }).fill('ham')
  await page.getByRole('option', { name: 'hamlet' }).click()
  await eventually('both administer it, and who has left does not', async () => {
    const { stream } = await iago.api.get(`/streams/${stream_id}`)
    return String(stream.can_administer_channel_group.direct_members) === String([iago.id, hamlet.id].sort())
  })
  await page.getByLabel('Post messages', { exact: true }).selectOption('Administrators')
  await page.getByText('Saved').nth(1).waitFor()
  await tab('Personal')
  await page.getByLabel('Pinned').check()
  await page.getByText('Saved').waitFor()
  await tab('General')
  await page.getByLabel('Message retention').selectOption('30 days')
  await page.getByText('Saved').waitFor()
  const refused = await hamlet.api.post('/messages', { type: 'stream', to: 'verona', topic: 'x', content: 'x' })
  assert.equal(refused.status, 400)
  const { subscriptions } = await iago.api.get('/users/me/subscriptions')
  const verona = subscriptions.find(({ name }: { name: string }) => name === 'verona')
  assert.deepEqual([verona.pin_to_top, verona.message_retention_days], [true, 30])
})

browserTest('settings pages are fully usable by keyboard', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.hamlet)
  await page.goto('/#settings/profile')
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const focused = () => page.evaluate("document.activeElement?.textContent || document.activeElement?.ariaLabel || ''")
  await page.getByRole('link', { name: 'Profile', exact: true }).focus()
  for (let i = 0; i < 40 && (await focused()) !== 'Groups'; i++) await press('Tab')
  await press('Enter')
  await page.getByRole('heading', { name: 'Groups' }).waitFor()
  for (let i = 0; i < 40 && (await focused()) !== 'New group'; i++) await press('Tab')
  await press('Enter')
  await page.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('cooks')
  await press('Tab', 'Tab')
  // Over the pill of the own name to the box.
  await press('Tab')
  await page.keyboard.type('cord')
  await page.getByRole('option', { name: 'cordelia' }).waitFor()
  await press('Enter', 'Tab', 'Tab', 'Enter')
  await page.getByRole('heading', { name: 'cooks' }).waitFor()
  await page.getByRole('button', { name: 'Remove cordelia' }).waitFor()
})

browserTest('an administrator adds an account and creates a password link', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.iago)
  await page.goto('/#settings/users')
  await page.getByRole('button', { name: 'Add user' }).click()
  const yorick = { Name: 'Yorick', Email: 'yorick@example.com', 'Initial password': 'alas poor' }
  await fillIn(page, yorick, 'Add')
  await page.getByRole('button', { name: 'Edit Yorick' }).click()
  await page.getByRole('button', { name: 'Create password link' }).click()
  const link = await page.getByRole('dialog').getByLabel('Link', { exact: true }).inputValue()
  const other = await newPage(server.url)
  t.after(() => other.context().close())
  await other.goto(link)
  await fillIn(other, { 'New password': 'correct horse', 'Confirm new password': 'correct horse' }, 'Set password')
  await other.getByText('was changed').waitFor()
  await other.getByRole('link', { name: 'Continue' }).click()
  await other.locator('.account').getByText('Yorick').waitFor()
})

browserTest('each page of the settings begins at its top, with its name in the list of pages in sight', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.iago)
  await page.goto('/#settings/permissions')
  const last = page.getByText('See all people')
  await last.scrollIntoViewIfNeeded()
  await until(page, `document.querySelector('.settings').scrollTop > 500`)
  const link = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Data exports' })
  await link.click()
  await page.getByRole('heading', { name: 'Data exports' }).waitFor()
  await until(page, `document.querySelector('.settings').scrollTop === 0`)
  assert.ok(await link.isVisible())
  // The people leave their room to the settings.
  assert.equal(await page.getByRole('complementary', { name: 'People' }).isVisible(), false)
})
