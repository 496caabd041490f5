import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { message, sends } from '../test/web/gestures.ts'
import { box, conversation, type Step, there, topic } from './screenshots-steps.ts'

const at =
  (address: string): Step =>
  (page) =>
    page.goto(`/${address}`)

/** Chooses an entry of the menu of one of her messages. */
async function menuItem(page: Page, name: string): Promise<void> {
  const line = message(page, 'Which cup?')
  await line.click()
  await line.getByRole('button', { name: 'More actions' }).click()
  await line.getByRole('menuitem', { name }).click()
}
/** Presses a button of the page. */
const pressed =
  (address: string, name: string): Step =>
  async (page) => {
    await page.goto(`/${address}`)
    await page.getByRole('button', { name }).first().click()
  }

/** The views and their states, with the steps that lead to them. */
export const views: Readonly<Record<string, Step>> = {
  inbox: at('#inbox'),
  conversation: there((page) => page.evaluate(`document.querySelector('.feed').scrollTop = 1e6`)),
  stream: topic('engineering', '-engineering'),
  markup: topic('engineering', '/topic/markup'),
  widgets: topic('design', '/topic/lunch'),
  direct: (page, { people }) => page.goto(`/#narrow/dm/${people.beatrice.id}`),
  everything: at('#narrow'),
  'empty-direct': (page, { people }) => page.goto(`/#narrow/dm/${people.viola.id}`),
  notes: (page, { people }) => page.goto(`/#narrow/dm/${people.cordelia.id}`),
  beginning: topic('engineering', '/topic/markup'),
  'jump-to-date': there((page) => page.locator('.date-line button').last().click()),
  recent: at('#recent'),
  missed: at('#missed'),
  drafts: at('#drafts'),
  streams: at('#streams'),
  'stream-settings': at('#streams/1'),
  'stream-personal': at('#streams/1/personal'),
  'stream-members': at('#streams/1/members'),
  'stream-permissions': at('#streams/1/permissions'),
  people: at('#people'),
  search: at('#search'),
  scheduled: at('#scheduled'),
  suggestions: async (page) => {
    await page.goto('/#search')
    await page.getByRole('main').getByRole('combobox').pressSequentially('channel:design sender:')
  },
  'send-later': there(async (page) => {
    await box(page).fill('Good morning')
    await page.getByRole('button', { name: 'Send later' }).click()
  }),
  found: at('#narrow/search/logo'),
  nothing: at('#narrow/is/starred'),
  profile: at('#settings/profile'),
  display: at('#settings/display'),
  'setting-search': async (page) => {
    await page.goto('/#settings/display')
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('notifications')
  },
  crop: async (page) => {
    await page.goto('/#settings/profile')
    const picture = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#c97b4a' } })
      .composite([
        {
          input: Buffer.from('<svg width="600" height="400"><circle cx="300" cy="200" r="120" fill="#35507a"/></svg>'),
        },
      ])
      .png()
      .toBuffer()
    await page.getByLabel('Picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
    await page.getByRole('dialog').waitFor()
  },
  organization: at('#settings/organization'),
  messages: at('#settings/messages'),
  accounts: at('#settings/accounts'),
  permissions: at('#settings/permissions'),
  users: at('#settings/users'),
  emoji: at('#settings/emoji'),
  sessions: at('#settings/sessions'),
  account: at('#settings/account'),
  writing: at('#settings/writing'),
  notifications: at('#settings/notifications'),
  words: at('#settings/words'),
  muted: at('#settings/muted'),
  bots: async (page) => {
    await page.goto('/#settings/bots')
    await page.getByRole('button', { name: 'Edit GitHub' }).click()
  },
  apps: at('#settings/apps'),
  groups: at('#settings/groups'),
  group: async (page, { people }) => {
    const { user_groups } = await people.cordelia.api.get('/user_groups')
    const group = user_groups.find(({ name }: { name: string }) => name === 'designers')
    await page.goto(`/#settings/groups/${group.id}`)
  },
  invitations: at('#settings/invitations'),
  invite: async (page) => {
    await page.goto('/#settings/invitations')
    await page.getByRole('button', { name: 'Invite people' }).click()
  },
  newcomers: at('#settings/newcomers'),
  folders: at('#settings/folders'),
  fields: at('#settings/fields'),
  linkifiers: at('#settings/linkifiers'),
  integrations: at('#settings/integrations'),
  'integration-preview': async (page) => {
    await page.goto('/#settings/integrations')
    await page.getByRole('button', { name: 'Edit builds' }).click()
    await page
      .getByLabel('Sample payload')
      .fill('{"title": "Build 7", "url": "https://ci.example.com/7", "status": "passed", "project": {"name": "web"}}')
    await page.getByRole('button', { name: 'Show preview' }).click()
    await page.locator('.template-preview').scrollIntoViewIfNeeded()
  },
  playgrounds: at('#settings/playgrounds'),
  domains: at('#settings/domains'),
  providers: at('#settings/providers'),
  exports: at('#settings/exports'),
  reports: at('#settings/reports'),
  audit: at('#settings/audit'),
  mail: at('#settings/mail'),
  imports: at('#settings/imports'),
  status: async (page) => {
    await page.goto('/#settings/profile')
    await page.getByRole('button', { name: 'Set a status' }).click()
    await page.getByRole('dialog').waitFor()
  },
  'not-joined': topic('wishes', '/topic/topic.201'),
  'conversation-menu': there((page) => page.getByRole('button', { name: 'Conversation actions' }).click()),
  move: there(async (page) => {
    await page.getByRole('button', { name: 'Conversation actions' }).click()
    await page.getByRole('menuitem', { name: 'Rename or move…' }).click()
  }),
  'message-actions': there((page) => message(page, 'Quieter it is').click()),
  'message-menu': there(async (page) => {
    await message(page, 'Quieter it is').click()
    await message(page, 'Quieter it is').getByRole('button', { name: 'More actions' }).click()
  }),
  'account-menu': async (page) => {
    await page.goto('/#inbox')
    if ((page.viewportSize()?.width ?? 0) < 700) await page.getByRole('button', { name: 'Channels' }).click()
    await page.locator('.left-sidebar').getByRole('button', { name: 'Cordelia Lear' }).first().click()
  },
  'profile-card': there((page) => message(page, 'The second, yes').getByRole('button', { name: 'Beatrice' }).click()),
  'emoji-picker': there((page) => page.getByRole('button', { name: 'Emoji', exact: true }).click()),
  lightbox: there((page) => page.locator('.message_inline_image a').first().click()),
  edit: there(async (page) => {
    await menuItem(page, 'Edit')
    return () => page.keyboard.press('Escape')
  }),
  delete: there((page) => menuItem(page, 'Delete…')),
  typeahead: there((page) => box(page).pressSequentially('What do you think, @be')),
  preview: there(async (page) => {
    await box(page).fill('**Two** of them:\n\n* a cup\n* a `page`')
    await page.getByRole('button', { name: 'Preview' }).click()
  }),
  failed: there(async (page, server) => {
    server.fail('POST */messages', { status: 403, times: 1 })
    await sends(page, 'Is anybody there?')
  }),
  'to-stream': pressed('#narrow', 'Message a channel'),
  'to-people': pressed('#narrow', 'Message people'),
  'new-stream': pressed('#streams', 'New channel'),
  'no-such-stream': at('#narrow/channel/999'),
  'list-drawer': async (page) => {
    await page.goto('/#inbox')
    const streams = page.getByRole('button', { name: 'Channels', exact: true })
    if (await streams.isVisible()) await streams.click()
  },
  'people-drawer': there(async (page) => {
    const people = page.getByRole('button', { name: 'People', exact: true }).locator('visible=true').first()
    if ((page.viewportSize()?.width ?? 0) > 1050) return undefined
    await people.click()
    return () => people.click()
  }),
  print: there(async (page) => {
    await page.emulateMedia({ media: 'print' })
    return () => page.emulateMedia({ media: null })
  }),
  'forced-colors': there(async (page) => {
    await page.emulateMedia({ forcedColors: 'active' })
    return () => page.emulateMedia({ forcedColors: null })
  }),
  'from-the-right': async (page, server) => {
    const write = (default_language: unknown) => server.people.cordelia.api.patch('/settings', { default_language })
    const before = await page.evaluate('document.documentElement.lang')
    await write('ar')
    await conversation(page, server)
    return async () => {
      await write(before)
      await page.locator(`html[lang="${before}"] .shell`).waitFor()
    }
  },
  help: async (page) => {
    await page.goto('/#inbox')
    await page.locator('#main-view').focus()
    await page.keyboard.press('?')
  },
  formatting: async (page) => {
    await page.goto('/#inbox')
    await page.locator('#main-view').focus()
    await page.keyboard.press('?')
    await page.getByRole('tab', { name: 'Formatting' }).click()
    await page.locator('.formatting-help .katex').first().waitFor()
  },
  'palette-opened': async (page) => {
    await page.goto('/#inbox')
    await page.keyboard.press('Control+k')
    await page.locator('.palette').waitFor()
  },
  jump: async (page) => {
    await page.goto('/#inbox')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('de')
  },
}

/** Views for people without an account. */
export const viewsWithoutAccount: Readonly<Record<string, Step>> = {
  'without-account': at(''),
  'without-account-streams': at('#streams'),
  'without-account-conversation': topic('engineering', '/topic/markup'),
  'without-account-search': at('#search'),
}
