// Screenshots of every view of the web client, in both themes and three widths: `npx tsx scripts/screenshots.ts [folder]
// [part of a name]`. Somebody looks at them. Into docs/screenshots go those that documents show, with fewer colours.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { type TestServer, testServer } from '../src/testing/index.ts'
import { clientBuilt, closeBrowser, newPage, problemsOf, signIn, sizes } from '../test/web/browser.ts'
import { pagesByLink, type SeedName, seed, seedSettings } from './screenshots-seed.ts'

const [folder = 'screenshots', wanted = ''] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })

/** Those that documents show, by the names that they have there. */
const documents: Readonly<Record<string, string>> = {
  'conversation-wide-light': 'conversation.png',
  'conversation-phone-dark': 'phone.png',
  'inbox-middle-light': 'inbox.png',
  'markup-wide-dark': 'markup.png',
  'set-up-phone-light': 'set-up.png',
  'permissions-wide-light': 'permissions.png',
  'group-wide-dark': 'group.png',
  'bots-middle-light': 'bots.png',
}
const isForDocuments = resolve(folder) === resolve('docs/screenshots')

type Step = (page: Page, server: TestServer<SeedName>) => Promise<unknown>
const topic =
  (stream: string, rest: string): Step =>
  async (page, { people }) => {
    const { stream_id } = await people.cordelia.api.get('/get_stream_id', { stream })
    return page.goto(`/#narrow/channel/${stream_id}${rest}`)
  }
const at =
  (address: string): Step =>
  (page) =>
    page.goto(`/${address}`)

/** The views, and what is done to see them. */
const views: Readonly<Record<string, Step>> = {
  inbox: at('#inbox'),
  conversation: topic('design', '/topic/new.20logo'),
  stream: topic('engineering', '-engineering'),
  markup: topic('engineering', '/topic/markup'),
  widgets: topic('design', '/topic/lunch'),
  direct: (page, { people }) => page.goto(`/#narrow/dm/${people.beatrice.id}`),
  everything: at('#narrow'),
  recent: at('#recent'),
  drafts: at('#drafts'),
  streams: at('#streams'),
  'stream-settings': at('#streams/1'),
  people: at('#people'),
  search: at('#search'),
  scheduled: at('#scheduled'),
  suggestions: async (page) => {
    await page.goto('/#search')
    await page.getByRole('main').getByRole('combobox').pressSequentially('stream:design sender:')
  },
  'send-later': async (page, server) => {
    await topic('design', '/topic/new.20logo')(page, server)
    await page.getByRole('textbox', { name: 'Message' }).fill('Good morning')
    await page.getByRole('button', { name: 'Send later' }).click()
  },
  found: at('#narrow/search/logo'),
  nothing: at('#narrow/is/starred'),
  profile: at('#settings/profile'),
  display: at('#settings/display'),
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
    await page.getByRole('button', { name: 'Change GitHub' }).click()
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
  fields: at('#settings/fields'),
  linkifiers: at('#settings/linkifiers'),
  playgrounds: at('#settings/playgrounds'),
  domains: at('#settings/domains'),
  exports: at('#settings/exports'),
  status: async (page) => {
    await page.goto('/#settings/profile')
    await page.getByRole('button', { name: 'Set your status' }).click()
    await page.getByRole('dialog').waitFor()
  },
  'not-joined': topic('wishes', '/topic/topic.201'),
  resolve: async (page, server) => {
    await topic('design', '/topic/new.20logo')(page, server)
    await page.getByRole('button', { name: 'What to do here' }).click()
  },
  move: async (page, server) => {
    await topic('design', '/topic/new.20logo')(page, server)
    await page.getByRole('button', { name: 'What to do here' }).click()
    await page.getByRole('menuitem', { name: 'Rename or move …' }).click()
  },
  'from-the-right': async (page, server) => {
    await server.people.cordelia.api.patch('/settings', { default_language: 'ar' })
    await topic('design', '/topic/new.20logo')(page, server)
    await page.waitForTimeout(300)
  },
  'as-before': async (page, { people }) => {
    await people.cordelia.api.patch('/settings', { default_language: 'en' })
    await page.goto('/#inbox')
  },
  help: async (page) => {
    await page.goto('/#inbox')
    await page.locator('#main-view').focus()
    await page.keyboard.press('?')
  },
  jump: async (page) => {
    await page.goto('/#inbox')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('de')
  },
}

await clientBuilt()
await using server = await testServer(seed)
await seedSettings(server)
for (const theme of ['light', 'dark'] as const) {
  for (const [width, size] of Object.entries(sizes)) {
    const page = await newPage(server.url, { size, theme })
    const shoot = async (name: string) => {
      const inDocs = documents[`${name}-${width}-${theme}`]
      // What is under the pointer looks different.
      await page.mouse.move(0, 0)
      const picture = await page.screenshot()
      if (!isForDocuments) writeFileSync(join(folder, `${name}-${width}-${theme}.png`), picture)
      else if (inDocs) await sharp(picture).png({ palette: true, effort: 10 }).toFile(join(folder, inDocs))
    }
    const isWanted = (name: string) =>
      name.includes(wanted) && (!isForDocuments || documents[`${name}-${width}-${theme}`] !== undefined)
    if (isWanted('sign-in')) {
      await page.goto('/')
      await page.waitForSelector('.sign-in')
      await page.waitForTimeout(200)
      await shoot('sign-in')
    }
    for (const [name, address] of Object.entries(await pagesByLink(server))) {
      if (!isWanted(name)) continue
      await page.goto(address)
      await shoot(name)
    }
    await signIn(page, server.people.cordelia)
    for (const [name, step] of Object.entries(views)) {
      if (!isWanted(name)) continue
      await step(page, server)
      await page.waitForTimeout(500)
      await shoot(name)
    }
    const problems = problemsOf.get(page)!
    if (problems.length > 0) console.error(`${width} ${theme}:\n  ${[...new Set(problems)].join('\n  ')}`)
    await page.context().close()
  }
}
await closeBrowser()
