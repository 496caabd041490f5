import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { pageHeaders } from '../../src/client/index.ts'
import { createChatServer } from '../../src/http/index.ts'
import { createOrganization, openChat } from '../../src/index.ts'
import { testServer } from '../../src/testing/index.ts'
import { violations } from './axe.ts'
import { newPage, signIn, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'

const badge = (page: Page) => page.getByRole('button', { name: /Get started/ })

browserTest('lists the first steps of an owner until all are done', async (t) => {
  await using chat = await openChat({ passwordCost: 4 })
  const owner = await createOrganization(chat, { org: 'Arden', owner_email: 'a@example.com', owner_name: 'Rosalind' })
  await using server = await createChatServer({ chat, port: 0, web: true })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await signIn(page, owner)
  const change = async (method: 'post' | 'patch', path: string, form: Record<string, string>) => {
    const answer = await page.context().request[method](`/json${path}`, { form, headers: pageHeaders })
    assert.equal(answer.status(), 200, await answer.text())
  }
  const steps = page.getByRole('region', { name: 'Welcome to Arden' }).getByRole('listitem')
  await badge(page).getByText('0 of 6 done').waitFor()
  // The list is loaded by the inbox, and the badge by the sidebar.
  await steps.first().waitFor()
  assert.equal(await steps.count(), 6)
  assert.deepEqual(await violations(page), [])

  await change('patch', '/realm', { description: 'A forest' })
  await badge(page).getByText('1 of 6 done').waitFor()
  await change('post', '/users/me/subscriptions', { subscriptions: '[{"name": "deer"}]' })
  await badge(page).getByText('2 of 6 done').waitFor()
  await change('post', '/invites/multiuse', { invite_as: '400' })
  await badge(page).getByText('3 of 6 done').waitFor()
  await steps.filter({ hasText: 'Invite your team' }).locator('s').waitFor()

  // Those that cannot be seen from here, or aren't wanted, are skipped, and stay so.
  await steps.filter({ hasText: 'chat-server import' }).getByRole('button', { name: /Skip/ }).click()
  await badge(page).getByText('4 of 6 done').waitFor()
  await page.reload()
  await badge(page).getByText('4 of 6 done').click()
  const list = page.getByRole('dialog', { name: 'Get started' })
  assert.deepEqual(await violations(page), [])
  await list.getByRole('button', { name: 'Skip “Set up email”' }).click()
  await list.getByRole('link', { name: 'Add your logo' }).click()
  await page.getByRole('heading', { name: 'Organization' }).waitFor()
  await badge(page).click()
  await list.getByRole('button', { name: 'Skip “Add your logo”' }).click()
  await badge(page).waitFor({ state: 'detached' })
})

browserTest('hides the first steps when asked, and from others than owners of a new organization', async (t) => {
  await using chat = await openChat({ passwordCost: 4 })
  const owner = await createOrganization(chat, { org: 'Arden', owner_email: 'a@example.com', owner_name: 'Rosalind' })
  await using server = await createChatServer({ chat, port: 0, web: true })
  const member = { email: 'b@example.com', password: 'correct horse' }
  const page = await visit(t, server.url, owner)
  const form = { ...member, full_name: 'Celia' }
  await page.context().request.post('/json/users', { form, headers: pageHeaders })
  await badge(page).click()
  const list = page.getByRole('dialog', { name: 'Get started' })
  // There is another person now, so nobody needs to be invited.
  await list.locator('s', { hasText: 'Invite your team' }).waitFor()
  await list.getByRole('button', { name: 'Hide this list' }).click()
  await badge(page).waitFor({ state: 'detached' })

  const hasNone = async (at: Page) => {
    await at.getByText('Recent conversations').first().waitFor()
    await at.getByRole('button', { name: 'Mentions' }).waitFor()
    assert.equal(await badge(at).count(), 0)
  }
  await page.reload()
  await hasNone(page)
  await hasNone(await visit(t, server.url, member))
  // Test worlds are from the beginning of the year.
  await using old = await testServer({ web: true })
  await hasNone(await visit(t, old.url, old.iago))
})
