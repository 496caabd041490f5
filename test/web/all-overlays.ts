import type { Page } from 'playwright-core'
import type { TestServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { jsonLines } from '../import/archives.ts'
import { message, openTopic, writes } from './gestures.ts'

/** Opens something over a view, as the owner Iago. */
type Opens = (page: Page, server: TestServer) => Promise<unknown>

const dialog = (page: Page) => page.getByRole('dialog')

/** Opens a topic first. */
const inTopic =
  (then: (page: Page) => Promise<unknown>): Opens =>
  async (page, server) => {
    await openTopic(page, server, 'general', 'books')
    await message(page, 'Own words').waitFor()
    await then(page)
  }

const inserted = (item: string): Opens =>
  inTopic(async (page) => {
    await page.getByRole('button', { name: 'Insert' }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await dialog(page).waitFor()
  })

const ofMessage = (text: string, item: string): Opens =>
  inTopic(async (page) => {
    await message(page, text).click()
    await message(page, text).getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await dialog(page).waitFor()
  })

/** Dialogs, menus and popovers of conversations. Escape closes each of them. */
export const overlays: Readonly<Record<string, Opens>> = {
  'what can be inserted': inTopic(async (page) => {
    await page.getByRole('button', { name: 'Insert' }).click()
    await page.getByRole('menuitem', { name: 'Poll…' }).waitFor()
  }),
  'the form of a poll': inserted('Poll…'),
  'the form of a to-do list': inserted('To-do list…'),
  snippets: inserted('Saved snippet…'),
  'a new snippet': async (page, server) => {
    await inserted('Saved snippet…')(page, server)
    await dialog(page).getByRole('button', { name: 'New snippet' }).click()
    await page.getByRole('dialog', { name: 'New snippet' }).waitFor()
  },
  GIFs: async (page, server) => {
    await page.route(/^https:/, (route) => route.abort())
    await inserted('GIF…')(page, server)
    await dialog(page).getByText("Couldn't reach GIPHY").waitFor()
  },
  'a voice message': inserted('Voice message…'),
  'the time to send': inTopic(async (page) => {
    await writes(page, 'Good morning')
    await page.getByRole('button', { name: 'Send later' }).click()
    await dialog(page).waitFor()
  }),
  'a reminder': ofMessage('Words of another', 'Remind me…'),
  'a report': ofMessage('Words of another', 'Report…'),
  'the history of edits': ofMessage('Own words', 'Edit history…'),
  'a message menu': inTopic(async (page) => {
    await message(page, 'Words of another').click()
    await message(page, 'Words of another').getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Remind me…' }).waitFor()
  }),
  'who reacted': inTopic(async (page) => {
    await page.getByRole('button', { name: /^octopus: / }).dispatchEvent('contextmenu')
    await dialog(page).waitFor()
  }),
  'a day to jump to': inTopic(async (page) => {
    await page.getByRole('button', { name: 'Conversation actions' }).click()
    await page.getByRole('menuitem', { name: 'Jump to date…' }).click()
    await dialog(page).waitFor()
  }),
  'a profile': inTopic(async (page) => {
    await message(page, 'Words of another').getByRole('button', { name: 'cordelia', exact: true }).click()
    await dialog(page).waitFor()
  }),
  moderation: async (page, server) => {
    await overlays['a profile']!(page, server)
    await page.getByRole('button', { name: 'Moderate…' }).click()
    await page.getByRole('checkbox', { name: /^Silence/ }).check()
  },
  'quoted messages': inTopic(async (page) => {
    await message(page, 'Words of another').click()
    await message(page, 'Words of another').getByRole('button', { name: 'Quote and reply' }).click()
    await page.getByRole('list', { name: 'Quoted messages' }).waitFor()
  }),
  'a channel to choose': async (page) => {
    await page.goto('/#narrow')
    await page.getByRole('button', { name: /^Message a channel/ }).click()
    await dialog(page).getByRole('option').first().waitFor()
  },
  'people to choose': async (page) => {
    await page.goto('/#narrow')
    await page.getByRole('button', { name: /^Message people/ }).click()
    await page.getByRole('combobox', { name: 'Recipients' }).waitFor()
  },
  'a picture to crop': async (page) => {
    await page.goto('/#settings/profile')
    const picture = { name: 'me.png', mimeType: 'image/png', buffer: onePixel }
    await page.getByLabel('Picture').setInputFiles(picture)
    await dialog(page).waitFor()
  },
  'an authenticator app': async (page, { people }) => {
    await page.goto('/#settings/account')
    const form = page.locator('form', { has: page.getByRole('button', { name: 'Set up an authenticator app' }) })
    await form.getByLabel('password').fill(people.iago.password)
    await form.getByRole('button').click()
    await page.getByRole('img', { name: 'QR code' }).waitFor()
  },
  'the import of a file': async (page) => {
    await page.goto('/#settings/imports')
    const file = { name: 'old.jsonl', mimeType: 'application/octet-stream', buffer: oneMessage }
    await page.getByLabel('Export from the other server').setInputFiles(file)
    await page.getByRole('heading', { name: 'What importing old.jsonl would do' }).waitFor()
  },
}

/** Closes whatever is open over the view. The next overlay opens in the same page, which loads only once. */
export const closeOverlays = (page: Page): Promise<void> =>
  eventually('nothing is open over the view', async () => {
    const isClosed = await page.evaluate(
      `document.querySelector('dialog[open], [role=menu], [popover]:popover-open') === null`,
    )
    if (!isClosed) await page.keyboard.press('Escape')
    return isClosed
  })

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const oneMessage = Buffer.from(
  jsonLines(
    { type: 'user', id: 'u1', name: 'Ann', email: 'ann@example.org' },
    { type: 'channel', id: 'c1', name: 'kitchen' },
    { type: 'message', id: 'm1', user: 'u1', date: 1_700_000_000, channel: 'c1', topic: 'soup', content: 'hot' },
  ),
)

/** Messages, reactions, snippets and reports for the overlays. Needs a channel for reports, named so, and a key for GIFs. */
export async function fillConversation({ people, streamId }: TestServer): Promise<void> {
  const { iago, cordelia, hamlet } = people
  const other = await cordelia.says('Words of another', { topic: 'books' })
  for (const { api } of [hamlet, iago]) await api.post(`/messages/${other.id}/reactions`, { emoji_name: 'octopus' })
  const own = await iago.says('Words', { topic: 'books' })
  await iago.api.patch(`/messages/${own.id}`, { content: 'Own words' })
  await iago.api.post('/saved_snippets', { title: 'Goodbye', content: 'Adieu, adieu, adieu.' })
  await iago.api.patch('/realm', { moderation_request_channel_id: await streamId('reports') })
}
