import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { type Size, sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { boxHas, message, openTopic, sends, until, writes } from './gestures.ts'

const cards = (page: Page) => page.getByRole('list', { name: 'Quoted messages' }).getByRole('listitem')

async function quotes(page: Page, text: string): Promise<void> {
  await message(page, text).click({ position: { x: 8, y: 8 } })
  await message(page, text).getByRole('button', { name: 'Quote and reply' }).click()
  await cards(page).first().waitFor()
}

const repliesWithCard = (size: Size) => async (t: Parameters<Parameters<typeof browserTest>[1]>[0]) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { cordelia } = server
  await cordelia.says('Nothing, *my lord*. [Proof](https://example.com)', { topic: 'love' })
  for (let i = 0; i < 40; i++) await cordelia.says(`Line ${i}\n\nand more`, { topic: 'love' })
  await server.hamlet.api.post('/mark_all_as_read')
  const page = await visit(t, server.url, server.hamlet, { size })
  await openTopic(page, server, 'general', 'love')
  await message(page, 'Line 39').waitFor()
  await page.evaluate(`document.querySelector('.feed').scrollTop = 0`)
  await message(page, 'my lord').waitFor()
  await quotes(page, 'my lord')
  // The card shows the author and the first words. The message field is for the reply.
  await cards(page).getByText('Nothing, my lord. Proof', { exact: true }).waitFor()
  assert.match(await cards(page).innerText(), /^cordelia\s+Go to message/)
  await boxHas(page, '')
  // The draft has both, on every device.
  await writes(page, 'Nothing will come of nothing')
  await until(page, `document.querySelector('[href="#drafts"] .count')?.textContent.includes('1') ?? true`)
  await page.reload()
  await cards(page).getByText('Nothing, my lord. Proof', { exact: true }).waitFor()
  await boxHas(page, 'Nothing will come of nothing')
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
  const sent = page.locator('article[id]').filter({ hasText: 'Nothing will come' })
  await sent.locator('.quote-card').getByText('Go to message').waitFor()
  await cards(page).waitFor({ state: 'detached' })
  assert.match(await sent.locator('.quote-card').innerText(), /^@?cordelia\s+Go to message\s+Nothing, my lord\. Proof$/)
  // Other clients read plain Markdown.
  const { messages } = await server.hamlet.api.get('/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
  })
  assert.match(
    messages[0].content,
    /^@_\*\*cordelia\|\d+\*\* \[said\]\(\S+\/near\/\d+\):\n```quote\nNothing, \*my lord\*\. \[Proof\]\(https:\/\/example\.com\)\n```\nNothing will come of nothing$/,
  )
  // The link leads to the message, and again after reading elsewhere.
  const isInSight = `(() => {
    const { top, bottom } = [...document.querySelectorAll('article')].find((one) => one.innerText.includes('my lord. Proof') && !one.querySelector('.quote-card'))?.getBoundingClientRect() ?? {}
    return top >= 0 && bottom <= innerHeight
  })()`
  for (let i = 0; i < 2; i++) {
    await sent.getByRole('link', { name: 'Go to message' }).click()
    await until(page, isInSight)
    await page.getByRole('button', { name: 'Jump to latest' }).click()
    await until(page, `!(${isInSight})`)
    await sent.waitFor()
  }
}

browserTest('a reply shows a card of the quoted message in the composer and in the feed', repliesWithCard(sizes.wide))
browserTest('a reply shows a card of the quoted message on a phone', repliesWithCard(sizes.phone))

browserTest('quotes are removed one by one and edited as text', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  await server.cordelia.says('First', { topic: 'love' })
  await server.iago.says('Second', { topic: 'love' })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'love')
  await quotes(page, 'First')
  await writes(page, 'Reply')
  await quotes(page, 'Second')
  await cards(page).nth(1).waitFor()
  assert.deepEqual(await cards(page).locator('.name').allInnerTexts(), ['iago', 'cordelia'])
  await boxHas(page, 'Reply')
  await page.getByRole('button', { name: 'Remove the quote from iago' }).click()
  await until(page, `document.querySelectorAll('.quotes li').length === 1`)
  await boxHas(page, 'Reply')
  // Backspace before the text removes what is before it.
  await page.getByRole('textbox', { name: 'Message' }).press('Home')
  await page.getByRole('textbox', { name: 'Message' }).press('Backspace')
  await cards(page).waitFor({ state: 'detached' })
  await boxHas(page, 'Reply')

  await quotes(page, 'Second')
  await page.getByRole('button', { name: 'Edit quotes as text' }).click()
  await until(page, `document.querySelector('#compose-text').value.includes('\`\`\`quote\\nSecond\\n\`\`\`')`)
  assert.equal(await cards(page).count(), 0)
})

browserTest('long quotes and long code fold, and their buttons show the rest', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const lines = (word: string, count: number) => Array.from({ length: count }, (_, i) => `${word} ${i + 1}`).join('\n')
  await server.cordelia.says(`\`\`\`\n${lines('let', 60)}\n\`\`\``, { topic: 'code' })
  await server.cordelia.says(`\`\`\`\n${lines('short', 12)}\n\`\`\``, { topic: 'code' })
  for (const size of [sizes.wide, sizes.phone]) {
    const page = await visit(t, server.url, server.hamlet, { size })
    await openTopic(page, server, 'general', 'code')
    const code = message(page, 'let 60')
    const height = async () => (await code.boundingBox())!.height
    const more = code.getByRole('button', { name: 'Show more' })
    await more.waitFor()
    // One button: the message itself doesn't fold for its code.
    assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 1)
    const folded = await height()
    assert.ok(folded < 450, `${folded} pixels`)
    await more.click()
    await code.getByRole('button', { name: 'Show less' }).waitFor()
    assert.ok((await height()) > folded + 300)
    await code.getByRole('button', { name: 'Show less' }).click()
    await more.waitFor()
    assert.equal(await height(), folded)
  }
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'words')
  await sends(
    page,
    `@_**cordelia|${server.cordelia.id}** [said](#narrow/channel/1/topic/code/near/1):\n\`\`\`quote\n${lines('word', 30)}\n\`\`\`\nSo`,
  )
  const quote = page.locator('article[id] .quote-card')
  await quote.getByRole('button', { name: 'Show more' }).click()
  await quote.getByRole('button', { name: 'Show less' }).waitFor()
  await until(page, `document.querySelector('article[id] blockquote').clientHeight > 300`)
})
