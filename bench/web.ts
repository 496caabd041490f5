/**
 * The web client in a browser, on a large database: `npm run bench:web -- [messages] [users]`. Skips, and says so, where
 * there is no Chromium. What takes an hour is measured over fewer messages, all at once.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { createChatServer } from '../src/http/index.ts'
import { actAs, getMessages, markAllAsRead, openChat, sendMessage } from '../src/index.ts'
import { row } from './row.ts'
import { seed } from './seed.ts'

const [messages = 1_000_000, users = 10_000] = process.argv.slice(2).map(Number)
const KIB = 1024
const MIB = KIB * KIB
const OWNER = { username: 'owner@example.com', password: 'correct horse' }
const THROTTLE = 4

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = process.env.CHROMIUM ?? places.find((path) => existsSync(path))

async function measure(executablePath: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chat-bench-web-'))
  const db = process.env.BENCH_DB ?? join(folder, 'bench.db')
  if (!existsSync(db)) await seed(db, messages, users)
  const chat = await openChat({ db })
  const server = await createChatServer({ chat, web: true, rateLimit: false })
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']
  const browser = await chromium.launch({ executablePath, args })
  try {
    const owner = await actAs(chat, { email: OWNER.username })
    await markAllAsRead(owner, {})
    const newest = await getMessages(owner, { anchor: 'newest', num_before: 1, num_after: 0 })
    const { stream_id, subject } = newest.messages[0] as { stream_id?: number; subject: string }
    console.log(
      `${messages} messages, ${users} users, 200 streams; processor throttled ${THROTTLE} times where it says so`,
    )
    const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1400, height: 900 } })
    await context.request.post('/json/session', { form: OWNER })
    await opening(context)
    const page = await context.newPage()
    await page.goto('/#narrow')
    await page.locator('article').first().waitFor()
    await scrolling(page)
    await sending(page, stream_id ?? 1, subject)
    await memory(
      page,
      async (content) =>
        void (await sendMessage(owner, { type: 'stream', to: stream_id ?? 1, topic: 'bench', content })),
    )
  } finally {
    await browser.close()
    await server.close()
    await chat.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** From the beginning of the navigation until the newest messages are drawn. */
const shown = `new Promise((resolve) => {
  const look = () => document.querySelector('article') ? requestAnimationFrame(() => resolve(performance.now())) : requestAnimationFrame(look)
  look()
})`

async function opening(context: BrowserContext): Promise<void> {
  const times: number[] = []
  for (const name of ['cold', 'warm', 'warm'] as const) {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE })
    const received = new Map<string, { path: string; bytes: number }>()
    devtools.on('Network.responseReceived', ({ requestId, response }) =>
      received.set(requestId, { path: new URL(response.url).pathname, bytes: 0 }),
    )
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const one = received.get(requestId)
      if (one) one.bytes = encodedDataLength
    })
    await page.goto('/#narrow')
    times.push(Number(await page.evaluate(shown)))
    if (name === 'cold') {
      const sum = (test: (path: string) => boolean) =>
        [...received.values()].filter(({ path }) => test(path)).reduce((all, { bytes }) => all + bytes, 0) / KIB
      const ofClient = (path: string) => path === '/' || path.startsWith('/web/')
      row(
        'script',
        sum((path) => ofClient(path) && path.endsWith('.js')),
        'KiB',
        75,
      )
      row('page, script and styles', sum(ofClient), 'KiB', 110)
      row(
        'state and messages',
        sum((path) => path.startsWith('/json/')),
        'KiB',
      )
      // The service worker and what is kept are part of what makes the next one warm.
      await page.waitForTimeout(6000)
    }
    await page.close()
  }
  row(`newest messages, cold, processor throttled ${THROTTLE} times`, times[0]!, 'ms', 1500)
  row(`newest messages, warm, processor throttled ${THROTTLE} times`, Math.min(times[1]!, times[2]!), 'ms', 500)
}

/** Through 5,000 messages upwards, as a wheel does it; the longest time between two frames. */
async function scrolling(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    window.frames_ = []
    window.seen_ = new Set()
    let last = performance.now()
    const next = (now) => {
      window.frames_.push(now - last)
      last = now
      for (const one of document.querySelectorAll('article')) window.seen_.add(one.id)
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })()`)
  await page.mouse.move(700, 400)
  const end = performance.now() + 40_000
  let seen = 0
  while (seen < 5000 && performance.now() < end) {
    for (let i = 0; i < 10; i++) await page.mouse.wheel(0, -600)
    seen = Number(await page.evaluate('window.seen_.size'))
  }
  const frames = (await page.evaluate('window.frames_.slice(5)')) as number[]
  const slow = frames.filter((frame) => frame > 50)
  row(`scrolling through ${seen} messages: longest frame of ${frames.length}`, Math.max(...frames), 'ms', 50)
  row('  frames over 50 ms', slow.length, '', 0)
}

/** From the key until the message stands there. */
async function sending(page: Page, stream_id: number, topic: string): Promise<void> {
  await page.goto(`/#narrow/channel/${stream_id}/topic/${encodeURIComponent(topic).replaceAll('%', '.')}`)
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.waitFor()
  await page.waitForTimeout(1000)
  const times: number[] = []
  for (let i = 0; i < 10; i++) {
    await box.fill(`sent ${i}`)
    await page.evaluate(`window.sent_ = new Promise((resolve) => {
      addEventListener('keydown', (event) => {
        const began = event.timeStamp
        const look = () => [...document.querySelectorAll('article')].at(-1)?.textContent.includes('sent ${i}')
          ? resolve(performance.now() - began) : requestAnimationFrame(look)
        requestAnimationFrame(look)
      }, { once: true, capture: true })
    })`)
    await box.press('Control+Enter')
    times.push(Number(await page.evaluate('window.sent_')))
    await page.waitForTimeout(150)
  }
  row('a sent message appears (median of 10; a frame is 16.7 ms)', times.sort((a, b) => a - b)[5]!, 'ms', 34)
}

/** The heap after so many new messages in the feed that is open. */
async function memory(page: Page, says: (content: string) => Promise<void>): Promise<void> {
  await page.goto('/#narrow')
  await page.locator('article').first().waitFor()
  const devtools = await page.context().newCDPSession(page)
  const heaps: number[] = [await heapOf(devtools)]
  const COUNT = 6000
  for (let block = 0; block < 3; block++) {
    for (let i = 0; i < COUNT / 100; i++)
      await Promise.all(Array.from({ length: 100 }, (_, k) => says(`message ${block} ${i} ${k} of the hour`)))
    await page.waitForTimeout(2500)
    heaps.push(await heapOf(devtools))
  }
  const shownNow = heaps.map((heap) => heap.toFixed(0)).join(', ')
  console.log(`heap at the beginning and after each 6,000 messages (10 minutes of 10 a second): ${shownNow} MiB`)
  row('heap grows from the 6,000th to the 18,000th message', heaps[3]! - heaps[1]!, 'MiB', 5)
}

async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = (await devtools.send('Runtime.getHeapUsage')) as { usedSize: number }
  return usedSize / MIB
}

if (executablePath) await measure(executablePath)
else console.log('skipped: no Chromium is installed (apt-get install chromium), and $CHROMIUM names none')
