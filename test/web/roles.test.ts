import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { manualClock, type TestServer, testServer } from '../../src/testing/index.ts'
import { problemsOf, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, settles } from './gestures.ts'

/** Somebody of each role below the owner, and a private stream and groups that they are not all in. */
async function roles() {
  const server = await testServer({
    web: true,
    clock: manualClock(Date.now()),
    people: { ann: { role: 'administrator' }, moe: { role: 'moderator' } },
    streams: {
      court: { members: ['iago', 'ann', 'moe', 'hamlet', 'polonius'] },
      secret: { private: true, members: ['iago'] },
    },
    groups: { cooks: ['hamlet', 'polonius'], bakers: ['iago'], brewers: [] },
  })
  const { iago, hamlet } = server.people
  const { user_groups } = await iago.api.get('/user_groups')
  const groupId = (name: string): number => user_groups.find((one: { name: string }) => one.name === name).id
  const streamId = async (stream: string): Promise<number> =>
    (await iago.api.get('/get_stream_id', { stream })).stream_id
  // A member who adds people to a group and manages none.
  const only = (id: number) => ({ new: { direct_members: [id], direct_subgroups: [] } })
  await iago.api.patch(`/user_groups/${groupId('cooks')}`, { can_add_members_group: only(hamlet.id) })
  await iago.api.post('/invites', { invitee_emails: 'owner@example.com', stream_ids: [], invite_as: 100 })
  const at = {
    court: `#streams/${await streamId('court')}`,
    'members of court': `#streams/${await streamId('court')}/members`,
    secret: `#streams/${await streamId('secret')}`,
    'members of secret': `#streams/${await streamId('secret')}/members`,
    'permissions of secret': `#streams/${await streamId('secret')}/permissions`,
    cooks: `#settings/groups/${groupId('cooks')}`,
    bakers: `#settings/groups/${groupId('bakers')}`,
  }
  return Object.assign(server, { at, groupId })
}

async function goes(page: Page, server: TestServer, view: string): Promise<void> {
  await page.goto(`/${view}`)
  await settles(page, server)
}

/** What each role finds on a page that depends on it (with `!`: does not find), by the accessible name. */
const table: readonly (readonly [who: string, view: string, ...controls: string[]])[] = [
  ['ann', 'secret', 'Name', 'Archive'],
  ['ann', 'members of secret', 'Remove iago', '!Add someone'],
  ['ann', 'permissions of secret', 'Post messages', '!Join without being added'],
  ['ann', '#streams', 'Leave court', 'Settings for secret', '!Join secret'],
  ['ann', '#settings/invitations', 'Revoke owner@example.com', '!New link for owner@example.com'],
  ['ann', '#settings/users', 'Role of hamlet', '!Role of iago', '!Deactivate iago'],
  ['moe', 'court', 'Color', '!Archive'],
  ['moe', 'members of court', 'Add someone', '!Remove hamlet'],
  ['moe', '#people', 'Invite people'],
  ['hamlet', 'cooks', 'Add a member', 'Add a group', 'Leave', '!Remove bakers', '!Deactivate', '!Remove hamlet'],
  ['hamlet', 'bakers', 'All groups', '!Join', '!Add a member'],
  ['hamlet', '#streams', 'New channel', '!Settings for secret'],
  ['polonius', 'cooks', 'Leave', '!Add a member', '!Add a group'],
  ['polonius', 'court', 'Color', '!Archive'],
  ['polonius', 'members of court', '!Add someone'],
  ['polonius', '#streams', 'Leave court', '!New channel', '!Settings for general'],
  ['polonius', '#people', '!Invite people'],
]

browserTest('each page offers every role exactly what it may do', async (t) => {
  await using server = await roles()
  const { iago } = server.people
  const { at } = server
  await iago.api.post(`/user_groups/${server.groupId('cooks')}/subgroups`, { add: [server.groupId('bakers')] })
  // A user who may only create links can invite too.
  await iago.api.patch('/realm', {
    can_invite_users_group: { new: server.groupId('role:administrators') },
    create_multiuse_invite_group: { new: server.groupId('role:moderators') },
  })
  for (const who of ['ann', 'moe', 'hamlet', 'polonius']) {
    const page = await visit(t, server.url, server.person(who))
    for (const [, view, ...controls] of table.filter(([name]) => name === who)) {
      await goes(page, server, at[view as keyof typeof at] ?? view)
      for (const control of controls) {
        const name = control.replace(/^!/, '')
        const found = page.getByRole('main').getByRole('button', { name, exact: true })
        const all = found
          .or(page.getByRole('main').getByLabel(name, { exact: true }))
          .or(page.getByRole('link', { name, exact: true }))
        if (name === control) await all.first().waitFor()
        else assert.equal(await all.count(), 0, `${who} at ${view}: ${control}`)
      }
    }
    if (!['moe', 'polonius'].includes(who)) continue
    // The tests of accessibility walk through the pages of owners and members.
    await goes(page, server, '#settings/profile')
    const links = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    for (const address of await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')!)))
      await goes(page, server, address)
    assert.deepEqual(problemsOf.get(page), [], who)
  }
})

browserTest("offers message actions according to the organization's permissions", async (t) => {
  await using server = await roles()
  const { iago, moe, hamlet } = server.people
  const moderators = { new: server.groupId('role:moderators') }
  await iago.api.patch('/realm', {
    can_delete_any_message_group: moderators,
    can_delete_own_message_group: moderators,
    can_move_messages_between_topics_group: moderators,
    can_move_messages_between_channels_group: moderators,
  })
  await hamlet.says('More matter', { stream: 'court', topic: 'art' })
  await hamlet.says('/poll Less art?', { stream: 'court', topic: 'art' })
  const itemsOf = async (page: Page, text: string) => {
    await message(page, text).hover()
    await message(page, text).getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem').first().waitFor()
    const items = await page.getByRole('menuitem').allInnerTexts()
    await page.keyboard.press('Escape')
    return ['Edit', 'Move…', 'Delete…'].filter((item) => items.some((text) => text.startsWith(item)))
  }
  const page = await visit(t, server.url, moe)
  await openTopic(page, server, 'court', 'art')
  await settles(page, server)
  assert.deepEqual(await itemsOf(page, 'More matter'), ['Move…', 'Delete…'])
  const own = await visit(t, server.url, hamlet)
  await openTopic(own, server, 'court', 'art')
  await settles(own, server)
  assert.deepEqual(await itemsOf(own, 'More matter'), ['Edit'])
  assert.deepEqual(await itemsOf(own, 'Less art?'), [])

  // A user who may only choose another topic is asked for nothing else.
  await iago.api.patch('/realm', { can_move_messages_between_channels_group: { new: server.groupId('role:owners') } })
  await message(page, 'More matter').click()
  await page.keyboard.press('m')
  await page.getByRole('combobox', { name: 'Topic' }).waitFor()
  await page.getByRole('combobox', { name: 'Channel' }).waitFor({ state: 'detached' })
})
