import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { png } from '../files/images.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { boxHas, message, openTopic, until } from './gestures.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })
/** The buttons come with the keys that continue lists. */
const isReady = (page: Page) => page.getByRole('button', { name: 'Insert' }).waitFor()

browserTest('lists and quotes continue on Enter and end at an empty item, and Tab indents', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'lists')
  await isReady(page)
  const types = async (...keys: string[]) => {
    for (const key of keys)
      await (/^(?:Shift\+)?(?:Enter|Tab|End)$/.test(key) ? box(page).press(key) : box(page).pressSequentially(key))
  }
  await types('- Rue', 'Enter', 'Tab', 'herb', 'Enter', 'Shift+Tab', 'Fennel', 'Enter', 'Enter', 'Said')
  await boxHas(page, '- Rue\n  - herb\n- Fennel\nSaid')
  await box(page).fill('')
  await types('9. Nine', 'Enter', 'Ten')
  await boxHas(page, '9. Nine\n10. Ten')
  await box(page).fill('')
  await types('- [x] Done', 'Enter', 'Open')
  await boxHas(page, '- [x] Done\n- [ ] Open')
  await box(page).fill('')
  await types('> To be', 'Enter', 'or not', 'Enter', 'Enter', 'Said')
  await boxHas(page, '> To be\n> or not\nSaid')
  // In code, and in the middle of a mark, Enter breaks the line and adds nothing.
  await box(page).fill('```\n- code')
  await box(page).press('End')
  await types('Enter', 'more')
  await boxHas(page, '```\n- code\nmore')
  // Elsewhere Tab leaves the field.
  await box(page).fill('Plain')
  await box(page).press('Tab')
  assert.notEqual(await page.evaluate('document.activeElement.id'), 'compose-text')
  // Where Enter sends, Shift+Enter continues.
  await page.getByRole('checkbox', { name: 'Press Enter to send' }).click()
  await box(page).fill('- Rue')
  await box(page).press('End')
  await types('Shift+Enter', 'Fennel')
  await boxHas(page, '- Rue\n- Fennel')
  await box(page).press('Enter')
  await page.locator('article[id] li').filter({ hasText: 'Fennel' }).waitFor()
})

/** Pastes what another program has copied. */
const pastes = (html: string, plain: string) => `(() => {
  const data = new DataTransfer()
  data.setData('text/html', ${JSON.stringify(html)})
  data.setData('text/plain', ${JSON.stringify(plain)})
  const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data })
  document.querySelector('#compose-text').dispatchEvent(event)
  return event.defaultPrevented
})()`

browserTest('pasted formatting becomes Markdown that shows the same', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'pasting')
  await isReady(page)
  await box(page).focus()
  const html = `<meta charset="utf-8"><h2>Herbs</h2><p>Some <b>bold</b>, <em>leaning</em> and <s>struck</s> words with snake_case,
    <a href="https://example.com/a">a link</a> and <code>code</code>.</p>
    <ul><li>Rue<ul><li>a herb</li></ul></li><li>Fennel</li></ul><ol start="3"><li>Three</li><li>Four</li></ol>
    <blockquote><p>To be</p></blockquote><pre><code class="language-js">let a = 1
let b = 2</code></pre>
    <table><thead><tr><th>Name</th><th>Use</th></tr></thead><tbody><tr><td>Rue</td><td>Grace</td></tr></tbody></table>
    <img src="https://example.com/cup.png" alt="A cup"><script>alert(1)</script>`
  assert.equal(await page.evaluate(pastes(html, 'Herbs')), true)
  const wanted = `## Herbs

Some **bold**, *leaning* and ~~struck~~ words with snake_case, [a link](https://example.com/a) and \`code\`.

- Rue
  - a herb
- Fennel

3. Three
4. Four

> To be

\`\`\`js
let a = 1
let b = 2
\`\`\`

| Name | Use |
| --- | --- |
| Rue | Grace |

[A cup](https://example.com/cup.png)`
  await boxHas(page, wanted)
  await box(page).press('Control+Enter')
  const sent = page.locator('article[id]').filter({ hasText: 'Herbs' })
  await sent.waitFor()
  for (const selector of [
    'h2',
    'strong',
    'em',
    'del',
    'a[href="https://example.com/a"]',
    'p code',
    'ul ul li',
    'ol[start="3"]',
    'blockquote',
    'pre',
    'td',
  ])
    assert.ok((await sent.locator(selector).count()) > 0, selector)

  // Code of an editor and text without formatting are pasted by the browser.
  const code = '<div style="font-family: monospace; white-space: pre;"><div><b>let</b> a</div></div>'
  assert.equal(await page.evaluate(pastes(code, 'let a')), false)
  assert.equal(await page.evaluate(pastes('<span>Words</span>', 'Words')), false)
  await box(page).fill('See this')
  await page.evaluate(`document.querySelector('#compose-text').setSelectionRange(4, 8)`)
  await page.evaluate(pastes('<a href="https://example.com">https://example.com</a>', 'https://example.com'))
  await boxHas(page, 'See [this](https://example.com)')
})

browserTest('creates polls and to-do lists from a form, and keeps what was entered', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'lunch')
  await isReady(page)
  await box(page).fill('Half a message')
  const opens = async (item: string) => {
    await page.getByRole('button', { name: 'Insert' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const dialog = page.getByRole('dialog')
  await opens('Poll…')
  await dialog.getByLabel('Question').fill('Where?')
  await dialog.getByLabel('Option 1', { exact: true }).fill('Inn')
  await page.keyboard.press('Escape')
  await opens('Poll…')
  assert.equal(await dialog.getByLabel('Question').inputValue(), 'Where?')
  await dialog.getByLabel('Option 2', { exact: true }).fill('Garden')
  await dialog.getByLabel('Option 2', { exact: true }).press('Enter')
  await page.keyboard.type('Nowhere')
  await dialog.getByRole('button', { name: 'Remove option 3' }).click()
  await dialog.getByRole('button', { name: 'Add option' }).click()
  await page.keyboard.type('Home')
  await dialog.getByRole('button', { name: 'Create poll' }).click()
  await dialog.waitFor({ state: 'detached' })
  const poll = page.getByRole('region', { name: 'Poll: Where?' })
  await poll.getByRole('button', { name: '0 votes for Home' }).waitFor()
  assert.equal(await poll.getByRole('button', { name: 'votes for' }).count(), 3)
  assert.equal(await box(page).inputValue(), 'Half a message')

  await opens('To-do list…')
  await dialog.getByLabel('Title').fill('Supper')
  await dialog.getByLabel('Task 1', { exact: true }).fill('Bread')
  server.fail('POST */messages', { status: 400, times: 1 })
  await dialog.getByRole('button', { name: 'Create list' }).click()
  await message(page, 'Supper').getByText('Not sent').waitFor()
  await message(page, 'Supper').getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('checkbox', { name: 'Bread' }).waitFor()
})

browserTest('a link to a file stands in the message field only where it is among words', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'between')
  await isReady(page)
  const chooser = page.locator('.compose input[type=file][multiple]')
  const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })
  await box(page).pressSequentially('First, the plan.')
  await chooser.setInputFiles(file('plan.txt'))
  await page.getByRole('button', { name: 'Remove plan.txt' }).waitFor()
  await box(page).pressSequentially(' More below.')
  assert.equal(await box(page).inputValue(), 'First, the plan. More below.')
  await box(page).press('Home')
  await chooser.setInputFiles(file('other.txt'))
  await page.getByRole('button', { name: 'Remove other.txt' }).waitFor()
  assert.match(await box(page).inputValue(), /^\[other\.txt\]\(\/user_uploads\/\S+\) First, the plan\. More below\.$/)
  await box(page).press('Control+Enter')
  const sent = page.locator('article[id]').filter({ hasText: 'More below.' })
  await sent.getByRole('link', { name: 'plan.txt' }).waitFor()
  assert.match(await sent.locator('.content').innerText(), /^other\.txt First, the plan\. More below\.\s+plan\.txt$/)
})

browserTest('shows files in the composer with pictures and progress, and removes them', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'files')
  await isReady(page)
  const image = png({ width: 40, height: 30 })
  const chooser = page.locator('.compose input[type=file][multiple]')
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => (release = resolve))
  const holds = (route: Route) => isReleased.then(() => route.continue())
  await page.route('**/json/user_uploads', holds, { times: 1 })
  await chooser.setInputFiles({ name: 'slow.png', mimeType: 'image/png', buffer: Buffer.from(image) })
  const files = page.getByRole('list', { name: 'Attached files' })
  await files.getByRole('progressbar', { name: 'Uploading slow.png' }).waitFor()
  await until(page, `document.querySelector('.attachments img')?.naturalWidth === 40`)
  release()
  await files.getByRole('button', { name: 'Remove slow.png' }).waitFor()
  await chooser.setInputFiles([
    { name: 'cup.png', mimeType: 'image/png', buffer: Buffer.from(image) },
    { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') },
  ])
  await files.getByRole('button', { name: 'Remove plan.txt' }).waitFor()
  await files.getByRole('button', { name: 'Remove cup.png' }).waitFor()
  assert.equal(await files.getByRole('listitem').count(), 3)
  await files.getByRole('button', { name: 'Remove slow.png' }).click()
  assert.equal(await files.getByRole('listitem').count(), 2)
  // Another page has the pictures of the files themselves.
  await page.reload()
  await files.getByRole('button', { name: 'Remove cup.png' }).waitFor()
  await until(page, `document.querySelector('.attachments img')?.naturalWidth === 40`)
  await box(page).press('Control+Enter')
  await page.locator('article[id]').getByRole('link', { name: 'plan.txt' }).waitFor()
  await files.waitFor({ state: 'detached' })
})
