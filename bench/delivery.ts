/**
 * One sender, many waiting clients in one stream: how soon all of them have the message, what one waiting
 * client costs, both compared with held answers of the same HTTP framework. `node --import tsx bench/delivery.ts
 * [clients]...`
 * With CPU_PROF=FOLDER the servers write profiles there.
 *
 * The servers are processes of their own, the chat's on a file; the clients are in this one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Crowd, crowd, type Round, start } from './crowd.ts'
import type { State } from './delivery-servers.ts'
import { get } from './waiters.ts'

/** Measured messages, in batches that alternate with batches of the floor. */
const BATCHES = 5
const BATCH = 10

const sizes = process.argv.slice(2).map(Number)
await measure(sizes.length > 0 ? sizes : [50, 500, 2000])

async function measure(sizes: number[]) {
  for (const size of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
    const chat = await start('chat', join(folder, 'chat.db'), String(size))
    const floor = await start('floor')
    // A few clients connect and disconnect first, so that loading and compiling are not measured.
    const few = await crowd(chat, chat.waits.slice(0, 20), chat.sends)
    for (let i = 0; i < 100; i++) await few.round()
    few.close()
    while ((await chat.state()).waiting > 0) await new Promise((resolve) => setTimeout(resolve, 20))
    const before = await chat.state('gc')
    const ours = await crowd(chat, chat.waits, chat.sends)
    while ((await chat.state()).waiting < size) await new Promise((resolve) => setTimeout(resolve, 20))
    const after = await chat.state('gc')

    await ours.round()
    const wait = get('/wait', 'Basic x')
    const plain = (text: string) =>
      `POST /send HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
    const theirs = await crowd(
      floor,
      Array.from({ length: size }, () => wait),
      plain(ours.body()),
    )
    const [mine, base] = [await rounds(ours, 3), await rounds(theirs, 3)]
    for (const list of [mine, base]) list.splice(0)
    let cpu = 0
    for (let batch = 0; batch < BATCHES; batch++) {
      const began = (await chat.state()).cpu
      mine.push(...(await rounds(ours, BATCH)))
      // All poll again before the server counts as idle, so their next polls are included.
      while ((await chat.state()).waiting < size) await new Promise((resolve) => setTimeout(resolve, 5))
      cpu += (await chat.state()).cpu - began
      base.push(...(await rounds(theirs, BATCH)))
    }
    const end = await chat.state('gc')
    for (const each of [ours, theirs]) each.close()
    for (const { child } of [chat, floor]) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.disconnect()
      child.kill('SIGINT')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
    report(size, mine, base, before, after, end)
    const perDelivery = cpu / (BATCHES * BATCH * size)
    console.log(
      'processor time of a delivery with its next poll (goal 35 µs)'.padEnd(62),
      `${perDelivery.toFixed(1)} µs`,
    )
  }
}

async function rounds(of: Crowd, count: number) {
  const found: Round[] = []
  for (let i = 0; i < count; i++) found.push(await of.round())
  return found
}

type Rounds = Round[]

function report(size: number, mine: Rounds, base: Rounds, before: State, after: State, end: State) {
  const sorted = (list: Rounds, key: keyof Round) => list.map((r) => r[key]).sort((a, b) => a - b)
  const at = (list: number[], share: number) => list[Math.min(list.length - 1, Math.floor(list.length * share))]!
  const rate = (list: Rounds) => size / (at(sorted(list, 'afterRequest'), 0.5) / 1000)
  const line = (name: string, value: string) => console.log(name.padEnd(62), value)
  const ms = (list: number[]) => `p50 ${at(list, 0.5).toFixed(1)} ms   p99 ${at(list, 0.99).toFixed(1)} ms`
  const kib = (bytes: number) => `${(bytes / size / 1024).toFixed(1)} KiB`
  console.log(`\n${size} clients`)
  line('deliveries', `${rate(mine).toFixed(0)}/s`)
  line('deliveries, floor (one prepared string)', `${rate(base).toFixed(0)}/s`)
  line('ratio (goal >= 0.5)', (rate(mine) / rate(base)).toFixed(2))
  line("from the send's answer to the last delivery (goal < 250 ms)", ms(sorted(mine, 'afterAnswer')))
  line("from the send's request to the last delivery", ms(sorted(mine, 'afterRequest')))
  line('of it, until the answer: the send itself', ms(sorted(mine, 'answer')))
  line('from request to last delivery, floor', ms(sorted(base, 'afterRequest')))
  line('memory of one that waits: resident (goal <= 16 KiB)', kib(after.rss - before.rss))
  line('memory of one that waits: heap and buffers', kib(after.used - before.used))
  line('the same after all those messages', `${kib(end.rss - before.rss)}, ${kib(end.used - before.used)}`)
}
