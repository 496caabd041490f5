import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { testServer } from '../../src/testing/index.ts'
import { clientBuilt, closeBrowser, newPage, skip, visit } from './browser.ts'
import { message, openTopic, sends, until, writes } from './gestures.ts'

after(closeBrowser)

test('an account that is deactivated while its page is open gets to know, and nothing of it stays', {
  skip,
}, async (t) => {
  await clientBuilt()
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
  await other.getByText('The account of hamlet is deactivated').waitFor()
  assert.equal(await other.getByRole('textbox', { name: 'Message' }).count(), 0)
})

test('what nobody may write in can be read, and says so; a stream one is not in can be joined there', {
  skip,
}, async (t) => {
  await clientBuilt()
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
  await page.getByText('You are not in verona').waitFor()
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await page.getByText('You are not in verona').waitFor({ state: 'detached' })
  await iago.says('And they lived', { stream: 'verona', topic: 'peace' })
  await message(page, 'And they lived').waitFor()

  const { user_groups } = await iago.api.get('/user_groups', { include_deactivated_groups: false })
  const administrators = user_groups.find(({ name }: { name: string }) => name === 'role:administrators').id
  await iago.api.patch(`/streams/${stream_id}`, { can_send_message_group: { new: administrators } })
  await page.getByText('You may read this stream, and not write in it').waitFor()
  await iago.api.delete(`/streams/${stream_id}`)
  const reader = await visit(t, server.url, hamlet)
  await reader.goto(`/#narrow/channel/${stream_id}/topic/peace`)
  await reader.getByText('This stream is archived').waitFor()
  await message(reader, 'The feud is over').waitFor()
})

test('a guest sees the streams and people they share, and none of the pages of others', { skip }, async (t) => {
  await clientBuilt()
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
  await page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor()
  assert.equal(await page.getByRole('main').getByRole('link', { name: 'general' }).count(), 0)
})

test('without an account an address of a stream leads to the way in, and then to the stream', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const { stream_id } = await hamlet.api.get('/get_stream_id', { stream: 'general' })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.goto(`/#narrow/channel/${stream_id}-general/topic/gate`)
  await page.getByLabel('E-mail address').fill(hamlet.email)
  await page.getByLabel('Password').fill(hamlet.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'gate' }).waitFor()
  await until(page, `location.hash.includes('gate')`)
})
