import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { clientBuilt, closeBrowser, skip, visit } from './browser.ts'
import { chooses, message, openTopic, sends, until, writes } from './gestures.ts'

after(closeBrowser)

test('a draft is there in another window, and goes when it is sent', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const first = await visit(t, server.url, hamlet)
  const second = await visit(t, server.url, hamlet)
  await openTopic(first, server, 'general', 'plans')
  await writes(first, 'To be, or not')
  await openTopic(second, server, 'general', 'plans')
  const box = second.getByRole('textbox', { name: 'Message' })
  await until(second, `document.querySelector('#compose-text')?.value === 'To be, or not'`)
  assert.equal(await box.inputValue(), 'To be, or not')
  await first.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
  await until(second, `document.querySelector('#compose-text')?.value === ''`)
  assert.equal((await hamlet.api.get('/drafts')).drafts.length, 0)
})

test('an edit, a move and a deletion are seen by everybody', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { iago, cordelia } = server.people
  const page = await visit(t, server.url, iago)
  const other = await visit(t, server.url, cordelia)
  await openTopic(page, server, 'general', 'ghost')
  await openTopic(other, server, 'general', 'ghost')
  await sends(page, 'It walks by nite')
  await message(other, 'It walks by nite').waitFor()
  await chooses(page, 'It walks by nite', 'Edit')
  await page.getByRole('textbox', { name: 'Edit the message' }).fill('It walks by night')
  await page.getByRole('button', { name: 'Save' }).click()
  await message(other, 'It walks by night').getByText('edited').waitFor()

  await chooses(page, 'It walks by night', 'Move …')
  await page.getByRole('combobox', { name: 'Topic' }).fill('castle')
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
  await message(other, 'It walks by night').waitFor({ state: 'detached' })
  await openTopic(other, server, 'general', 'castle')
  await message(other, 'It walks by night').waitFor()

  await openTopic(page, server, 'general', 'castle')
  await chooses(page, 'It walks by night', 'Delete …')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await message(other, 'It walks by night').waitFor({ state: 'detached' })
})

test('a file is uploaded by choosing it, and shown', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'papers')
  await page
    .locator('.compose input[type=file]')
    .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') })
  await until(page, `document.querySelector('#compose-text')?.value.includes('](/user_uploads/')`)
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
  const link = page.getByRole('link', { name: 'plan.txt' })
  await link.waitFor()
  const path = await link.getAttribute('href')
  assert.equal(await page.evaluate(`fetch(${JSON.stringify(path)}).then((file) => file.text())`), 'the plan')
})

test('people and emoji are completed while one writes', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'calls')
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.pressSequentially('ask @cord')
  await page.getByRole('option', { name: /cordelia/ }).waitFor()
  await box.press('Enter')
  await until(page, `document.querySelector('#compose-text')?.value === 'ask @**cordelia** '`)
  await box.pressSequentially(':octopus')
  await page.getByRole('option', { name: /octopus/ }).waitFor()
  await box.press('Tab')
  await until(page, `document.querySelector('#compose-text')?.value.endsWith(':octopus: ')`)
})

test('a poll is voted in, and both see the votes', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  const other = await visit(t, server.url, server.cordelia)
  await openTopic(page, server, 'general', 'lunch')
  await openTopic(other, server, 'general', 'lunch')
  await sends(page, '/poll Where?\nHome\nInn')
  await other.getByRole('button', { name: 'votes for Inn' }).click()
  await page.getByRole('button', { name: '1 votes for Inn' }).waitFor()
})

/** Gives the box files, as pasting and dropping do. */
const givesFiles = (type: 'paste' | 'drop', name: string, text: string) => `(() => {
  const files = new DataTransfer()
  files.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'text/plain' }))
  const box = document.querySelector('#compose-text')
  box.dispatchEvent(new ${type === 'paste' ? 'ClipboardEvent' : 'DragEvent'}('${type}', { bubbles: true, cancelable: true, ${type === 'paste' ? 'clipboardData' : 'dataTransfer'}: files }))
})()`

test('files are pasted and dropped, cancelled on their way, and refused in a sentence that names them', {
  skip,
}, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true, maxFileUploadSizeMib: 1 })
  const page = await visit(t, server.url, server.people.hamlet)
  await openTopic(page, server, 'general', 'files')
  await writes(page, 'See ')
  await page.evaluate(givesFiles('paste', 'pasted.txt', 'one'))
  await until(page, `document.querySelector('#compose-text').value.includes('[pasted.txt](/user_uploads/')`)
  await page.evaluate(givesFiles('drop', 'dropped.txt', 'two'))
  await until(page, `document.querySelector('#compose-text').value.includes('[dropped.txt](/user_uploads/')`)
  const before = await page.getByRole('textbox', { name: 'Message' }).inputValue()

  server.fail('POST */user_uploads', { delay: 20_000, times: 1 })
  await page.evaluate(givesFiles('drop', 'slow.txt', 'three'))
  await page.getByRole('progressbar', { name: 'Uploading slow.txt' }).waitFor()
  await page.getByRole('button', { name: 'Cancel slow.txt' }).click()
  await page.getByRole('progressbar').waitFor({ state: 'detached' })

  await page.evaluate(givesFiles('drop', 'large.txt', 'x'.repeat(2_000_000)))
  await page.getByText(/large\.txt could not be uploaded\. \w+/).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), before)
})
