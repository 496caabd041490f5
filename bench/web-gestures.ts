import type { Page } from 'playwright-core'
import { median } from './median.ts'
import { row } from './row.ts'

const ROUNDS = 10
const FRAME_MS = 16
const SLOW_KEY_MS = 50

interface Place {
  stream_id: number
  topic: string
  says(content: string): Promise<unknown>
}

/**
 * Switches between two narrows with known messages. Returns the number of the first frame, after the address changes,
 * that shows them.
 */
export async function switching(page: Page, { stream_id, topic, says }: Place): Promise<void> {
  const there = `#narrow/channel/${stream_id}/topic/${topic}`
  await says('to be found again')
  const frames: number[] = []
  const times: number[] = []
  for (let i = 0; i <= ROUNDS; i++) {
    for (const address of ['#narrow', there]) {
      const [count, time] = (await page.evaluate(`new Promise((resolve) => {
        const before = document.querySelector('article')
        let frames = 0
        let begun
        const isThere = () => [...document.querySelectorAll('article')].some((one) => one !== before && one.textContent.includes('to be found again'))
        const look = () => (frames++, before?.isConnected || !isThere() ? requestAnimationFrame(look) : resolve([frames, performance.now() - begun]))
        addEventListener('hashchange', () => ((begun = performance.now()), requestAnimationFrame(look)), { once: true, capture: true })
        location.hash = ${JSON.stringify(address)}
        setTimeout(resolve, 5000, [999, 5000])
      })`)) as [number, number]
      // The first visit of each narrow fetches it.
      if (i === 0) await page.waitForTimeout(1000)
      else {
        frames.push(count)
        times.push(time)
      }
      await page.waitForTimeout(150)
    }
  }
  row(
    `a narrow with known messages stands in the next frame (median of ${frames.length}, which one)`,
    median(frames),
    '',
    1,
  )
  row('  from the change of the address to the beginning of that frame', median(times), 'ms')
}

/** Types a name after an @, among all users. Measures how long the page takes from each key to the next frame. */
export async function typing(page: Page, { stream_id, topic }: Place, throttle: number): Promise<void> {
  await page.evaluate(`location.hash = '#narrow/channel/${stream_id}/topic/${topic}'`)
  const box = page.getByRole('textbox', { name: 'Message' })
  const devtools = await page.context().newCDPSession(page)
  await page.evaluate(`{
    const { port1, port2 } = new MessageChannel()
    let begun = 0
    port1.onmessage = () => window.keys_.push(performance.now() - begun)
    addEventListener('input', () => ((begun = performance.now()), port2.postMessage('')), { capture: true })
  }`)
  for (const rate of [1, throttle]) {
    await devtools.send('Emulation.setCPUThrottlingRate', { rate })
    await page.evaluate('window.keys_ = []; 0')
    for (const name of ['@user 12', '@ser 99', '@nobody']) {
      await box.fill('')
      await box.pressSequentially(name, { delay: 60 })
    }
    const keys = (await page.evaluate('window.keys_')) as number[]
    const sorted = keys.toSorted((a, b) => a - b)
    const p95 = sorted[Math.ceil(0.95 * sorted.length) - 1]!
    if (rate === 1) row(`typeahead among all people: a key (median of ${keys.length})`, median(keys), 'ms', FRAME_MS)
    else row(`  processor ${rate} times slower (95th percentile)`, p95, 'ms', SLOW_KEY_MS)
    row('  the longest', Math.max(...keys), 'ms')
  }
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await box.fill('')
}
