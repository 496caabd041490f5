/**
 * The web client in a browser, on a large database: `npm run bench:web -- [messages] [users] [parts]`. Parts are some
 * of opening,inbox,scrolling,sending,switching,typing,memory. It skips if there is no Chromium, and says so. $BENCH_DB names
 * a file that keeps the database for later runs, which work on copies. An hour with ten messages a second is
 * 36,000 messages, sent as fast as the server accepts them.
 */
import { constants, copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { createChatServer } from '../src/http/index.ts'
import { actAs, type Caller, getSubscriptions, markAllAsRead, openChat, sendMessage } from '../src/index.ts'
import { median } from './median.ts'
import { row } from './row.ts'
import { seed } from './seed.ts'
import { switching, typing } from './web-gestures.ts'

const [messages = '1000000', users = '2000', parts = 'opening,inbox,scrolling,sending,switching,typing,memory'] =
  process.argv.slice(2)
const KIB = 1024
const MIB = KIB * KIB
const OWNER = { username: 'owner@example.com', password: 'correct horse' }
const THROTTLE = 4
const ROUNDS = 3

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = process.env.CHROMIUM ?? places.find((path) => existsSync(path))

async function measure(executablePath: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chat-bench-web-'))
  const db = await databaseIn(folder)
  const chat = await openChat({ db })
  const server = await createChatServer({ chat, web: true, rateLimit: false })
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']
  const browser = await chromium.launch({ executablePath, args })
  try {
    await markAllAsRead(await actAs(chat, { email: OWNER.username }), {})
    const someone = await speaker(await actAs(chat, { email: 'user2@example.com' }))
    console.log(
      `${messages} messages, ${users} users, 200 streams; the processor ${THROTTLE} times slower where it says so`,
    )
    const wanted = new Set(parts.split(','))
    if (wanted.has('opening')) await opening(browser, server.url, someone)
    if (wanted.has('inbox')) await inbox(browser, server.url, someone)
    const page = await (await signedIn(browser, server.url)).newPage()
    await page.goto('/#narrow')
    await page.locator('article').first().waitFor()
    if (wanted.has('scrolling')) await scrolling(page)
    if (wanted.has('sending')) await sending(page, someone)
    if (wanted.has('switching')) await switching(page, someone)
    if (wanted.has('typing')) await typing(page, someone, THROTTLE)
    if (wanted.has('memory')) await memory(page, someone)
  } finally {
    await browser.close()
    await server.close()
    await chat.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function databaseIn(folder: string): Promise<string> {
  const db = join(folder, 'bench.db')
  const kept = process.env.BENCH_DB
  if (kept === undefined || !existsSync(kept)) await seed(db, Number(messages), Number(users))
  if (kept === undefined) return db
  // Renamed when complete, so that an interrupted copy is never used.
  if (!existsSync(kept)) copyFileSync(db, `${kept}.part`)
  if (!existsSync(kept)) renameSync(`${kept}.part`, kept)
  if (!existsSync(db)) copyFileSync(kept, db, constants.COPYFILE_FICLONE)
  return db
}

interface Speaker {
  stream_id: number
  topic: string
  says(content: string): Promise<unknown>
}

/** Another user, who writes in a stream of their own. */
async function speaker(caller: Caller): Promise<Speaker> {
  const { subscriptions } = await getSubscriptions(caller, {})
  const { stream_id } = subscriptions[0]!
  const topic = 'bench'
  return { stream_id, topic, says: (content) => sendMessage(caller, { type: 'stream', to: stream_id, topic, content }) }
}

async function signedIn(browser: Browser, baseURL: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL, viewport: { width: 1400, height: 900 } })
  await context.request.post('/json/session', { form: OWNER, headers: { 'x-requested-with': 'bench' } })
  return context
}

/** The time from the start of the navigation to the frame that shows a message with this text. */
const drawn = (text: string) => `new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => resolve(performance.now())
  const isThere = () => [...document.querySelectorAll('article')].some((one) => one.textContent.includes(${JSON.stringify(text)}))
  const look = () => isThere() ? port2.postMessage('') : requestAnimationFrame(look)
  look()
})`

/** The bytes that the browser received for a page, by path. */
async function received(devtools: CDPSession): Promise<() => [path: string, bytes: number][]> {
  const all = new Map<string, [string, number]>()
  await devtools.send('Network.enable')
  devtools.on('Network.responseReceived', ({ requestId, response }) =>
    all.set(requestId, [new URL(response.url).pathname, 0]),
  )
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = all.get(requestId)
    if (one) one[1] = encodedDataLength
  })
  return () => [...all.values()]
}

/**
 * Each round opens the page first as on a new device, then twice with a warm cache. Before each opening, the other
 * user writes a message.
 */
async function opening(browser: Browser, url: string, { says }: Speaker): Promise<void> {
  const cold: number[] = []
  const kept: number[] = []
  const warm: number[] = []
  let bytes: [string, number][] = []
  await says('the first')
  // Prepares the server's statements, as on a server in use.
  await (await openPage(await signedIn(browser, url), 'the first')).page.context().close()
  for (let round = 0; round < ROUNDS; round++) {
    const context = await signedIn(browser, url)
    await says(`before round ${round}`)
    const first = await openPage(context, `before round ${round}`)
    cold.push(first.newest)
    bytes = first.bytes()
    // Waits until the page is idle and has stored its state.
    await first.page.waitForTimeout(8000)
    await first.page.close()
    for (const time of ['once', 'twice']) {
      await says(`before ${time} more in round ${round}`)
      const next = await openPage(context, `before ${time} more in round ${round}`, `before round ${round}`)
      kept.push(next.known!)
      warm.push(next.newest)
      await next.page.waitForTimeout(4000)
      await next.page.close()
    }
    await context.close()
  }
  const sum = (test: (path: string) => boolean) =>
    bytes.filter(([path]) => test(path)).reduce((all, [, size]) => all + size, 0) / KIB
  const ofClient = (path: string) => path === '/' || path.startsWith('/web/')
  const scripts = sum((path) => ofClient(path) && path.endsWith('.js'))
  row('script', scripts, 'KiB', 75)
  row('page, script and styles', sum(ofClient), 'KiB', 110)
  row(
    'all bytes, until the newest messages are there',
    sum(() => true),
    'KiB',
    160,
  )
  row(
    'state and messages, until the newest are there',
    sum((path) => path.startsWith('/json/')),
    'KiB',
  )
  row(`newest messages, cold, processor ${THROTTLE} times slower (median of ${cold.length})`, median(cold), 'ms', 1200)
  row(`what was there the last time, warm, the same (median of ${kept.length})`, median(kept), 'ms', 400)
  row(`newest messages, sent since, warm, the same (median of ${warm.length})`, median(warm), 'ms', 400)
}

/**
 * Not part of a start: the previous page closes in the same process, and the browser loads its own parts of a new window.
 */
const WINDOW_MS = 1000

async function openPage(context: BrowserContext, newest: string, known?: string) {
  const page = await context.newPage()
  await new Promise((resolve) => setTimeout(resolve, WINDOW_MS))
  const devtools = await context.newCDPSession(page)
  const bytes = await received(devtools)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE })
  // Installed before the page's own scripts, because a loaded page answers only when it has time.
  await page.addInitScript(`window.drawn_ = [${known ? drawn(known) : ''}, ${drawn(newest)}]`)
  await page.goto('/#narrow')
  const [atKnown, atNewest] = (await page.evaluate('Promise.all(window.drawn_)')) as [number | undefined, number]
  return { page, bytes, newest: Number(atNewest), known: known === undefined ? undefined : Number(atKnown) }
}

const UNREAD_TOPICS = 20_000

/**
 * The inbox as the first view, with many unread topics: the server's answer tells of more than there are. The time of the
 * first frame that shows rows, from the start of the navigation, without and with them, and the longest task.
 */
async function inbox(browser: Browser, url: string, { stream_id }: Speaker): Promise<void> {
  const times: number[] = []
  let longest = 0
  let drawnRows = 0
  for (const topics of [10, UNREAD_TOPICS]) {
    const page = await (await signedIn(browser, url)).newPage()
    await new Promise((resolve) => setTimeout(resolve, WINDOW_MS))
    await page.route('**/json/register', async (route) => {
      const response = await route.fetch()
      const state = await response.json()
      for (let i = 1; state.unread_msgs && i <= topics; i++)
        state.unread_msgs.streams.push({ stream_id, topic: `topic ${i}`, unread_message_ids: [100_000_000 + i] })
      await route.fulfill({ response, json: state })
    })
    await page.addInitScript(`{
      window.tasks_ = []
      new PerformanceObserver((list) => window.tasks_.push(...list.getEntries().map((one) => one.duration))).observe({ type: 'longtask', buffered: true })
      Response.prototype.json = async function () {
        const text = await this.text()
        if (/register$/.test(this.url)) window.answered_ ??= performance.now()
        return JSON.parse(text)
      }
      window.rows_ = new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now() - window.answered_)
        const look = () => document.querySelector('.inbox a') ? port2.postMessage('') : requestAnimationFrame(look)
        look()
      })
    }`)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE })
    await page.goto('/#inbox')
    times.push(Number(await page.evaluate('window.rows_')))
    await page.waitForTimeout(3000)
    longest = Number(await page.evaluate('Math.max(0, ...window.tasks_)'))
    drawnRows = await page.locator('.inbox > li').count()
    await page.context().close()
  }
  row('inbox with 10 unread topics: first frame after the state has come', times[0]!, 'ms')
  row(`  with ${UNREAD_TOPICS}, processor ${THROTTLE} times slower`, times[1]!, 'ms', 300)
  row('  longest task of that start', longest, 'ms', 100)
  row('  rows in the document', drawnRows, '', 120)
}

/** Scrolls up through 5,000 messages, as a wheel does, and returns the longest time between two frames. */
async function scrolling(page: Page): Promise<void> {
  // Waits until the page is idle after its start.
  await page.waitForTimeout(5000)
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
  const end = performance.now() + 60_000
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

/** From the key press to the first frame that shows the message. */
async function sending(page: Page, { stream_id, topic, says }: Speaker): Promise<void> {
  await says('before what is sent')
  await page.goto(`/#narrow/channel/${stream_id}/topic/${topic}`)
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.waitFor()
  await page.waitForTimeout(1000)
  const times: number[] = []
  const frames: number[] = []
  for (let i = 0; i < 10; i++) {
    await box.fill(`sent ${i}`)
    // In a block, so that `evaluate` doesn't wait for the promise, which resolves only after the key press.
    await page.evaluate(`{ window.sent_ = new Promise((resolve) => {
      addEventListener('keydown', ({ timeStamp }) => {
        let frames = 1
        const isThere = () => [...document.querySelectorAll('article')].at(-1)?.textContent.includes('sent ${i}')
        const look = () => isThere() ? resolve([performance.now() - timeStamp, frames]) : (frames++, requestAnimationFrame(look))
        requestAnimationFrame(look)
      }, { once: true, capture: true })
    }); 0 }`)
    await box.press('Control+Enter')
    const [time, count] = (await page.evaluate('window.sent_')) as [number, number]
    times.push(time)
    frames.push(count)
    await page.waitForTimeout(150)
  }
  row('a sent message stands in the next frame (median of 10, which one)', median(frames), '', 1)
  row('  from the key to the beginning of that frame', median(times), 'ms', 17)
}

/** The heap after many new messages in the open feed. */
async function memory(page: Page, { says }: Speaker): Promise<void> {
  await page.goto('/#narrow')
  await page.locator('article').first().waitFor()
  await page.waitForTimeout(3000)
  const devtools = await page.context().newCDPSession(page)
  const heaps: number[] = [await heapOf(devtools)]
  for (let block = 0; block < BLOCKS; block++) {
    for (let i = 0; i < IN_BLOCK / 100; i++)
      await Promise.all(Array.from({ length: 100 }, (_, k) => says(`message ${i} ${k} of block ${block}`)))
    const last = `the last of block ${block}`
    await says(last)
    await page.getByText(last).waitFor()
    heaps.push(await heapOf(devtools))
  }
  const shownNow = heaps.map((heap) => heap.toFixed(0)).join(', ')
  console.log(`heap at the beginning and after each ${IN_BLOCK} messages (20 minutes of 10 a second): ${shownNow} MiB`)
  row(`heap grows from the ${IN_BLOCK}th to the ${BLOCKS * IN_BLOCK}th message`, heaps.at(-1)! - heaps[1]!, 'MiB', 5)
}

/** The blocks add up to an hour with ten messages a second. */
const BLOCKS = 3
const IN_BLOCK = 12_000

async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = (await devtools.send('Runtime.getHeapUsage')) as { usedSize: number }
  return usedSize / MIB
}

if (executablePath) await measure(executablePath)
else console.log('skipped: no Chromium is installed (apt-get install chromium), and $CHROMIUM names none')
