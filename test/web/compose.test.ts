import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { apiOf, manualClock, testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { newPage, problemsOf, signIn, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { chooses, keptByBrowser, message, openTopic, sends, settles, until, visitRead, writes } from './gestures.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })
/** Drops a file on the messages. */
const dropsPlan = `{
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['the plan'], 'plan.txt', { type: 'text/plain' }))
  document.querySelector('.feed').dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
}`
const holds = (page: Page, text: string) =>
  until(page, `document.querySelector('#compose-text')?.value === ${JSON.stringify(text)}`)

browserTest('completes commands, languages, times, topics and wildcards, with undo', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('Tennis', { topic: 'plans for friday' })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'calls')
  const completes = async (typed: string, option: RegExp, text: string | RegExp) => {
    await box(page).fill('')
    await box(page).pressSequentially(typed)
    await page.getByRole('option', { name: option }).first().waitFor()
    await box(page).press('Tab')
    const now = await box(page).inputValue()
    if (typeof text === 'string') assert.equal(now, text)
    else assert.match(now, text)
  }
  await completes('/po', /^\/poll/, '/poll ')
  await completes('```py', /^py/, '```py\n')
  await completes('~~~spo', /^spoiler/, '~~~spoiler\n')
  await completes('at <time:tomorrow 9:30', /9:30/, /^at <time:\d{4}-\d\d-\d\dT\d\d:30:00Z> $/)
  await completes('see #general>fri', /plans for friday/, 'see #**general>plans for friday** ')
  await completes('@all', /^all/, '@**all** ')
  await completes('@_cord', /cordelia/, '@_**cordelia** ')
  await box(page).press('Control+z')
  await holds(page, '@_cord')
  await box(page).press('Escape')

  // An emoticon starts no emoji search, and neither does the middle of a word.
  for (const text of ['yes :D', 'me@cord', 'now /po']) {
    await box(page).fill('')
    await box(page).pressSequentially(text)
    await holds(page, text)
    assert.equal(await page.getByRole('option').count(), 0, text)
  }
  assert.deepEqual(problemsOf.get(page), [])
})

browserTest('offers the slash commands of bots as they change, and sends them', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const bot = await hamlet.api.post('/bots', { full_name: 'Deployer', short_name: 'deployer', bot_type: 1 })
  const { email } = (await hamlet.api.get(`/users/${bot.user_id}`)).user
  const botApi = apiOf(server.chat, { email, key: bot.api_key })
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'release')
  const offered = page.getByRole('option', { name: /\/deploy-it/ })
  await box(page).pressSequentially('/deploy-')
  await holds(page, '/deploy-')
  assert.equal(await offered.count(), 0)
  const command = { name: 'deploy-it', description: 'Deploys a branch.', usage: '<environment>' }
  const { id } = await hamlet.api.post('/bot_commands', { bot_id: bot.user_id, ...command })
  await settles(page, server)
  await box(page).pressSequentially('i')
  await offered.waitFor()
  assert.equal((await offered.innerText()).replace(/\s+/g, ' '), '/deploy-it <environment> Deploys a branch.')
  await box(page).press('Tab')
  await holds(page, '/deploy-it ')
  const queue = await botApi.post('/register', { event_types: ['bot_command'] })
  await box(page).pressSequentially('staging')
  await box(page).press('Control+Enter')
  await page.locator('article[id]').filter({ hasText: '/deploy-it staging' }).waitFor()
  const { events } = await botApi.get('/events', { ...queue, dont_block: true })
  assert.deepEqual(
    events.map((event: { name: string; arguments: string }) => [event.name, event.arguments]),
    [['deploy-it', 'staging']],
  )

  await hamlet.api.delete(`/bot_commands/${id}`)
  await settles(page, server)
  await box(page).pressSequentially('/deploy-i')
  await holds(page, '/deploy-i')
  assert.equal(await offered.count(), 0)
})

browserTest('shortcuts toggle formatting of the selection, and a pasted URL links it', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'marks')
  await box(page).pressSequentially('mark my words')
  const select = (from: number, to: number) =>
    page.evaluate(`document.querySelector('#compose-text').setSelectionRange(${from}, ${to})`)
  await select(8, 13)
  await box(page).press('Control+b')
  await holds(page, 'mark my **words**')
  await box(page).press('Control+b')
  await holds(page, 'mark my words')
  await box(page).press('Control+k')
  await holds(page, 'mark my [words](https://)')
  await box(page).press('Control+z')
  await holds(page, 'mark my words')
  await select(0, 4)
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'https://example.com/mark')
    document.querySelector('#compose-text').dispatchEvent(
      new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }))
  })()`)
  await holds(page, '[mark](https://example.com/mark) my words')
  // With nothing selected Ctrl+K leads to anything.
  await box(page).press('End')
  await box(page).press('Control+k')
  await page.getByRole('combobox', { name: 'Search everything' }).waitFor()
  await page.keyboard.press('Escape')

  await writes(page, 'x'.repeat(9_990))
  await page.getByText('10 characters left').waitFor()
  await writes(page, 'x'.repeat(10_003))
  await page.getByText('3 characters over the limit').waitFor()
})

browserTest('a message waits for its attached file, and files can be dropped anywhere', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.hamlet)
  await openTopic(page, server, 'general', 'first')
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/json/user_uploads', async (route) => {
    await held
    await route.continue()
  })
  await box(page).pressSequentially('For the first: ')
  await page.evaluate(dropsPlan)
  await page.getByRole('progressbar', { name: 'Uploading plan.txt' }).waitFor()
  await box(page).press('Control+Enter')
  await page.getByText('A file is still uploading').waitFor()
  await openTopic(page, server, 'general', 'second')
  await writes(page, 'For the second')
  release()
  await page.getByRole('progressbar').waitFor({ state: 'detached' })
  await holds(page, 'For the second')
  await openTopic(page, server, 'general', 'first')
  await page.getByRole('button', { name: 'Remove plan.txt' }).waitFor()
  await holds(page, 'For the first: ')
  await box(page).press('Control+Enter')
  await page.getByRole('link', { name: 'plan.txt' }).waitFor()
})

browserTest('warns before leaving during an upload, and removes a failed upload from the text', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'lost')
  await page.route('**/json/user_uploads', () => {})
  await box(page).pressSequentially('Here it is: ')
  await page.evaluate(dropsPlan)
  await page.getByRole('progressbar', { name: 'Uploading plan.txt' }).waitFor()
  const saved = async () => (await hamlet.api.get('/drafts')).drafts[0]?.content
  await eventually('the draft is saved', async () => (await saved()) === 'Here it is:')
  let asked = ''
  page.on('dialog', (dialog) => {
    asked = dialog.type()
    void dialog.accept()
  })
  await page.reload()
  await box(page).waitFor()
  assert.equal(asked, 'beforeunload')
  await until(page, `document.querySelector('#compose-text')?.value.trim() === 'Here it is:'`)
})

browserTest('shows a draft newer than the cached state once the server answers', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.hamlet)
  await openTopic(page, server, 'general', 'late')
  await until(page, `${keptByBrowser}.then((all) => all.includes('realm_users'))`)
  await writes(page, 'The rest is silence')
  await until(page, `Object.keys(localStorage).every((key) => !key.startsWith('text '))`)
  await eventually('saved', async () => (await server.people.hamlet.api.get('/drafts')).drafts.length === 1)
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/json/register', async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  await box(page).waitFor()
  answer()
  await holds(page, 'The rest is silence')
})

browserTest('resumes an upload automatically after the server restarts', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.hamlet)
  await openTopic(page, server, 'general', 'cut off')
  const failures: ((route: Route) => Promise<void>)[] = [
    (route) => route.abort('failed'),
    (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }),
  ]
  await page.route('**/json/user_uploads', (route) => (failures.shift() ?? ((last) => last.continue()))(route))
  await box(page).pressSequentially('Here it is: ')
  await page.evaluate(dropsPlan)
  await page.getByRole('button', { name: 'Remove plan.txt' }).waitFor()
  assert.equal(failures.length, 0)
  await box(page).press('Control+Enter')
  await page.getByRole('link', { name: 'plan.txt' }).waitFor()
})

browserTest('saves a draft even when the tab closes immediately', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.clock.install()
  await signIn(page, hamlet)
  await openTopic(page, server, 'general', 'haste')
  // The page begins in turns of the clock, which the next line stops.
  await settles(page, server)
  // Not after a second without typing.
  await page.clock.pauseAt(Date.now() + 60_000)
  await writes(page, 'The rest is')
  await page.close({ runBeforeUnload: true })
  const drafts = async () => (await hamlet.api.get('/drafts')).drafts.map(({ content }: { content: string }) => content)
  await eventually('a draft is saved', async () => (await drafts()).length > 0)
  assert.deepEqual(await drafts(), ['The rest is'])
})

browserTest('saving a draft keeps the trailing space in the composer', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visitRead(t, server, 'general', 'haste')
  // The people come by a request that ends the poll: that has been.
  await page.getByRole('complementary', { name: 'People' }).getByText('cordelia').waitFor()
  // The event comes after the answer.
  const answered = page.waitForResponse('**/json/drafts')
  const isAnswered = answered.then((response) => response.finished())
  let held = false
  await page.route(/json\/events/, async (route) => {
    const response = await route.fetch()
    if ((await response.text()).includes('"type":"drafts"')) {
      await isAnswered
      held = true
    }
    await route.fulfill({ response })
  })
  // The poll that waits now is not held: this ends it.
  await server.people.iago.says('What news?', { topic: 'haste' })
  await message(page, 'What news?').waitFor()
  await writes(page, 'The rest is ')
  await eventually('the event comes', () => held)
  await settles(page, server)
  assert.equal(await box(page).inputValue(), 'The rest is ')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

browserTest("a late event of an older draft doesn't revert a newer save", async (t) => {
  await using server = await testServer({ web: true })
  const page = await visitRead(t, server, 'general', 'haste')
  // The people come by a request that ends the poll: that has been.
  await page.getByRole('complementary', { name: 'People' }).getByText('cordelia').waitFor()
  await server.people.iago.says('What news?', { topic: 'haste' })
  await message(page, 'What news?').waitFor()
  const polls: Route[] = []
  await page.route(/json\/events/, async (route) => {
    if (route.request().method() === 'GET') polls.push(route)
    else await route.continue()
  })
  // The poll that waits now is not held: this ends it.
  await server.people.iago.says('What more?', { topic: 'haste' })
  const saves = async (text: string) => {
    const saved = page.waitForResponse(/json\/drafts/)
    await writes(page, text)
    await saved
  }
  await saves('The rest')
  const asksForEvents = () => eventually('the page asks for events', () => polls.length > 0)
  await asksForEvents()
  const first = polls.shift()!
  const response = await first.fetch()
  await saves('The rest is silence')
  await first.fulfill({ response })
  await until(page, `document.querySelector('.feed').textContent.includes('What more?')`)
  await asksForEvents()
  assert.equal(await box(page).inputValue(), 'The rest is silence')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

browserTest('keeps drafts in the browser when synchronization is off', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  await hamlet.api.patch('/settings', { enable_drafts_synchronization: false })
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'secrets')
  await writes(page, 'The readiness is all')
  await page.reload()
  await holds(page, 'The readiness is all')
  await box(page).press('Control+Enter')
  await page.locator('article[id]').filter({ hasText: 'The readiness is all' }).waitFor()
  await page.reload()
  await message(page, 'The readiness is all').waitFor()
  await holds(page, '')
  assert.equal(await page.evaluate(`Object.keys(localStorage).some((name) => name.startsWith('text '))`), false)
})

browserTest('forwards, copies and quotes messages, and completes names in edits', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { hamlet, cordelia } = server.people
  await cordelia.says('So *young*, my lord, and true.\n\n```\nlet it be so\n```', { topic: 'love' })
  const page = await visit(t, server.url, hamlet)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openTopic(page, server, 'general', 'love')
  await chooses(page, 'So young', 'Copy text')
  await page.getByText('Message text copied').waitFor()
  const copied = await page.evaluate('navigator.clipboard.readText()')
  assert.equal(copied, 'So *young*, my lord, and true.\n\n```\nlet it be so\n```')

  await page.evaluate(`getSelection().selectAllChildren(document.querySelector('article .content em'))`)
  await page.getByRole('button', { name: 'Quote and reply' }).click()
  const quotes = page.getByRole('list', { name: 'Quoted messages' })
  await quotes.getByText('young', { exact: true }).waitFor()
  await quotes.getByRole('button', { name: 'Remove the quote from cordelia' }).click()
  await quotes.waitFor({ state: 'detached' })
  await page.evaluate('getSelection().empty()')

  await chooses(page, 'So young', 'Forward…')
  await page.getByRole('combobox', { name: 'Recipients' }).fill('iag')
  await page.getByRole('option', { name: 'iago' }).waitFor()
  await page.keyboard.press('Enter')
  await quotes.getByText('So young, my lord, and true. let it be so').waitFor()
  await box(page).press('Control+Enter')
  await page.getByRole('heading', { name: 'iago' }).waitFor()
  await message(page, 'let it be so').waitFor()

  await openTopic(page, server, 'general', 'love')
  await sends(page, 'I know not how')
  await page.locator('article[id]').filter({ hasText: 'I know not how' }).waitFor()
  await chooses(page, 'I know not how', 'Edit')
  const edit = page.getByRole('textbox', { name: 'Edit message' })
  await edit.pressSequentially(' @cord')
  await page.getByRole('option', { name: /cordelia/ }).click()
  assert.equal(await edit.inputValue(), 'I know not how @**cordelia** ')
  await edit.press('Control+Enter')
  await message(page, 'I know not how').locator('.user-mention').waitFor()
})

browserTest('asks for confirmation before notifying everyone in a large stream', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet } = server.people
  const page = await visit(t, server.url, iago)
  await openTopic(page, server, 'general', 'news')
  // Few are asked for nothing.
  await sends(page, 'Hear, @**all**')
  await page.locator('article[id]').filter({ hasText: 'Hear' }).waitFor()
  for (let n = 0; n < 16; n++)
    await iago.api.post('/users', {
      email: `extra${n}@example.com`,
      password: 'correct horse staple',
      full_name: `Extra ${n}`,
    })
  const { members } = await hamlet.api.get('/users')
  const principals = members
    .filter(({ full_name }: { full_name: string }) => full_name.startsWith('Extra'))
    .map(({ user_id }: { user_id: number }) => user_id)
  await iago.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }], principals })
  await sends(page, 'In code `@**all**` means nothing')
  await page.locator('article[id]').filter({ hasText: 'means nothing' }).waitFor()
  await sends(page, 'Hear again, @**all**')
  const dialog = page.getByRole('dialog', { name: 'Notify everyone?' })
  await dialog.getByText(/all \d\d people in general › news/).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await holds(page, 'Hear again, @**all**')
  await box(page).press('Control+Enter')
  await dialog.getByRole('button', { name: 'Send anyway' }).click()
  await page.locator('article[id]').filter({ hasText: 'Hear again' }).waitFor()

  // A message typed elsewhere while the page counts members is not sent.
  let count = () => {}
  const isElsewhere = new Promise<void>((resolve) => (count = resolve))
  await page.route('**/members*', async (route) => {
    await isElsewhere
    await route.continue()
  })
  await sends(page, 'For @**all** of you')
  await openTopic(page, server, 'general', 'other')
  await writes(page, 'Not yet')
  count()
  await page.getByText("Your message wasn't sent").waitFor()
  await holds(page, 'Not yet')
  await openTopic(page, server, 'general', 'news')
  await holds(page, 'For @**all** of you')
})

browserTest('the list of people closes on Escape and when the focus leaves, and opens again on typing', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.hamlet)
  await page.goto('/#narrow/is/dm')
  await page.getByRole('button', { name: /^Message people/ }).click()
  const people = page.getByRole('combobox', { name: 'Recipients' })
  const found = page.getByRole('option', { name: 'iago' })
  await people.fill('ia')
  await found.waitFor()
  await people.press('Escape')
  await found.waitFor({ state: 'detached' })
  assert.equal(await people.inputValue(), 'ia')
  await people.press('g')
  await found.waitFor()
  await page.getByRole('textbox', { name: 'Message' }).focus()
  await found.waitFor({ state: 'detached' })
})
