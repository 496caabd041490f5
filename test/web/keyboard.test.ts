import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { png } from '../files/images.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, sends, settles, until, visitRead, writes } from './gestures.ts'

/** The name of what has the focus right after a click or a key, before anything else can happen. */
const focusAfter = (page: Page, gesture: string) =>
  page.evaluate(
    `(async () => { ${gesture}; for (let i = 0; i < 50; i++) await null; return document.activeElement.getAttribute('aria-label') ?? document.activeElement.id })()`,
  )
const click = (selector: string) => `document.querySelector('${selector}').click()`
const key = (init: object) =>
  `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...${JSON.stringify(init)} }))`
const focused = 'document.activeElement.id'

browserTest('typing immediately after something opens goes into it', async (t) => {
  await using server = await testServer({ web: true })
  await server.hamlet.says('Words', { topic: 'books' })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'books')
  await message(page, 'Words').waitFor()
  await page.getByRole('button', { name: 'Emoji' }).waitFor()
  assert.equal(await focusAfter(page, click('[aria-label=Emoji]')), 'Search emoji')
  await page.keyboard.press('Escape')
  // The palette is loaded when it is first opened.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search everything' }).waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await focusAfter(page, key({ key: 'k', ctrlKey: true })), 'Search everything')
  await page.keyboard.press('Escape')
  await page.locator('#main-view').focus()
  assert.equal(await focusAfter(page, key({ key: 'c' })), 'Message')
  await page.keyboard.press('Escape')
  // The event of a dialog that the browser closed comes late: by then a key may have led the focus elsewhere.
  const thenAtOnce = async (gesture: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Go to' }).waitFor()
    await page.evaluate(
      `(async () => {
        const dialog = document.querySelector('dialog')
        const closed = new Promise((resolve) => dialog.addEventListener('close', resolve))
        dialog.close()
        ${gesture}
        await closed
      })()`,
    )
  }
  await thenAtOnce(`document.querySelector('#search-box').focus()`)
  await until(page, `document.querySelector('dialog') === null`)
  assert.equal(await page.evaluate(focused), 'search-box')
  // Or another one opened, which stays.
  await page.locator('#main-view').focus()
  await thenAtOnce(click('[aria-label=Emoji]'))
  await until(page, `document.querySelector('dialog:modal')?.contains(document.activeElement)`)
  await page.keyboard.press('Escape')
  await until(page, `document.querySelector('dialog') === null`)
  await page.locator('#main-view').focus()
  // A request of before does not take the focus in another view.
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.getByRole('heading', { name: 'All messages' }).waitFor()
  await message(page, 'Words').waitFor()
  assert.equal(await page.evaluate(focused), 'main-view')
})

browserTest('every key listed in the help works', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { hamlet, cordelia, iago } = server.people
  await iago.says('Elsewhere', { topic: 'news' })
  await cordelia.says('One', { topic: 'keys' })
  await hamlet.says('Two', { topic: 'keys' })
  const { url } = await hamlet.api.upload('/user_uploads', png(), 'tree.png')
  await hamlet.says(`[tree](${url})`, { topic: 'pictures' })
  await hamlet.api.post('/mark_all_as_read')
  const { id } = await cordelia.says('A word, Hamlet', { people: [hamlet] })
  const page = await visit(t, server.url, hamlet)
  const press = async (...all: string[]) => {
    for (const one of all) await page.keyboard.press(one)
  }
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
  const dialog = async (name: string) => {
    await page.getByRole('dialog', { name }).waitFor()
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const box = page.getByRole('textbox', { name: 'Message', exact: true })
  const boxHas = (text: string) =>
    until(page, `document.querySelector('#compose-text')?.value.includes(${JSON.stringify(text)})`)
  const boxIsFocused = () => until(page, `${focused} === 'compose-text'`)
  const leaveBox = async () => {
    await boxIsFocused()
    await box.fill('')
    await press('Escape')
    assert.equal(await page.evaluate(focused), 'main-view')
  }
  const flagsOf = async (one: number) => (await hamlet.api.get(`/messages/${one}`)).message.flags
  const selectedIs = (text: string) => page.locator('article.selected').filter({ hasText: text }).waitFor()
  const inTopic = async () => {
    await page.goto('/#drafts')
    await heading('Drafts')
    await openTopic(page, server, 'general', 'keys')
    await message(page, 'Two').waitFor()
    await page.locator('#main-view').focus()
  }
  const onOne = async () => {
    await inTopic()
    await message(page, 'One').click()
  }
  const checks: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
    'j|↓': async (key) => {
      await onOne()
      await press(key)
      await selectedIs('Two')
    },
    'k|↑': async (key) => {
      await inTopic()
      await press(key, key)
      await selectedIs('One')
    },
    n: async () => {
      await press('n')
      await heading('cordelia')
    },
    p: async () => {
      await hamlet.api.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' })
      await until(page, `document.querySelector('.places .count') !== null`)
      await inTopic()
      await press('p')
      await heading('cordelia')
    },
    s: async () => {
      await page.goto('/#narrow')
      await message(page, 'Two').click()
      await press('s')
      await heading('keys')
    },
    S: async () => {
      await onOne()
      await press('S')
      await heading('general')
    },
    End: async () => {
      await inTopic()
      await press('End')
    },
    U: async () => {
      await onOne()
      await press('U')
      await page.locator('article[data-unread]').first().waitFor()
    },
    A: async () => {
      await press('A')
      await until(page, `document.querySelector('article[data-unread]') === null`)
    },
    M: async () => {
      await inTopic()
      await press('M')
      await page.getByText('Muted keys.', { exact: true }).waitFor()
      await press('M')
      await page.getByText('Unmuted keys.', { exact: true }).waitFor()
    },
    v: async () => {
      await openTopic(page, server, 'general', 'pictures')
      await page.locator('.message_inline_image').waitFor()
      await page.locator('#main-view').focus()
      await press('v')
      await page.locator('dialog.lightbox').waitFor()
      await press('Escape')
    },
    u: async () => {
      await onOne()
      await press('u')
      await dialog('cordelia')
    },
    H: async () => {
      await onOne()
      await press('H')
      await page.getByText("This message hasn't been edited.").waitFor()
    },
    c: async () => {
      await inTopic()
      await press('c')
      await leaveBox()
    },
    'r|Enter': async (key) => {
      await onOne()
      await press(key)
      await leaveBox()
    },
    R: async () => {
      await onOne()
      await press('R')
      await page.getByRole('button', { name: 'Remove cordelia' }).waitFor()
      await leaveBox()
    },
    '>': async () => {
      await onOne()
      await press('>')
      const quotes = page.getByRole('list', { name: 'Quoted messages' })
      await quotes.waitFor()
      await boxIsFocused()
      await press('Backspace')
      await quotes.waitFor({ state: 'detached' })
      await leaveBox()
    },
    '@': async () => {
      await onOne()
      await press('@')
      await boxHas(`@**cordelia|${cordelia.id}** `)
      await leaveBox()
    },
    x: async () => {
      await inTopic()
      await press('x')
      await until(page, `document.activeElement.getAttribute('aria-label') === 'Recipients'`)
      await press('Escape')
      assert.equal(await page.evaluate(focused), 'main-view')
    },
    e: async () => {
      await inTopic()
      await message(page, 'Two').click()
      await press('e')
      await page.getByRole('textbox', { name: 'Edit message' }).waitFor()
      await press('Escape')
      await selectedIs('Two')
    },
    m: async () => {
      await onOne()
      await press('m')
      await dialog('Move')
    },
    i: async () => {
      await onOne()
      await press('i')
      await page.getByRole('menu', { name: 'More actions' }).waitFor()
      // Letters walk the menu, and do nothing else.
      await press('c')
      await until(page, `document.activeElement.textContent === 'Copy link'`)
      await press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      await until(page, `document.activeElement.getAttribute('aria-label') === 'More actions'`)
    },
    '+': async () => {
      await onOne()
      await press('+')
      await dialog('Add reaction')
    },
    '=': async () => {
      await onOne()
      await press('=')
      await message(page, 'One').getByRole('button', { name: '+1: You' }).waitFor()
    },
    '*': async () => {
      await onOne()
      await press('*')
      await message(page, 'One').locator('.starred').waitFor()
      const ids = (await hamlet.api.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0 })).messages
      assert.ok(
        (await flagsOf(ids.find(({ content }: { content: string }) => content.includes('One')).id)).includes('starred'),
      )
    },
    'Ctrl+Enter': async () => {
      await inTopic()
      await sends(page, 'Three')
      await page.locator('article[id]').filter({ hasText: 'Three' }).waitFor()
    },
    '↑': async () => {
      await inTopic()
      await box.press('ArrowUp')
      await page.getByRole('textbox', { name: 'Edit message' }).press('Escape')
    },
    'Ctrl+B': async () => {
      await inTopic()
      await writes(page, '')
      await press('Control+b')
      await boxHas('****')
    },
    'Ctrl+I': async () => {
      await writes(page, '')
      await press('Control+i')
      await boxHas('**')
      await leaveBox()
    },
    'Ctrl+.': async () => {
      await onOne()
      await press('R')
      await page.getByRole('button', { name: 'Remove cordelia' }).waitFor()
      await writes(page, 'Begun')
      await press('Control+.')
      await heading('cordelia')
      await boxHas('Begun')
      await box.fill('')
    },
    Esc: async () => {
      await box.press('Escape')
      assert.equal(await page.evaluate(focused), 'main-view')
    },
    'Ctrl+K': async () => {
      await press('Control+k')
      await dialog('Go to')
    },
    '/': async () => {
      await press('/')
      await until(page, `${focused} === 'search-box'`)
      await press('Escape', 'Escape')
      await page.locator('#main-view').focus()
    },
    'g i|I': async (key) => {
      await press(...key.split(' '))
      await heading('Inbox')
    },
    'g r|t': async (key) => {
      await press(...key.split(' '))
      await heading('Recent conversations')
    },
    'g s': async () => {
      await press('g', 's')
      await heading('Starred messages')
    },
    'g m': async () => {
      await press('g', 'm')
      await heading('Mentions')
    },
    'g d|d': async (key) => {
      await press(...key.split(' '))
      await heading('Drafts')
    },
    'g a|a': async (key) => {
      await press(...key.split(' '))
      await heading('All messages')
    },
    P: async () => {
      await press('P')
      await heading('Direct messages')
    },
    w: async () => {
      await press('w')
      await page.getByRole('complementary', { name: 'People' }).waitFor({ state: 'detached' })
      await press('w')
      await page.getByRole('complementary', { name: 'People' }).waitFor()
    },
    '[': async () => {
      await press('[')
      await page.getByRole('button', { name: 'Show sidebar' }).waitFor()
      await press('[')
      await page.getByRole('navigation', { name: 'Conversations' }).waitFor()
    },
    '?': async () => {
      await press('?')
      await dialog('Help')
    },
  }
  await page.locator('#main-view').focus()
  await press('?')
  await page.getByRole('dialog').waitFor()
  const named = (await page.evaluate(
    `[...document.querySelectorAll('dialog dt')].map((one) => [...one.querySelectorAll('kbd')].map((kbd) => kbd.textContent).join('|'))`,
  )) as string[]
  await press('Escape')
  assert.deepEqual([...new Set(named)].sort(), Object.keys(checks).sort())
  for (const [keys, check] of Object.entries(checks)) {
    for (const one of keys.split('|')) {
      const name = ({ '↓': 'ArrowDown', '↑': 'ArrowUp' } as Record<string, string>)[one] ?? one
      await t.test(one, async () => void (await check(name)))
    }
  }
})

browserTest("closing a dialog by button returns the focus, and Ctrl+K doesn't close one", async (t) => {
  await using server = await testServer({ web: true })
  const { iago } = server.people
  await iago.says('Words', { topic: 'books' })
  const page = await visit(t, server.url, iago)
  await openTopic(page, server, 'general', 'books')
  const press = async (...all: string[]) => {
    for (const one of all) await page.keyboard.press(one)
  }
  const hasFocus = () => page.evaluate(`document.activeElement.getAttribute('aria-label') ?? document.activeElement.id`)
  const isLeft = () => page.getByRole('dialog').waitFor({ state: 'detached' })
  const article = message(page, 'Words')
  await settles(page, server)
  await article.click()
  await page.locator('#main-view').focus()
  await press('k')
  const label = await article.getAttribute('aria-label')
  assert.equal(await hasFocus(), label)
  await press('u')
  await page.getByRole('dialog', { name: 'iago' }).waitFor()
  await press('Tab')
  assert.equal(await hasFocus(), 'Close')
  // What may be written in a dialog stays.
  await press('Control+k')
  await press('Enter')
  await isLeft()
  assert.equal(await hasFocus(), label)
  // A question, which is answered and asked again.
  for (const answer of ['Cancel', 'Delete']) {
    await press('i')
    await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: answer }).press('Enter')
    await isLeft()
    if (answer === 'Cancel') assert.equal(await hasFocus(), 'More actions')
  }
  await article.waitFor({ state: 'detached' })
  await until(page, `${focused} === 'main-view'`)
})

browserTest('repeated keys and clicks toggle actions', async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { hamlet, cordelia } = server.people
  const { id } = await cordelia.says('Words', { topic: 'books' })
  await cordelia.says('/poll Where\nHere', { topic: 'books' })
  const page = await visitRead(t, server, 'general', 'books')
  await message(page, 'Words').click()
  const twice = async (name: string) => {
    await page.evaluate(`${key({ key: name })}; ${key({ key: name })}`)
    await settles(page, server)
  }
  await twice('=')
  await twice('*')
  await twice('M')
  await page.getByText('Muted books.', { exact: true }).waitFor()
  await page.getByText('Unmuted books.', { exact: true }).waitFor()
  const vote = `[...document.querySelectorAll('.poll button')].find((one) => one.ariaLabel?.includes('Here'))`
  await page.evaluate(`${vote}.click(); ${vote}.click()`)
  await settles(page, server)
  assert.equal(await page.evaluate(`${vote}.getAttribute('aria-pressed')`), 'false')
  assert.equal(await page.getByRole('alert').filter({ hasText: /./ }).count(), 0)
  const { flags, reactions } = (await hamlet.api.get(`/messages/${id}`)).message
  assert.deepEqual({ flags, reactions }, { flags: ['read'], reactions: [] })
})

browserTest(
  "focus moves to a removed message's neighbor, other layouts share keys, and views have titles",
  async (t) => {
    await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
    const { iago, cordelia } = server.people
    for (const text of ['First', 'Second', 'Third']) await iago.says(text, { topic: 'players' })
    await iago.api.post('/mark_all_as_read')
    const page = await visit(t, server.url, iago)
    await openTopic(page, server, 'general', 'players')
    await message(page, 'Second').click()
    const { realm_name } = await iago.api.get('/server_settings')
    await until(page, `document.title === 'players › general · ${realm_name}'`)
    await page.keyboard.press('i')
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await message(page, 'Second').waitFor({ state: 'detached' })
    await page.locator('article.selected').filter({ hasText: 'Third' }).waitFor()
    assert.match(String(await page.evaluate('document.activeElement.innerText')), /Third/)
    // Another view is no message's any more, and what had the focus has left it to the view.
    await page.evaluate(key({ key: 'ш', code: 'KeyI', shiftKey: true }))
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await until(page, `${focused} === 'main-view'`)
    await until(page, `document.title.startsWith('Inbox · ')`)
    await page.keyboard.press('*')
    await page.evaluate(key({ key: 'п', code: 'KeyG' }))
    await page.evaluate(key({ key: 'ы', code: 'KeyS' }))
    await page.locator('.feed .nothing').waitFor()
    assert.equal(await page.locator('article[id]').count(), 0)
    await page.evaluate(key({ key: 'л', code: 'KeyK', ctrlKey: true }))
    await page.getByRole('dialog', { name: 'Go to' }).waitFor()
    await page.keyboard.press('Escape')
    // Of a list, the first key goes to the first row.
    await cordelia.says('Anything', { people: [iago] })
    await page.goto('/#inbox')
    await page.locator('main a.walked').first().waitFor()
    await page.locator('#main-view').focus()
    await page.keyboard.press('j')
    await until(page, `document.activeElement.matches('a.walked')`)
  },
)
