import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { jsonLines } from '../test/import/archives.ts'
import { chooses, message, writes } from '../test/web/gestures.ts'
import { type Step, there, topic } from './screenshots-steps.ts'

const picture = (background: string) =>
  sharp({ create: { width: 400, height: 300, channels: 3, background } })
    .png()
    .toBuffer()

/** Attaches files to the message. */
async function attaches(page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  await page.locator('.compose input[type=file][multiple]').setInputFiles(files)
}

/** Opens what the composer can insert. */
const inserts = (item: string): Step =>
  there(async (page) => {
    await page.getByRole('button', { name: 'Insert' }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('dialog').waitFor()
  })

/** Opens a dialog of somebody's message. */
const ofMessage = (text: string, item: string): Step =>
  there(async (page) => {
    await message(page, text).click()
    await message(page, text).getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('dialog').waitFor()
  })

/** A microphone that records a tone. */
const tone = `navigator.mediaDevices.getUserMedia = async () => {
  const context = new AudioContext()
  const sound = context.createOscillator()
  const ear = context.createMediaStreamDestination()
  sound.connect(ear)
  sound.start()
  return ear.stream
}`

const now = 1_760_000_000
const archive = Buffer.from(
  jsonLines(
    { type: 'user', id: 'u1', name: 'Ann Page', email: 'ann@example.org' },
    { type: 'user', id: 'u2', name: 'Hamlet', email: 'hamlet@example.com' },
    { type: 'user', id: 'u3', name: 'Robin' },
    { type: 'channel', id: 'c1', name: 'kitchen' },
    { type: 'message', id: 'm1', user: 'u1', date: now, channel: 'c1', topic: 'soup', content: 'Is it ready?' },
    { type: 'message', id: 'm2', user: 'u3', date: now + 60, channel: 'c1', topic: 'soup', content: 'In an hour.' },
    { type: 'left_out', kind: 'canvas', reason: "it isn't supported", place: 'canvas 1' },
  ),
)

/** Dialogs, and what people attach and insert. */
export const dialogs: Readonly<Record<string, Step>> = {
  media: topic('design', '/topic/launch.20film'),
  'long-code': topic('engineering', '/topic/deploys'),
  'composer-files': there(async (page) => {
    await writes(page, 'The drawings for tomorrow:')
    await attaches(page, [
      { name: 'cup.png', mimeType: 'image/png', buffer: await picture('#c97b4a') },
      { name: 'poster with a rather long name.png', mimeType: 'image/png', buffer: await picture('#35507a') },
      { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') },
    ])
    const files = page.getByRole('list', { name: 'Attached files' })
    await files.getByRole('button', { name: 'Remove plan.txt' }).waitFor()
    await page.route('**/json/user_uploads', () => {}, { times: 1 })
    await attaches(page, [{ name: 'slow.png', mimeType: 'image/png', buffer: await picture('#557755') }])
    await files.getByRole('progressbar').waitFor()
    return async () => {
      await page.getByRole('button', { name: 'Cancel slow.png' }).click()
      const remove = files.getByRole('button', { name: /^Remove / })
      while ((await remove.count()) > 0) await remove.first().click()
      await writes(page, '')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  }),
  'composer-quote': there(async (page) => {
    await message(page, 'The second, yes').click()
    await message(page, 'The second, yes').getByRole('button', { name: 'Quote and reply' }).click()
    await writes(page, 'It does. I made it quieter.')
    return () => page.getByRole('button', { name: 'Remove the quote from Beatrice Lane' }).click()
  }),
  'composer-call': there(async (page) => {
    await page.getByRole('button', { name: 'Add a call' }).click()
  }),
  'insert-menu': there((page) => page.getByRole('button', { name: 'Insert' }).click()),
  'poll-form': inserts('Poll…'),
  'todo-form': inserts('To-do list…'),
  snippets: inserts('Saved snippet…'),
  'snippet-form': async (page, server) => {
    await inserts('Saved snippet…')(page, server)
    await page.getByRole('dialog').getByRole('button', { name: 'New snippet' }).click()
  },
  gifs: there(async (page) => {
    const image = await picture('#8a6fb0')
    const headers = { 'access-control-allow-origin': '*' }
    await page.route(/^https:/, (route) => {
      if (new URL(route.request().url()).hostname !== 'api.giphy.com')
        return route.fulfill({ headers, contentType: 'image/gif', body: image })
      const images = {
        fixed_width_small: { url: 'https://media1.giphy.com/small.gif' },
        downsized: { url: 'https://media1.giphy.com/large.gif' },
      }
      const data = Array.from({ length: 12 }, (_, id) => ({ id: String(id), title: `Cat ${id}`, images }))
      return route.fulfill({ headers, json: { data } })
    })
    await page.getByRole('button', { name: 'Insert' }).click()
    await page.getByRole('menuitem', { name: 'GIF…' }).click()
    await page.getByRole('dialog').getByRole('img').first().waitFor()
    return () => page.unrouteAll({ behavior: 'ignoreErrors' })
  }),
  'voice-recording': there(async (page) => {
    await page.evaluate(tone)
    await page.getByRole('button', { name: 'Insert' }).click()
    await page.getByRole('menuitem', { name: 'Voice message…' }).click()
    await page.getByRole('dialog').getByText('0:02').waitFor()
  }),
  readers: ofMessage('The second, yes', 'Read by…'),
  remind: ofMessage('The second, yes', 'Remind me…'),
  report: ofMessage('The second, yes', 'Report…'),
  history: there(async (page) => {
    await message(page, 'Which cup?').click()
    await page.keyboard.press('e')
    const edit = page.getByRole('textbox', { name: 'Edit message' })
    await edit.fill((await edit.inputValue()) === 'Which cup?' ? 'Which cup? And where is it?' : 'Which cup?')
    await edit.press('Control+Enter')
    await edit.waitFor({ state: 'detached' })
    // The message's toolbar may cover it.
    await message(page, 'Which cup?').getByRole('button', { name: 'edited' }).dispatchEvent('click')
    await page.getByRole('dialog').waitFor()
  }),
  conflict: there(async (page, { people }) => {
    await message(page, 'Which cup?').click()
    await page.keyboard.press('e')
    const { messages } = await people.cordelia.api.get('/messages', {
      ...{ anchor: 'newest', num_before: 1, num_after: 0 },
      narrow: [
        { operator: 'sender', operand: 'me' },
        { operator: 'topic', operand: 'new logo' },
      ],
    })
    const write = (content: string) => people.cordelia.api.patch(`/messages/${messages[0].id}`, { content })
    await write('Which cup? The green one?')
    const edit = page.getByRole('textbox', { name: 'Edit message' })
    await edit.fill('Which cup? The one from the party?')
    await edit.press('Control+Enter')
    await page.getByRole('button', { name: 'Keep my version' }).waitFor()
    return async () => {
      await edit.press('Escape')
      await write('Which cup?')
    }
  }),
  'reaction-picker': there(async (page) => {
    await message(page, 'Quieter it is').click()
    await message(page, 'Quieter it is').getByRole('button', { name: 'Add reaction' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  'reaction-list': there(async (page) => {
    await page.locator('.reactions button').first().dispatchEvent('contextmenu')
    await page.getByRole('dialog').waitFor()
  }),
  moderate: there(async (page) => {
    await message(page, 'The second, yes').getByRole('button', { name: 'Beatrice' }).click()
    await page.getByRole('button', { name: 'Moderate…' }).click()
    await page.getByRole('checkbox', { name: /^Silence/ }).check()
  }),
  forward: there(async (page) => {
    await chooses(page, 'The second, yes', 'Forward…')
    await page.getByRole('combobox', { name: 'Recipients', exact: true }).fill('ben')
    return () => page.keyboard.press('Escape')
  }),
  offline: there(async (page) => {
    await page.context().setOffline(true)
    await page
      .getByText(/offline/i)
      .first()
      .waitFor()
    return () => page.context().setOffline(false)
  }),
  notice: there(async (page) => {
    await page.getByRole('button', { name: 'Conversation actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).click()
  }),
  'second-factor': async (page, { people }) => {
    await page.goto('/#settings/account')
    const form = page.locator('form', { has: page.getByRole('button', { name: 'Set up an authenticator app' }) })
    await form.getByLabel('password').fill(people.cordelia.password)
    await form.getByRole('button').click()
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    await page.getByRole('img', { name: 'QR code' }).scrollIntoViewIfNeeded()
    return () => page.reload()
  },
  'own-export': async (page) => {
    await page.goto('/#settings/account')
    await page.getByRole('link', { name: 'Download' }).first().scrollIntoViewIfNeeded()
  },
  'import-preview': async (page) => {
    await page.goto('/#settings/imports')
    const file = { name: 'old-chat.jsonl', mimeType: 'application/octet-stream', buffer: archive }
    await page.getByLabel('Export from the other server').setInputFiles(file)
    await page.getByRole('heading', { name: /^What importing/ }).waitFor()
    return async () => {
      await page.getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
      await page.getByText('No imports yet.').waitFor()
    }
  },
  'new-bot': async (page) => {
    await page.goto('/#settings/bots')
    await page.getByText('New bot', { exact: true }).click()
  },
  'provider-form': async (page) => {
    await page.goto('/#settings/providers')
    await page.getByText('Add provider').first().click()
  },
  'user-form': async (page) => {
    await page.goto('/#settings/users')
    await page.getByRole('button', { name: 'Edit Beatrice Lane' }).click()
  },
  deactivate: async (page) => {
    await page.goto('/#settings/users')
    await page.getByRole('button', { name: 'Deactivate Adam Old' }).click()
  },
}
