import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { manualClock, type TestServer, testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { boxHas, chooses, message, openTopic, sends, until, writes } from './gestures.ts'

browserTest('a draft appears in another window and disappears once sent', async (t) => {
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

browserTest('creates a draft once despite a lost answer and removes it once sent', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const page = await visit(t, server.url, hamlet)
  const contents = async () =>
    (await hamlet.api.get('/drafts')).drafts.map(({ content }: { content: string }) => content).join('|')
  const areDrafts = (wanted: string) => eventually(`drafts are ${wanted}`, async () => (await contents()) === wanted)
  server.fail('POST */drafts', { status: 502, after: 'commit' })
  await openTopic(page, server, 'general', 'plans')
  await writes(page, 'To be')
  await areDrafts('To be')
  await writes(page, 'To be, or')
  await areDrafts('To be, or')
  await sends(page, 'To be, or not')
  await areDrafts('')
  await boxHas(page, '')

  // Sent before the next text is saved.
  server.fail('POST */drafts', { status: 502, after: 'commit' })
  await writes(page, 'That is')
  await areDrafts('That is')
  await sends(page, 'That is the question')
  await areDrafts('')
  await boxHas(page, '')
})

browserTest("a lost answer to a deletion doesn't hide another device's draft", async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'plans')
  await writes(page, 'To be')
  const drafts = async () => (await hamlet.api.get('/drafts')).drafts
  await eventually('it is saved', async () => (await drafts()).length === 1)
  const [{ type, to, topic }] = await drafts()
  server.fail('DELETE */drafts/*', { status: 502, after: 'commit' })
  await writes(page, '')
  await eventually('it is deleted', async () => (await drafts()).length === 0)
  await page.reload()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  const isKept = `Object.keys(localStorage).some((name) => name.startsWith('text '))`
  await until(page, `!${isKept}`)
  await hamlet.api.post('/drafts', { drafts: [{ type, to, topic, content: 'Or not to be' }] })
  await boxHas(page, 'Or not to be')
})

/** Writes something new that is for nobody yet. */
async function begins(page: Page, text: string): Promise<void> {
  await page.locator('#main-view').focus()
  await page.keyboard.press('x')
  await page.getByRole('combobox', { name: 'Recipients' }).waitFor()
  await writes(page, text)
}
async function addsPerson(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Recipients' }).fill(name)
  await page.getByRole('option', { name }).click()
  await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
}
const opensDirect = async (page: Page, ...people: { id: number }[]) => {
  await page.goto(`/#narrow/dm/${people.map(({ id }) => id).join()}`)
  await page.getByRole('heading', { name: 'cordelia' }).waitFor()
}
const opensStream = async (page: Page, { people }: TestServer) => {
  const { stream_id } = await people.iago.api.get('/get_stream_id', { stream: 'general' })
  await page.goto(`/#narrow/channel/${stream_id}`)
  await page.getByRole('combobox', { name: 'Topic' }).waitFor()
}

browserTest("a draft's recipients follow its text", async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  const page = await visit(t, server.url, hamlet)
  const drafts = async () =>
    (await hamlet.api.get('/drafts')).drafts.map(({ to, topic }: { to: number[]; topic: string }) => `${to} ${topic}`)
  const areDrafts = (...wanted: string[]) =>
    eventually(`drafts are ${wanted}`, async () => (await drafts()).sort().join() === wanted.join())
  await openTopic(page, server, 'general', 'play')
  await begins(page, 'So young')
  await areDrafts(' ')
  await addsPerson(page, 'cordelia')
  await openTopic(page, server, 'general', 'play')
  await areDrafts(`${cordelia.id} `)
  await page.reload()
  await opensDirect(page, cordelia)
  await boxHas(page, 'So young')
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
  await areDrafts()

  await opensStream(page, server)
  await writes(page, 'The play is the thing')
  await eventually('a draft is saved', async () => (await drafts()).length > 0)
  const [before] = await drafts()
  await page.getByRole('combobox', { name: 'Topic' }).fill('plan')
  await areDrafts(`${before!.trim()} plan`)
  // At the old place it is no more.
  await openTopic(page, server, 'general', 'play')
  await opensStream(page, server)
  await boxHas(page, '')
})

browserTest('opens a draft without recipients from the list and adds them', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  const page = await visit(t, server.url, hamlet)
  const drafts = async () =>
    (await hamlet.api.get('/drafts')).drafts.map(({ to, content }: { to: number[]; content: string }) => [to, content])
  await openTopic(page, server, 'general', 'play')
  await begins(page, 'To whom?')
  await eventually('it is saved', async () => (await drafts()).length === 1)
  await page.goto('/#drafts')
  await page.reload()
  await page.getByRole('link', { name: 'No recipient' }).click()
  await boxHas(page, 'To whom?')
  await addsPerson(page, 'cordelia')
  await eventually('it is hers', async () => (await drafts())[0]?.[0][0] === cordelia.id)
  assert.deepEqual(await drafts(), [[[cordelia.id], 'To whom?']])
})

browserTest('each draft without recipients opens from its own row', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const draft = (content: string, timestamp: number) => ({ type: 'private', to: [], topic: '', content, timestamp })
  await hamlet.api.post('/drafts', { drafts: [draft('The first', 1), draft('The second', 2)] })
  const contents = async () =>
    (await hamlet.api.get('/drafts')).drafts.map(({ content }: { content: string }) => content).sort()
  const page = await visit(t, server.url, hamlet)
  for (const text of ['The first', 'The second', 'The first']) {
    await page.goto('/#drafts')
    await page.getByRole('link', { name: text }).click()
    await boxHas(page, text)
  }
  await writes(page, 'The third')
  await eventually('it is saved', async () => (await contents()).join() === 'The second,The third')
  await page.goto('/#drafts')
  await page.getByRole('listitem').filter({ hasText: 'The second' }).getByRole('button', { name: 'Delete' }).click()
  await eventually('it is deleted', async () => (await contents()).join() === 'The third')
})

browserTest('lists drafts stored only in the browser', async (t) => {
  await using server = await testServer({ web: true })
  await server.people.hamlet.api.patch('/settings', { enable_drafts_synchronization: false })
  const page = await visit(t, server.url, server.people.hamlet)
  await openTopic(page, server, 'general', 'plan')
  await writes(page, 'The plan')
  await page.goto('/#drafts')
  const row = page.getByRole('link', { name: 'The plan' })
  await row.waitFor()
  await page.reload()
  await row.click()
  await page.getByRole('heading', { name: 'plan' }).waitFor()
  await boxHas(page, 'The plan')
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
  await page.goto('/#drafts')
  await page.getByText('No drafts').waitFor()
})

browserTest('addressing one text leaves other drafts in place', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia, iago } = server.people
  // So that only the browser has what was begun.
  await hamlet.api.patch('/settings', { enable_drafts_synchronization: false })
  const page = await visit(t, server.url, hamlet)
  await opensDirect(page, cordelia)
  await writes(page, 'For thee')
  await openTopic(page, server, 'general', 'plan')
  await writes(page, 'The plan')
  await openTopic(page, server, 'general', 'play')
  await begins(page, 'For both')
  await addsPerson(page, 'cordelia')
  await addsPerson(page, 'iago')
  await opensStream(page, server)
  await writes(page, 'The plans')
  await page.getByRole('combobox', { name: 'Topic' }).pressSequentially('plans')
  const areThere = async () => {
    await opensDirect(page, cordelia)
    await boxHas(page, 'For thee')
    await opensDirect(page, ...[cordelia, iago].sort((a, b) => a.id - b.id))
    await boxHas(page, 'For both')
    await openTopic(page, server, 'general', 'plan')
    await boxHas(page, 'The plan')
    await openTopic(page, server, 'general', 'plans')
    await boxHas(page, 'The plans')
  }
  await areThere()
  await page.reload()
  await areThere()

  // Another text to Cordelia does not take the place of it either.
  await begins(page, 'Nothing')
  await addsPerson(page, 'cordelia')
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
  await areThere()
})

browserTest('a text hidden by another returns after a reload', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  await hamlet.api.patch('/settings', { enable_drafts_synchronization: false })
  const page = await visit(t, server.url, hamlet)
  await opensDirect(page, cordelia)
  await writes(page, 'For thee')
  await openTopic(page, server, 'general', 'play')
  await begins(page, 'For both')
  await addsPerson(page, 'cordelia')
  await page.reload()
  await opensDirect(page, cordelia)
  await boxHas(page, 'For both')
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
  await message(page, 'For both').waitFor()
  await openTopic(page, server, 'general', 'play')
  await opensDirect(page, cordelia)
  await boxHas(page, 'For thee')
})

browserTest('everyone sees an edit, a move and a deletion', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { iago, cordelia } = server.people
  const page = await visit(t, server.url, iago)
  const other = await visit(t, server.url, cordelia)
  await openTopic(page, server, 'general', 'ghost')
  await openTopic(other, server, 'general', 'ghost')
  await sends(page, 'It walks by nite')
  await message(other, 'It walks by nite').waitFor()
  await chooses(page, 'It walks by nite', 'Edit')
  await page.getByRole('textbox', { name: 'Edit message' }).fill('It walks by night')
  await page.getByRole('button', { name: 'Save' }).click()
  await message(other, 'It walks by night').getByText('edited').waitFor()

  await chooses(page, 'It walks by night', 'Move…')
  await page.getByRole('combobox', { name: 'Topic' }).fill('castle')
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
  // Both are taken along.
  for (const reader of [page, other]) {
    await reader.getByRole('heading', { name: 'castle' }).waitFor()
    await message(reader, 'It walks by night').waitFor()
  }

  await chooses(page, 'It walks by night', 'Delete…')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await message(other, 'It walks by night').waitFor({ state: 'detached' })
})

browserTest('uploads a chosen file and shows it', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'papers')
  await page
    .locator('.compose input[type=file]')
    .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') })
  await page.getByRole('button', { name: 'Remove plan.txt' }).waitFor()
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
  const link = page.getByRole('link', { name: 'plan.txt' })
  await link.waitFor()
  const path = await link.getAttribute('href')
  assert.equal(await page.evaluate(`fetch(${JSON.stringify(path)}).then((file) => file.text())`), 'the plan')
})

browserTest('completes people and emoji while writing', async (t) => {
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

browserTest('both sides see poll votes, and a rejected option stays in its field', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  const other = await visit(t, server.url, server.cordelia)
  await openTopic(page, server, 'general', 'lunch')
  await openTopic(other, server, 'general', 'lunch')
  await sends(page, '/poll Where?\nHome\nInn')
  await other.getByRole('button', { name: 'votes for Inn' }).click()
  await page.getByRole('button', { name: '1 vote for Inn' }).waitFor()
  server.fail('POST */submessage', { status: 400, times: 1 })
  const answer = other.getByRole('textbox', { name: 'Add option' })
  await answer.fill('Forest')
  await answer.press('Enter')
  await other.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
  assert.equal(await answer.inputValue(), 'Forest')
  server.fail('POST */submessage', { delay: 1000, times: 1 })
  await answer.press('Enter')
  assert.equal(await answer.inputValue(), '')
  await answer.fill('Garden')
  await answer.press('Enter')
  await page.getByRole('button', { name: '0 votes for Garden' }).waitFor()
  await page.getByRole('button', { name: '0 votes for Forest' }).waitFor()
})

/** Gives the box files, as pasting and dropping do. */
const givesFiles = (type: 'paste' | 'drop', name: string, text: string) => `(() => {
  const files = new DataTransfer()
  files.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'text/plain' }))
  const box = document.querySelector('#compose-text')
  box.dispatchEvent(new ${type === 'paste' ? 'ClipboardEvent' : 'DragEvent'}('${type}', { bubbles: true, cancelable: true, ${type === 'paste' ? 'clipboardData' : 'dataTransfer'}: files }))
})()`

browserTest('pastes, drops and cancels files, and names rejected ones', async (t) => {
  await using server = await testServer({ web: true, maxFileUploadSizeMib: 1 })
  const page = await visit(t, server.url, server.people.hamlet)
  await openTopic(page, server, 'general', 'files')
  await writes(page, 'See ')
  await page.evaluate(givesFiles('paste', 'pasted.txt', 'one'))
  await page.getByRole('button', { name: 'Remove pasted.txt' }).waitFor()
  await page.evaluate(givesFiles('drop', 'dropped.txt', 'two'))
  await page.getByRole('button', { name: 'Remove dropped.txt' }).waitFor()

  server.fail('POST */user_uploads', { delay: 20_000, times: 1 })
  await page.evaluate(givesFiles('drop', 'slow.txt', 'three'))
  await page.getByRole('progressbar', { name: 'Uploading slow.txt' }).waitFor()
  await page.getByRole('button', { name: 'Cancel slow.txt' }).click()
  await page.getByRole('progressbar').waitFor({ state: 'detached' })

  await page.evaluate(givesFiles('drop', 'large.txt', 'x'.repeat(2_000_000)))
  await page.getByText(/large\.txt couldn't be uploaded\. \w+/).waitFor()
  const files = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
  assert.deepEqual(await files.allInnerTexts(), ['pasted.txt', 'dropped.txt'])
  assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'See ')
})
