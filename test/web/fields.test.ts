import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { problemsOf, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { fillIn, holdEvents, openTopic, until } from './gestures.ts'

browserTest('keeps text being typed when another window changes the setting; Escape reverts it', async (t) => {
  await using server = await testServer({ web: true })
  const { iago } = server.people
  const page = await visit(t, server.url, iago)
  await page.goto('/#settings/organization')
  const name = page.getByRole('textbox', { name: 'Name' })
  const rename = (to: string) => iago.api.patch('/realm', { name: to })
  const shows = (text: string) => until(page, `document.querySelector('.settings section input')?.value === '${text}'`)
  await rename('Denmark')
  await shows('Denmark')
  await name.fill('Castle')
  await rename('Norway')
  await page.getByText('Changed to “Norway” elsewhere').waitFor()
  assert.equal(await name.inputValue(), 'Castle')
  await name.press('Escape')
  await shows('Norway')
  assert.equal(await page.getByText('Meanwhile').count(), 0)

  // Another device's change is shown, in the server's spelling.
  await name.fill('Elsinore ')
  await name.blur()
  await page.getByText('Saved').waitFor()
  await rename('Poland')
  await shows('Poland')

  await page.goto('/#settings/messages')
  const jitsi = page.getByLabel('Jitsi server URL')
  await jitsi.fill('calls')
  await jitsi.blur()
  await page.getByText('Enter a URL, such as').waitFor()

  await page.goto('/#settings/display')
  const size = page.getByLabel('Text size')
  await size.fill('99')
  await size.blur()
  await page.getByText("This value isn't allowed here.").waitFor()
  assert.equal(await size.inputValue(), '99')
  await size.press('Escape')
  await page.getByText("This value isn't allowed here.").waitFor({ state: 'detached' })
  assert.equal(await size.inputValue(), '16')
})

browserTest("keeps a choice when an earlier choice's event arrives late", async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  // Once people are known a poll is ended only by an answer.
  await page.getByRole('complementary', { name: 'People' }).getByText('cordelia').waitFor()
  await page.goto('/#settings/display')
  const letThrough = await holdEvents(page, 'color_scheme')
  // The poll of before is not held back.
  await server.hamlet.api.patch('/settings', { web_font_size_px: 18 })
  await until(
    page,
    `document.querySelector('.settings select:not(.pages-of-settings)')?.value.startsWith('18') === true`,
  )
  const theme = page.getByLabel('Theme')
  const chooses = async (label: string) => {
    const isAnswered = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await theme.selectOption(label)
    await isAnswered
  }
  await chooses('Dark')
  await eventually('its event is on the way', () => letThrough.length === 1)
  await chooses('Light')
  letThrough[0]!()
  await until(page, `document.documentElement.dataset.theme === 'dark'`)
  await eventually('the second event is on the way', () => letThrough.length === 2)
  assert.equal(await theme.inputValue(), '3')
  letThrough[1]!()
  await until(page, `document.documentElement.dataset.theme === 'light'`)
  assert.equal(await theme.inputValue(), '3')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

browserTest('shows a remote change after events of a choice and its reversal arrive together', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const page = await visit(t, server.url, hamlet)
  // Once people are known a poll is ended only by an answer.
  await page.getByRole('complementary', { name: 'People' }).getByText('cordelia').waitFor()
  await page.goto('/#settings/display')
  let letThrough: (() => void) | undefined
  await page.route('**/json/events?**', async (route) => {
    if (route.request().method() === 'GET' && !letThrough)
      await new Promise<void>((resolve) => {
        letThrough = resolve
      })
    await route.continue()
  })
  // The poll of before ends, and the next one waits until both choices are answered.
  await hamlet.api.patch('/settings', { web_font_size_px: 18 })
  await eventually('a poll is held', () => letThrough)
  const theme = page.getByLabel('Theme')
  for (const label of ['Dark', 'System']) {
    const isAnswered = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await theme.selectOption({ label })
    await isAnswered
  }
  const isPolled = page.waitForResponse('**/json/events?**')
  letThrough!()
  await isPolled
  // Of the answers that follow, the first is to one that began after the choices; so is what the other window does.
  await hamlet.api.patch('/settings', { web_font_size_px: 20 })
  await until(page, `[...document.querySelectorAll('.settings input')].some(({ value }) => value === '20')`)
  await hamlet.api.patch('/settings', { color_scheme: 2 })
  await until(page, `document.documentElement.dataset.theme === 'dark'`)
  await eventually('it is shown', async () => (await theme.inputValue()) === '2')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

browserTest('saves quick permission choices even when an event arrives late', async (t) => {
  await using server = await testServer({ web: true })
  const { iago } = server.people
  const page = await visit(t, server.url, iago)
  // Once people are known a poll is ended only by an answer.
  await page.getByRole('complementary', { name: 'People' }).getByText('cordelia').waitFor()
  await page.goto('/#settings/permissions')
  const choice = page.getByLabel('Create public channels')
  const letThrough = await holdEvents(page, 'can_create_public_channel_group')
  // The poll of before is not held back.
  await iago.api.patch('/realm', { name: 'Denmark' })
  await page.locator('.account').getByText('Denmark').waitFor()
  const chooses = async (label: string): Promise<number> => {
    const answer = page.waitForResponse((one) => one.request().method() === 'PATCH')
    await choice.selectOption(label)
    return (await answer).status()
  }
  assert.equal(await chooses('Moderators'), 200)
  await eventually('its event is on the way', () => letThrough.length === 1)
  assert.equal(await chooses('Administrators'), 200)
  letThrough[0]!()
  await eventually('the first event has come, and the second is on the way', () => letThrough.length === 2)
  assert.equal(await chooses('Moderators'), 200)
  letThrough[1]!()
  await eventually('the third event is on the way', () => letThrough.length === 3)
  letThrough[2]!()
  // Somebody else's change is shown, and what is chosen after it goes by it.
  const { user_groups } = await iago.api.get('/user_groups')
  const members = user_groups.find(({ name }: { name: string }) => name === 'role:members').id
  await iago.api.patch('/realm', { can_create_public_channel_group: JSON.stringify({ new: members }) })
  await eventually('its event is on the way', () => letThrough.length === 4)
  letThrough[3]!()
  await eventually('it is shown', async () => (await choice.inputValue()) === String(members))
  assert.equal(await chooses('Owners'), 200)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

browserTest('creates a stream with visibility, members and posting policy', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, cordelia, hamlet } = server.people
  const members = [cordelia.id, hamlet.id]
  await iago.api.post('/user_groups/create', { name: 'cooks', description: '', members })
  const page = await visit(t, server.url, iago)
  await page.goto('/#streams')
  await page.getByRole('button', { name: 'New channel' }).click()
  await page.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor()
  await fillIn(page, { Name: 'General' }, 'Create channel')
  await page.getByText('A channel named “general” already exists').waitFor()
  await page.getByLabel('Private, protected history').check()
  await page.getByLabel('Who can post').selectOption('Moderators')
  await page.getByLabel("Add a group's members").selectOption('cooks')
  await page.getByRole('button', { name: 'Remove hamlet' }).click()
  await fillIn(page, { Name: 'kitchen', Description: 'Secret recipes' }, 'Create channel')
  await page.getByRole('heading', { name: 'kitchen' }).waitFor()
  const { subscriptions } = await iago.api.get('/users/me/subscriptions', { include_subscribers: true })
  const kitchen = subscriptions.find(({ name }: { name: string }) => name === 'kitchen')
  const { description, invite_only, history_public_to_subscribers, subscribers } = kitchen
  assert.deepEqual([description, invite_only, history_public_to_subscribers], ['Secret recipes', true, false])
  assert.deepEqual([...subscribers].sort(), [iago.id, cordelia.id].sort())
  const refused = await cordelia.api.post('/messages', { type: 'stream', to: 'kitchen', topic: 'x', content: 'x' })
  assert.equal(refused.status, 400)
  assert.deepEqual(problemsOf.get(page), [])
})

browserTest('marks guests, warns when writing to one and offers calls as configured', async (t) => {
  const room = { status: 201, body: '{"ocs":{"data":{"token":"x7k2mn9p"}}}' }
  await using server = await testServer({
    web: true,
    callServers: { nextcloudTalk: 'https://a:b@cloud.example.com' },
    outgoing: { post: async () => room },
  })
  const { iago, hamlet, polonius } = server.people
  const page = await visit(t, server.url, hamlet)
  const people = page.getByRole('complementary', { name: 'People' })
  await people.getByText('polonius (guest)').waitFor()
  await page.goto(`/#narrow/dm/${polonius.id}`)
  const reminder = page.getByText('polonius (guest) is a guest, not a member of this organization')
  await reminder.waitFor()
  await iago.api.patch('/realm', { enable_guest_user_dm_warning: false })
  await reminder.waitFor({ state: 'detached' })
  await iago.api.patch('/realm', { enable_guest_user_indicator: false })
  await people.getByText('polonius (guest)').waitFor({ state: 'detached' })
  // A quotation names its author as the server knows them.
  await iago.api.patch('/realm', { enable_guest_user_indicator: true })
  await polonius.says('Neither a borrower nor a lender be', { people: [hamlet] })
  await page.locator('article', { hasText: 'a lender' }).hover()
  await page.locator('#main-view').focus()
  await page.keyboard.press('>')
  await page.getByRole('button', { name: 'Edit quotes as text' }).click()
  await until(page, `document.querySelector('#compose-text').value.includes('@_**polonius|${polonius.id}**')`)
  await page.locator('#main-view').focus()
  await page.keyboard.press('@')
  await until(page, `document.querySelector('#compose-text').value.includes('@**polonius|${polonius.id}**')`)

  await openTopic(page, server, 'general', 'plans')
  assert.equal(await page.getByRole('button', { name: 'Add a call' }).count(), 0)
  await iago.api.patch('/realm', { video_chat_provider: 1, jitsi_server_url: 'https://calls.example.com' })
  await page.getByRole('button', { name: 'Add a call' }).click()
  const link = /^\[Join the call\]\(https:\/\/calls\.example\.com\/\d{15}\)/
  const written = () => page.getByRole('textbox', { name: 'Message' }).inputValue()
  await eventually('the link is written', async () => link.test(await written()))
  // Any other provider, by a template.
  await page.getByRole('textbox', { name: 'Message' }).fill('')
  await iago.api.patch('/realm', { video_chat_provider: 100 })
  await page.getByRole('button', { name: 'Add a call' }).waitFor({ state: 'detached' })
  await iago.api.patch('/realm', { call_url_template: 'https://any.example.com/{room}?name={room}' })
  await page.getByRole('button', { name: 'Add a call' }).click()
  const other = /^\[Join the call\]\(https:\/\/any\.example\.com\/(\d{15})\?name=\1\) $/
  await eventually('the other link is written', async () => other.test(await written()))
  // The server of the provider creates the call.
  await iago.api.patch('/realm', { video_chat_provider: 7 })
  await eventually('the provider is known', async () => {
    await page.getByRole('textbox', { name: 'Message' }).fill('')
    await page.getByRole('button', { name: 'Add a call' }).click()
    await until(page, `document.querySelector('#compose-text').value !== ''`)
    return (await written()) === '[Join the call](https://cloud.example.com/index.php/call/x7k2mn9p) '
  })
})

browserTest('explains administrator settings and signs out all other browsers immediately', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet } = server.people
  const page = await visit(t, server.url, hamlet)
  const other = await visit(t, server.url, hamlet)
  const third = await visit(t, server.url, hamlet)
  await page.goto('/#settings/profile')
  const name = page.getByLabel('Name', { exact: true })
  assert.ok(await name.isEnabled())
  await iago.api.patch('/realm', { name_changes_disabled: true, avatar_changes_disabled: true })
  await page.getByText('Only administrators can change names here.').waitFor()
  await page.getByText('Only administrators can change profile pictures here.').waitFor()
  assert.deepEqual([await name.isEnabled(), await page.getByLabel('Picture').isEnabled()], [false, false])

  await page.goto('/#settings/sessions')
  await page.getByRole('button', { name: 'Sign out of all other sessions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
  await other.getByRole('button', { name: 'Sign in' }).waitFor()
  await third.getByRole('button', { name: 'Sign in' }).waitFor()
  await until(page, `document.querySelectorAll('.sessions li').length <= 2`)
  await page.getByText('this browser').waitFor()
})
