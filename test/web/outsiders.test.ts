import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { newPage, problemsOf, signIn, sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, sends, signInHere, until, writes } from './gestures.ts'

browserTest('signs out and clears everything when the account is deactivated', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet, cordelia } = server.people
  const page = await visit(t, server.url, hamlet)
  const other = await visit(t, server.url, cordelia)
  await openTopic(page, server, 'general', 'ghost')
  await writes(page, 'Angels and ministers')
  await iago.api.delete(`/users/${hamlet.id}`)
  await page.getByText('This account has been deactivated').waitFor()
  await page.getByLabel('Password').waitFor()
  assert.equal(await page.locator('article').count(), 0)
  // The others see that nothing can be written to it.
  await other.goto(`/#narrow/dm/${hamlet.id}`)
  await other.getByText("hamlet's account is deactivated").waitFor()
  assert.equal(await other.getByRole('textbox', { name: 'Message' }).count(), 0)
})

browserTest('explains read-only streams and offers to join unsubscribed ones', async (t) => {
  await using server = await testServer({
    web: true,
    streams: { verona: { members: ['iago', 'hamlet'] }, news: { members: ['iago', 'hamlet'] } },
  })
  const { iago, hamlet, cordelia } = server.people
  await iago.says('The feud is over', { stream: 'verona', topic: 'peace' })
  const { stream_id } = await iago.api.get('/get_stream_id', { stream: 'verona' })
  const page = await visit(t, server.url, cordelia)
  await openTopic(page, server, 'verona', 'peace')
  await message(page, 'The feud is over').waitFor()
  await page.getByText("You're not a member of verona").waitFor()
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await page.getByText("You're not a member of verona").waitFor({ state: 'detached' })
  await iago.says('And they lived', { stream: 'verona', topic: 'peace' })
  await message(page, 'And they lived').waitFor()

  const { user_groups } = await iago.api.get('/user_groups', { include_deactivated_groups: false })
  const administrators = user_groups.find(({ name }: { name: string }) => name === 'role:administrators').id
  await iago.api.patch(`/streams/${stream_id}`, { can_send_message_group: { new: administrators } })
  await page.getByText("You can read this channel, but you can't post in it").waitFor()
  await iago.api.delete(`/streams/${stream_id}`)
  const reader = await visit(t, server.url, hamlet)
  await reader.goto(`/#narrow/channel/${stream_id}/topic/peace`)
  await reader.getByText('This channel is archived').waitFor()
  await message(reader, 'The feud is over').waitFor()
})

browserTest('a guest sees only shared streams and people and no other pages', async (t) => {
  await using server = await testServer({ web: true, streams: { court: { members: ['iago', 'polonius'] } } })
  const { iago, polonius } = server.people
  await iago.says('Brevity', { stream: 'court', topic: 'wit' })
  const page = await visit(t, server.url, polonius)
  await openTopic(page, server, 'court', 'wit')
  await sends(page, 'is the soul of it')
  await message(page, 'is the soul of it').waitFor()
  for (const forbidden of ['users', 'organization', 'permissions', 'bots', 'invitations']) {
    await page.goto(`/#settings/${forbidden}`)
    await page.getByRole('heading', { name: 'Profile', level: 2 }).waitFor()
  }
  await page.goto('/#streams')
  await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor()
  assert.equal(await page.getByRole('main').getByRole('link', { name: 'general' }).count(), 0)
})

browserTest('a stream URL leads through sign-in to the stream', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const { stream_id } = await hamlet.api.get('/get_stream_id', { stream: 'general' })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.goto(`/#narrow/channel/${stream_id}-general/topic/gate`)
  await page.getByLabel('Email').fill(hamlet.email)
  await page.getByLabel('Password').fill(hamlet.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'gate' }).waitFor()
  await until(page, `location.hash.includes('gate')`)
})

browserTest('a first visit asks for a sign-in without an error in the console', async (t) => {
  await using server = await testServer({ web: true })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  const errors: string[] = []
  page.on('console', (entry) => entry.type() === 'error' && errors.push(entry.text()))
  await page.goto('/')
  await signInHere(page, server.hamlet.email, server.hamlet.password)
  await page.locator('.shell').waitFor()
  await page.getByRole('button', { name: /account of hamlet/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Password').waitFor()
  await page.reload()
  await page.getByLabel('Password').waitFor()
  assert.deepEqual(errors, [])
})

/** The stream market is for everybody to read, hall for people with an account. */
async function openServer() {
  const server = await testServer({
    web: true,
    streams: { market: { members: ['iago', 'hamlet'] }, hall: { members: ['hamlet'] } },
  })
  const { iago, hamlet } = server.people
  const idOf = async (stream: string) => (await iago.api.get('/get_stream_id', { stream })).stream_id as number
  const [market, hall] = [await idOf('market'), await idOf('hall')]
  await iago.api.patch('/realm', { enable_spectator_access: true })
  await iago.api.patch(`/streams/${market}`, { is_web_public: true })
  await hamlet.says('Fresh figs, :tada: and @**iago**', { stream: 'market', topic: 'fruit' })
  await hamlet.says('/poll Figs?\nyes\nno', { stream: 'market', topic: 'fruit' })
  await hamlet.says('Something is rotten', { stream: 'hall', topic: 'state' })
  return Object.assign(server, { market, hall })
}

browserTest('people without an account read public channels and see no unavailable actions', async (t) => {
  await using server = await openServer()
  const { hamlet } = server.people
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.goto('/')
  await page.getByRole('link', { name: 'Browse public channels' }).click()
  await page.getByRole('main').getByRole('link', { name: 'market' }).click()
  await message(page, 'Fresh figs').waitFor()
  const sidebar = page.getByRole('navigation', { name: 'Conversations' })
  await sidebar.getByRole('link', { name: 'fruit' }).click()
  await page.getByRole('heading', { name: 'fruit' }).waitFor()
  assert.equal(await page.getByText('hall').count(), 0)
  // With the pointer on it a message has the actions of an account.
  await message(page, 'Fresh figs').hover()
  await page.locator('#main-view').press('c')
  for (const name of ['More actions', 'Add reaction', 'Join', 'Leave', 'New direct message', 'People', 'Account']) {
    assert.equal(await page.getByRole('button', { name }).count(), 0, name)
  }
  assert.equal(await page.getByRole('textbox', { name: 'Message' }).count(), 0)
  assert.ok(await page.getByRole('button', { name: /votes? for yes/ }).isDisabled())
  assert.equal(await page.getByRole('textbox', { name: 'Add option' }).count(), 0)
  await page.getByText("You're viewing public channels").waitFor()

  const search = sidebar.getByRole('combobox', { name: 'Search messages' })
  await search.fill('figs')
  await search.press('Enter')
  await page.getByRole('heading', { name: 'Search' }).waitFor()
  await page.getByRole('main').getByText('Fresh').waitFor()
  assert.deepEqual(problemsOf.get(page), [])

  // What is new comes when somebody looks again.
  await page.goBack()
  await hamlet.says('And dates', { stream: 'market', topic: 'fruit' })
  await page.clock.install()
  await page.clock.fastForward(60_000)
  await page.evaluate(`dispatchEvent(new Event('focus'))`)
  await message(page, 'And dates').waitFor()

  await page.goto(`/#narrow/channel/${server.hall}/topic/state`)
  await page.getByLabel('Password').waitFor()
  assert.equal(await page.locator('article').count(), 0)
})

browserTest('a public stream opens without an account, and signing in returns to it', async (t) => {
  await using server = await openServer()
  const { hamlet } = server.people
  const page = await newPage(server.url, { size: sizes.phone })
  t.after(() => page.context().close())
  await page.goto(`/#narrow/channel/${server.market}-market/topic/fruit`)
  await message(page, 'Fresh figs').waitFor()
  await page.getByRole('link', { name: 'Sign in to reply' }).click()
  await page.getByLabel('Password').waitFor()
  await page.goBack()
  await message(page, 'Fresh figs').waitFor()
  await page.getByRole('link', { name: 'Sign in to reply' }).click()
  await signInHere(page, hamlet.email, hamlet.password)
  await sends(page, 'Mine')
  await message(page, 'Mine').waitFor()
  assert.match(page.url(), /#narrow\/channel\/\d+-market\/topic\/fruit$/)
})

browserTest("neither sends nor saves one account's text as the next one's", async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet, cordelia } = server.people
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'letters')
  // This window is offline, but the other one isn't.
  await page.route('**/json/**', (route) => route.abort())
  await iago.says('Words, words, words', { topic: 'letters' })
  await page.getByText("You're offline").waitFor()
  await sends(page, 'Doubt thou the stars')
  await page.locator('.outgoing').filter({ hasText: 'Doubt thou' }).waitFor()
  await writes(page, 'O dear Ophelia')

  const other = await page.context().newPage()
  await other.goto('/')
  await other.getByRole('button', { name: 'Account' }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await signInHere(other, cordelia.email, cordelia.password)
  await other.locator('.shell').waitFor()
  await page.unroute('**/json/**')
  // The page of another account is loaded again.
  const loadedAgain = page.waitForEvent('load')
  // Or it has tried by itself before the button can be pressed.
  await page.evaluate(`document.querySelector('.connection button')?.click()`).catch(() => {})
  await loadedAgain
  await page.getByRole('button', { name: 'account of cordelia' }).waitFor()
  await openTopic(page, server, 'general', 'letters')
  await message(page, 'Words, words, words').waitFor()
  await sends(page, 'Nothing, my lord')
  await page.locator('article[id]').filter({ hasText: 'Nothing, my lord' }).waitFor()

  const narrow = [{ operator: 'topic', operand: 'letters' }]
  const wanted = { anchor: 'newest', num_before: 10, num_after: 0, narrow, apply_markdown: false }
  const { messages } = await iago.api.get('/messages', wanted)
  const own = messages.filter((one: { sender_id: number }) => one.sender_id === cordelia.id)
  assert.deepEqual(
    own.map(({ content }: { content: string }) => content),
    ['Nothing, my lord'],
  )
  assert.deepEqual((await cordelia.api.get('/drafts')).drafts, [])
})

browserTest('a signed-out tab takes nothing from a signed-in one', async (t) => {
  await using server = await openServer()
  const { hamlet } = server.people
  // So that only the browser has what was begun.
  await hamlet.api.patch('/settings', { enable_drafts_synchronization: false })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.goto(`/#narrow/channel/${server.market}-market/topic/fruit`)
  await message(page, 'Fresh figs').waitFor()

  const other = await page.context().newPage()
  await signIn(other, hamlet)
  await openTopic(other, server, 'market', 'fruit')
  await writes(other, 'Two of them')
  const isKept = `Object.keys(localStorage).some((name) => name.startsWith('text '))`
  await until(other, isKept)
  // It looks again when it is online, and finds the other account.
  const loadedAgain = page.waitForEvent('load')
  await page.evaluate(`dispatchEvent(new Event('online'))`)
  await loadedAgain
  await page.getByRole('button', { name: 'account of hamlet' }).waitFor()
  assert.equal(await other.evaluate(isKept), true)
})
