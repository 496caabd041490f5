import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, settles } from './gestures.ts'

browserTest('a conversation introduces itself, with its members and what to do', async (t) => {
  await using server = await testServer({ web: true, streams: { verona: { members: ['iago', 'hamlet'] } } })
  const { iago, hamlet, cordelia } = server.people
  const verona = await server.streamId('verona')
  await iago.api.patch(`/streams/${verona}`, { description: 'Two **houses**' })
  await iago.says('A plague', { stream: 'verona', topic: 'peace' })
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'verona', 'peace')
  const card = page.getByRole('region', { name: 'peace' })
  await card.getByText('Topic in verona').waitFor()
  // Formatted as in messages.
  await card.locator('.description strong').getByText('houses').waitFor()
  await card.getByText('2 members · Who can post: Everyone, including guests').waitFor()
  await page.locator('.page-header').getByRole('link', { name: '2 members' }).waitFor()
  // Following it shows in the header.
  await card.getByRole('button', { name: 'Follow topic' }).click()
  await page.getByRole('img', { name: 'Followed' }).waitFor()
  await card.getByRole('button', { name: 'Follow topic' }).waitFor({ state: 'detached' })
  await iago.api.patch(`/streams/${verona}`, { can_send_message_group: { new: await roleGroup('administrators') } })
  await card.getByText('Who can post: Administrators').waitFor()
  await hamlet.api.post('/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: verona, property: 'is_muted', value: true }],
  })
  await page.goto(`/#narrow/channel/${verona}`)
  await page.getByRole('img', { name: 'Muted' }).waitFor()
  await page
    .getByRole('region', { name: 'verona' })
    .getByText(/^Created/)
    .waitFor()
  await page.getByRole('link', { name: '2 members' }).click()
  await page.getByRole('tab', { name: 'Members', selected: true }).waitFor()

  // Only its members see a private channel.
  await iago.api.patch(`/streams/${verona}`, { can_send_message_group: { new: await roleGroup('everyone') } })
  await iago.api.patch(`/streams/${verona}`, { is_private: true })
  await page.goto(`/#narrow/channel/${verona}`)
  await page.getByText('Who can post: Members of this channel').waitFor()

  // An empty direct conversation.
  await page.goto(`/#narrow/dm/${cordelia.id}`)
  await page.getByRole('region', { name: 'cordelia' }).getByRole('button', { name: 'View profile' }).click()
  await page.getByRole('dialog', { name: 'cordelia' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('No messages yet. Say hello!').waitFor()
  await page.goto(`/#narrow/dm/${hamlet.id}`)
  await page.getByText('Only you can see messages here.').waitFor()

  // What a search finds is no conversation.
  await openTopic(page, server, 'verona', 'peace')
  await page.getByText('This is the beginning of the conversation.').waitFor()
  await page.goto('/#narrow/search/plague')
  await page.getByRole('heading', { name: 'Search: plague' }).waitFor()
  await message(page, 'A plague').waitFor()
  await settles(page, server)
  assert.equal(await page.getByText('This is the beginning').count(), 0)

  async function roleGroup(role: string): Promise<number> {
    const { user_groups } = await iago.api.get('/user_groups', { include_system: true })
    return user_groups.find(({ name }: { name: string }) => name === `role:${role}`).id
  }
})

browserTest('the header says that a topic is resolved', async (t) => {
  await using server = await testServer({ web: true })
  await server.people.iago.says('Done', { topic: '✔ peace' })
  const page = await visit(t, server.url, server.people.hamlet)
  await openTopic(page, server, 'general', '✔ peace')
  await page.getByRole('img', { name: 'Resolved' }).waitFor()
})

browserTest('a pill leads to the first unread message while it is out of sight', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet } = server.people
  const texts = Array.from({ length: 150 }, (_, i) => `Line ${i}.`)
  for (const text of texts) await iago.says(text, { topic: 'long' })
  await hamlet.api.patch('/settings', { web_mark_read_on_scroll_policy: 3 })
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'long')
  await message(page, 'Line 0.').waitFor()
  const pill = page.locator('.to-unread')
  assert.equal(await pill.count(), 0)
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await message(page, 'Line 149.').waitFor()
  await pill.click()
  await message(page, 'Line 0.').waitFor()
  await pill.waitFor({ state: 'detached' })
  // It goes when somebody reads elsewhere, too.
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await pill.waitFor()
  await hamlet.api.post('/mark_all_as_read')
  await pill.waitFor({ state: 'detached' })
})

browserTest('a day leads to other days', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet } = server.people
  for (let i = 0; i < 120; i++) await iago.says(`Line ${i}.`, { topic: 'long' })
  await hamlet.api.post('/mark_all_as_read')
  const page = await visit(t, server.url, hamlet, { size: sizes.phone })
  await openTopic(page, server, 'general', 'long')
  await message(page, 'Line 119.').waitFor()
  await page.goto(
    `${page.url()}/near/${(await iago.api.get('/messages', { anchor: 'oldest', num_before: 0, num_after: 1 })).messages[0].id}`,
  )
  await page.locator('.date-line button').first().click()
  const dialog = page.getByRole('dialog', { name: 'Jump to date' })
  for (const name of [/^Yesterday/, /^Last week/, /^Last month/]) await dialog.getByRole('button', { name }).waitFor()
  await dialog.getByRole('button', { name: 'First message' }).click()
  await dialog.waitFor({ state: 'detached' })
  await message(page, 'Line 0.').waitFor()
})
