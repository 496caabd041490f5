import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { notificationSounds } from '../../src/core/settings/choices.ts'
import { testServer } from '../../src/testing/index.ts'
import { newPage, problemsOf, signIn } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { until } from './gestures.ts'

/** Sounds are rendered instead of played, and notes of the system written down; nobody looks at the page. */
const standIns = `{
  window.played = []
  window.notes = []
  window.AudioContext = class extends OfflineAudioContext {
    constructor() { super(1, 33_075, 22_050) }
    async resume() {
      setTimeout(async () => {
        const samples = (await this.startRendering()).getChannelData(0)
        const loudest = samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0)
        const wave = samples.filter((_, i) => i % 97 === 0).map((one) => one * 1000).join(' ')
        played.push({ loudest, wave })
      })
    }
    async close() {}
  }
  window.Notification = class {
    static permission = 'granted'
  }
  // The worker shows them.
  ServiceWorker.prototype.postMessage = ({ notice }) => notice && notes.push(notice.title + ': ' + notice.body)
}`

/** Chooses each of the sounds and listens to it, in the page: one click after the other would take long. */
const chooseEach = `(async () => {
  const frame = () => new Promise(requestAnimationFrame)
  const choice = [...document.querySelectorAll('label')].find((one) => one.textContent === 'Notification sound').control
  for (const [i, name] of ${JSON.stringify(notificationSounds)}.entries()) {
    do {
      choice.value = name
      choice.dispatchEvent(new Event('change', { bubbles: true }))
      await frame()
    } while (choice.value !== name)
    choice.parentElement.querySelector('button').click()
    while (played.length < i + 2) await frame()
  }
})()`

async function listener(t: TestContext, url: string, account: { email: string; password: string }) {
  const page = await newPage(url)
  t.after(() => page.context().close())
  await page.addInitScript(standIns)
  await signIn(page, account)
  return page
}

browserTest('every sound can be previewed and is different', async (t) => {
  await using server = await testServer({ web: true })
  const page = await listener(t, server.url, server.hamlet)
  await page.goto('/#settings/notifications')
  const choice = page.getByLabel('Notification sound')
  await choice.selectOption('chime')
  await page.getByRole('button', { name: 'Play sound' }).click()
  await until(page, 'played.length === 1')
  await page.evaluate(chooseEach)
  const [, ...played] = (await page.evaluate('played')) as { loudest: number; wave: string }[]
  for (const [i, { loudest }] of played.entries()) {
    assert.ok(loudest > 0.05 && loudest <= 1.5, `${notificationSounds[i]}: ${loudest}`)
  }
  assert.equal(new Set(played.map(({ wave }) => wave)).size, notificationSounds.length)
  await choice.selectOption('none')
  await until(page, `document.querySelector('.settings button:disabled')?.textContent === 'Play sound'`)
  assert.deepEqual(problemsOf.get(page), [])
})

browserTest('notifications and sounds obey the settings', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  const page = await listener(t, server.url, hamlet)
  await page.evaluate('document.hasFocus = () => false')
  const { stream_id } = await hamlet.api.get('/get_stream_id', { stream: 'general' })
  const set = (values: Record<string, unknown>) => hamlet.api.patch('/settings', values)
  let [notes, sounds] = [0, 0]
  const comes = async (content: string, to: { topic?: string; people?: (typeof hamlet)[] }, what: string) => {
    await cordelia.says(content, to)
    if (what.includes('note')) notes += 1
    if (what.includes('sound')) sounds += 1
    // If a message should have no effect, the next one's effect proves it.
    if (what) await until(page, `notes.length === ${notes} && played.length === ${sounds}`)
  }
  const direct = { people: [hamlet] }
  await comes('Good morning', direct, 'note, sound')
  await comes('Nothing for you', { topic: 'news' }, '')
  await comes('@**all** Supper is ready', { topic: 'news' }, 'note, sound')
  await set({ wildcard_mentions_notify: false, enable_stream_audible_notifications: true })
  await comes('@**all** It is cold', { topic: 'news' }, 'sound')
  await hamlet.api.post('/user_topics', { stream_id, topic: 'plays', visibility_policy: 3 })
  await set({ enable_followed_topic_desktop_notifications: false, enable_stream_audible_notifications: false })
  await set({ enable_followed_topic_audible_notifications: false })
  await comes('The mousetrap', { topic: 'plays' }, '')
  await comes('@**all** To your seats', { topic: 'plays' }, 'note, sound')
  await set({ enable_followed_topic_wildcard_mentions_notify: false })
  await comes('@**all** The end', { topic: 'plays' }, '')
  await set({ enable_followed_topic_audible_notifications: true })
  await comes('Encore', { topic: 'plays' }, 'sound')
  const own = { stream_id, property: 'wildcard_mentions_notify', value: true }
  await hamlet.api.post('/users/me/subscriptions/properties', { subscription_data: [own] })
  await hamlet.api.post('/users/me/alert_words', { alert_words: ['ghost'] })
  await comes('@**all** Good night', { topic: 'news' }, 'note, sound')
  await comes('A ghost!', { topic: 'news' }, 'note, sound')
  await set({ enable_sounds: false })
  await comes('Are you awake?', direct, 'note')
  await set({ enable_sounds: true, enable_desktop_notifications: false })
  await comes('Are you?', direct, 'sound')
  await set({ notification_sound: 'none' })
  await comes('You are not', direct, '')
  await set({ enable_desktop_notifications: true, pm_content_in_desktop_notifications: false })
  await comes('A secret', direct, 'note')
  assert.deepEqual(((await page.evaluate('notes')) as string[]).slice(-2), [
    'cordelia: Are you awake?',
    'cordelia: New direct message',
  ])
  assert.deepEqual(problemsOf.get(page), [])
})

browserTest('no sound plays while another tab has the focus', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  const page = await listener(t, server.url, hamlet)
  const other = await page.context().newPage()
  await other.goto('/')
  await other.locator('.shell').waitFor()
  const heldLocks = `navigator.locks.query().then(({ held }) => held.filter(({ name }) => name.startsWith('focus ')).length)`
  await until(page, `${heldLocks}.then((count) => count === 2)`)
  await page.evaluate('document.hasFocus = () => false')
  await cordelia.says('Good morning', { people: [hamlet] })
  await until(page, 'notes.length === 1')
  await other.evaluate(`document.hasFocus = () => false; dispatchEvent(new Event('blur'))`)
  await until(page, `${heldLocks}.then((count) => count === 1)`)
  await cordelia.says('Good night', { people: [hamlet] })
  await until(page, 'notes.length === 2 && played.length === 1')
})
