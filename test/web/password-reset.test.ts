import assert from 'node:assert/strict'
import { mailWorkerOf } from '../../src/core/messages/send/message-workers.ts'
import type { Mail } from '../../src/network/mail/mail.ts'
import { testServer } from '../../src/testing/index.ts'
import { linksIn, PUBLIC_URL } from '../mail/mail-world.ts'
import { newPage, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { fillIn } from './gestures.ts'

/** A served world that keeps the emails it sends. */
async function serverWithMail() {
  const mails: Mail[] = []
  const send = async (mail: Mail) => {
    mails.push(mail)
    return '250 OK'
  }
  const server = await testServer({ web: true, publicUrl: PUBLIC_URL, mail: { from: 'chat@example.com', send } })
  return {
    server,
    /** The link in the only email since the last look, at the address where the test reaches the server. */
    async link(): Promise<string> {
      await mailWorkerOf(server.chat)!.settled()
      const [mail, ...more] = mails.splice(0)
      assert.deepEqual(more, [])
      return linksIn(mail!)[0]!.replace(PUBLIC_URL, server.url)
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

browserTest('a forgotten password is replaced with the link of an email', async (t) => {
  await using s = await serverWithMail()
  const page = await newPage(s.server.url)
  t.after(() => page.context().close())
  await page.goto('/')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await fillIn(page, { Email: s.server.hamlet.email }, 'Send link')
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await page.goto(await s.link())
  // The strength takes the person's name from the page.
  for (const [password, strength] of [
    ['Hamlet 123', 'Easy to guess.'],
    ['x7$kQ2b5', 'Fair password'],
    ['another horse', 'Strong password'],
  ] as const) {
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByRole('status').getByText(strength).waitFor()
  }
  await fillIn(page, { 'New password': 'another horse', 'Confirm new password': 'another horse' }, 'Set password')
  // They are signed in immediately.
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor()
})

browserTest('without email the sign-in page names an administrator', async (t) => {
  await using server = await testServer({ web: true })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.goto('/')
  await page.getByText('Ask an administrator for a link.').waitFor()
  assert.equal(await page.getByText('Forgot password?').count(), 0)
})

browserTest('a new address is confirmed with the link of an email, and invitations are sent', async (t) => {
  await using s = await serverWithMail()
  const page = await visit(t, s.server.url, s.server.iago)
  await page.goto('/#settings/invitations')
  await page.getByRole('button', { name: 'Invite people' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Who can use it').selectOption('Invite by email')
  await dialog.getByLabel('Email addresses').fill('ann@example.org')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByText('The link was emailed.').waitFor()
  assert.match(await s.link(), /\/join\?token=/)
})
