import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type TestServer, testServer } from '../../src/testing/index.ts'
import { newPage, problemsOf, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { fillIn, message, openTopic, sends } from './gestures.ts'

const password = 'correct horse'
const DAY_MS = 24 * 60 * 60 * 1000

const worldWithStreams = () =>
  testServer({ web: true, streams: { verona: { members: ['iago'] }, padua: { members: ['iago'] } } })

/** Disclosure the dialog that invites, from the page of the settings. */
async function invites(page: Page): Promise<Locator> {
  await page.goto('/#settings/invitations')
  await page.getByRole('button', { name: 'Invite people' }).click()
  return page.getByRole('dialog')
}

/** Makes an invitation and takes its link along. */
async function makesLink(dialog: Locator, label = 'Link'): Promise<string> {
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await dialog.getByLabel(label, { exact: true }).inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()
  return link
}

/** Somebody without an account, in a window of their own. */
async function stranger(t: TestContext, server: TestServer): Promise<Page> {
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  return page
}

async function joins(page: Page, link: string, name: string, email?: string): Promise<void> {
  await page.goto(link)
  const given = { 'Your name': name, Password: password, 'Confirm password': password }
  await fillIn(page, { ...(email && { Email: email }), ...given }, 'Join')
  // They are signed in immediately.
  await page.getByRole('link', { name: /Continue/ }).click()
}

const ownStreams = (page: Page) => page.getByRole('navigation', { name: 'Conversations' }).locator('.group').last()

browserTest('a reusable invitation adds people to its streams until it is revoked', async (t) => {
  await using server = await worldWithStreams()
  const owner = await visit(t, server.url, server.people.iago)
  const dialog = await invites(owner)
  await dialog.getByLabel('Expires after').selectOption('1 day')
  await dialog.getByText('More channels').click()
  await dialog.getByLabel('verona').check()
  const link = await makesLink(dialog)
  await owner
    .locator('li', { hasText: 'Anyone with the link' })
    .getByText(/Member, by iago, expires/)
    .waitFor()

  const joined = await stranger(t, server)
  await joins(joined, link, 'Yorick', 'yorick@example.com')
  // The session that joining began has the name of its browser.
  await joined.goto('/#settings/sessions')
  await joined.getByText(/^Chrome on /).waitFor()
  await ownStreams(joined).getByRole('link', { name: 'verona' }).waitFor()
  await ownStreams(joined).getByRole('link', { name: 'general' }).waitFor()
  assert.equal(await ownStreams(joined).getByRole('link', { name: 'padua' }).count(), 0)

  await openTopic(owner, server, 'verona', 'jests')
  await openTopic(joined, server, 'verona', 'jests')
  await sends(joined, 'A fellow of infinite jest')
  await message(owner, 'infinite jest').waitFor()
  await sends(owner, 'Where be your gibes now?')
  await message(joined, 'Where be your gibes now?').waitFor()
  assert.deepEqual(problemsOf.get(joined), [])

  // It can be used again, as long as it is not revoked, and by anybody who sits down at the same browser.
  const second = joined
  await joins(second, link, 'Osric', 'osric@example.com')
  await second.locator('.account').getByText('Osric').waitFor()
  await ownStreams(second).getByRole('link', { name: 'verona' }).waitFor()

  await owner.goto('/#settings/invitations')
  await owner.getByRole('button', { name: 'Revoke the reusable link' }).click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await owner.getByText('No pending invitations').waitFor()
  const late = await stranger(t, server)
  await late.goto(link)
  await late.getByText('expired or was already used').waitFor()
})

browserTest('an email invitation admits one guest, works once and expires', async (t) => {
  await using server = await worldWithStreams()
  const owner = await visit(t, server.url, server.people.iago)
  let dialog = await invites(owner)
  await dialog.getByLabel('Who can use it').selectOption({ index: 1 })
  await dialog.getByLabel('Email addresses').fill('ann@example.com, bob@example.com')
  await dialog.getByLabel('Role').selectOption('Guest')
  await dialog.getByLabel('Expires after').selectOption('1 day')
  await dialog.getByLabel('Join the default channels').uncheck()
  await dialog.getByText('More channels').click()
  await dialog.getByLabel('padua').check()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const [forAnn, forBob] = await Promise.all(
    ['ann@example.com', 'bob@example.com'].map((one) => dialog.getByLabel(one, { exact: true }).inputValue()),
  )
  await dialog.getByRole('button', { name: 'Done' }).click()
  await owner.locator('li', { hasText: 'bob@example.com' }).getByText('Guest').waitFor()

  const ann = await stranger(t, server)
  await joins(ann, forAnn!, 'Ann')
  await ownStreams(ann).getByRole('link', { name: 'padua' }).waitFor()
  assert.equal(await ownStreams(ann).getByRole('link').filter({ hasText: 'general' }).count(), 0)
  // A guest has no way to more streams or people than those they were given.
  await ann.goto('/#streams')
  await ann.getByRole('heading', { name: 'Channels', level: 1 }).waitFor()
  assert.equal(await ann.getByRole('button', { name: 'New channel' }).count(), 0)
  assert.equal(await ann.getByRole('main').getByRole('link', { name: 'verona' }).count(), 0)
  await ann.goto('/#people')
  assert.equal(await ann.getByRole('button', { name: 'Invite people' }).count(), 0)

  const again = await stranger(t, server)
  await again.goto(forAnn!)
  await again.getByText('expired or was already used').waitFor()

  server.clock.advance(2 * DAY_MS)
  await again.goto(forBob!)
  await again.getByText('expired or was already used').waitFor()
  assert.equal(await again.getByLabel('Password', { exact: true }).count(), 0)

  // The address of an existing user is an error in the dialog, which keeps the values.
  dialog = await invites(owner)
  await dialog.getByLabel('Who can use it').selectOption({ index: 1 })
  await dialog.getByLabel('Email addresses').fill('not an address')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.locator('.problem').filter({ hasText: /\w/ }).waitFor()
  assert.equal(await dialog.getByLabel('Email addresses').inputValue(), 'not an address')
  // Valid addresses are invited even if others can't be.
  await dialog.getByLabel('Email addresses').fill(`carol@example.com, ${server.people.hamlet.email}`)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByLabel('carol@example.com', { exact: true }).waitFor()
  await owner.locator('.notices').getByText(`Not invited: ${server.people.hamlet.email}`).waitFor()
})
