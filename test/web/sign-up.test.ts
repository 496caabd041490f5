import assert from 'node:assert/strict'
import { mailWorkerOf } from '../../src/core/messages/send/message-workers.ts'
import type { Mail } from '../../src/network/mail/mail.ts'
import { testServer } from '../../src/testing/index.ts'
import { linksIn, PUBLIC_URL } from '../mail/mail-world.ts'
import { newPage } from './browser.ts'
import { browserTest } from './browser-test.ts'

browserTest('creates an account from the sign-in page by an emailed link', async (t) => {
  const outbox: Mail[] = []
  const send = async (mail: Mail) => {
    outbox.push(mail)
    return '250 OK'
  }
  const mail = { from: 'chat@example.com', send }
  await using server = await testServer({ web: true, publicUrl: PUBLIC_URL, mail })
  const { iago } = server.people
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.goto('/')
  await page.getByLabel('Password').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Create an account' }).count(), 0)
  await iago.api.patch('/realm', { invite_required: false })
  await page.reload()
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.getByLabel('Email').fill('yorick@example.com')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('We sent an email to yorick@example.com. Its link works for a day.').waitFor()
  await mailWorkerOf(server.chat)!.settled()
  const link = new URL(linksIn(outbox[0]!)[0]!)
  await page.goto(`${link.pathname}${link.search}`)
  await page.getByLabel('Your name').fill('Yorick')
  await page.getByLabel('Password', { exact: true }).fill('alas poor Yorick')
  await page.getByLabel('Confirm password').fill('alas poor Yorick')
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByText(/Your account is ready/).waitFor()
})
