import { testServer } from '../../src/testing/index.ts'
import { mailSink } from '../mail/sink.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'

browserTest('an owner sets up the mail server, tests it, sees what fails, and removes it', async (t) => {
  await using sink = await mailSink()
  const outgoing = { allowPrivate: true }
  await using server = await testServer({ web: true, publicUrl: 'https://chat.example.com', outgoing })
  const page = await visit(t, server.url, server.iago)
  await page.goto('/#settings/mail')
  await page.getByText("This server doesn't send email yet.").waitFor()
  await page.getByRole('button', { name: 'Set up a mail server' }).click()
  await page.getByLabel('Server', { exact: true }).fill('smtp://127.0.0.1')
  await page.getByLabel('Encryption').selectOption('none')
  await page.getByLabel('Port').fill(String(sink.port))
  await page.getByLabel('Sender').fill('Chat <chat@example.com>')
  await page.getByLabel('Your password').fill('wrong')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Enter a host name such as mail.example.com, without a protocol or port.').waitFor()
  await page.getByLabel('Server', { exact: true }).fill('127.0.0.1')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your username or password is incorrect').waitFor()
  await page.getByLabel('Your password').fill(server.iago.password)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(`127.0.0.1:${sink.port} (None)`).waitFor()
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await page.getByText('The mail server accepted it: 250').waitFor()

  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Port').fill('1')
  await page.getByLabel('Your password').fill(server.iago.password)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('127.0.0.1:1 (None)').waitFor()
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await page.getByText('The mail server 127.0.0.1:1 could not be reached: ECONNREFUSED').waitFor()

  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Remove the mail server?').waitFor()
  await page.getByRole('dialog').getByLabel('Your password').fill(server.iago.password)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText("This server doesn't send email yet.").waitFor()
})
