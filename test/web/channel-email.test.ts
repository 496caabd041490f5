import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'

browserTest('shows the email address of a channel, with options, and makes a new one', async (t) => {
  const server = await testServer({
    web: true,
    mailIn: { address: '%s@chat.example.com' },
    people: { helper: { bot: true } },
  })
  await using _ = server
  const page = await visit(t, server.url, server.hamlet)
  await page.goto('/#narrow/channel/1')
  const open = async () => {
    await page.getByRole('button', { name: 'Conversation actions' }).click()
    await page.getByRole('menuitem', { name: 'Get email address' }).click()
  }
  await open()
  const dialog = page.getByRole('dialog', { name: /^Email address of .*general/ })
  const address = dialog.getByLabel('Email address', { exact: true })
  await address.waitFor()
  const first = await address.inputValue()
  assert.match(first, /^general\.[0-9a-f]{32}@chat\.example\.com$/)
  await dialog.getByLabel("Begin with the sender's name and address").check()
  await dialog.getByLabel('Keep quoted text').check()
  assert.equal(await address.inputValue(), first.replace('@', '.show-sender.include-quotes@'))
  await dialog.getByLabel('Posted by').selectOption(String(server.hamlet.id))
  await page.waitForFunction((before) => {
    const field = document.querySelector<HTMLInputElement>('.channel-email .copied-text input')
    return field !== null && !field.value.startsWith(before)
  }, first.split('@')[0]!)
  await dialog.getByRole('button', { name: 'Make a new address' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make a new address' }).click()
  await address.waitFor()
  assert.notEqual(await address.inputValue(), first)
})

browserTest('a server that receives no email offers no address', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  await page.goto('/#narrow/channel/1')
  await page.getByRole('button', { name: 'Conversation actions' }).click()
  await page.getByRole('menuitem', { name: 'Channel settings' }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: 'Get email address' }).count(), 0)
})
