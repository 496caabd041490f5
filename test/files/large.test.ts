import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { TemporaryFolder } from '../temporary-folder.ts'
import { noise } from './files.ts'
import type { Ready } from './measured-server.ts'

const MIB = 1024 * 1024
const SIZE = 25 * MIB
const ROUNDS = 4
const piece = noise(64 * 1024)

/** Sends a form with a file of so many bytes, as fast as the server takes them. */
async function send({ url, email, key }: Ready, size: number): Promise<string> {
  const auth = `${email}:${key}`
  const asked = request(`${url}/api/v1/user_uploads`, {
    method: 'POST',
    auth,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })
  const answered = once(asked, 'response')
  asked.write('--b\r\ncontent-disposition: form-data; name="f"; filename="large.bin"\r\n\r\n')
  for (let left = size; left > 0; left -= piece.length) {
    if (!asked.write(piece.subarray(0, left))) await once(asked, 'drain')
  }
  asked.end('\r\n--b--\r\n')
  const [response] = await answered
  let text = ''
  for await (const part of response) text += part
  return JSON.parse(text).url
}

/** Reads a file, slowly at first, as somebody on a slow line does. */
async function receive({ url, email, key }: Ready, path: string): Promise<number> {
  const asked = request(`${url}${path}`, { auth: `${email}:${key}` })
  asked.end()
  const [response] = await once(asked, 'response')
  let size = 0
  response.on('data', (part: Buffer) => {
    size += part.length
    if (size > MIB || response.isPaused()) return
    response.pause()
    setTimeout(() => response.resume(), 50)
  })
  await once(response, 'end')
  return size
}

async function measured<T>(child: ChildProcess, what: 'memory' | 'buffers' | 'blocks', work: () => Promise<T>) {
  child.send(what)
  await once(child, 'message')
  const result = await work()
  child.send('end')
  const [cost] = (await once(child, 'message')) as [number]
  return { result, cost }
}

/** Runs the work with a server in a process of its own. */
async function withServer(work: (child: ChildProcess, server: Ready) => Promise<void>): Promise<void> {
  using folder = new TemporaryFolder()
  const file = fileURLToPath(new URL('./measured-server.ts', import.meta.url))
  const execArgv = ['--import', 'tsx', '--expose-gc']
  const child = fork(file, [join(folder.path, 'chat.db')], { execArgv })
  try {
    const [server] = (await once(child, 'message')) as [Ready]
    // The first of each loads what they need.
    await receive(server, await send(server, 1))
    await work(child, server)
  } finally {
    child.kill()
  }
}

for (const [what, unit, most] of [
  ['memory', MIB, 8],
  ['blocks', 1, 20],
] as const) {
  test(`25 MiB up and down: ${what === 'memory' ? 'at most 8 MiB of memory' : 'no block over 20 ms'}`, (t) =>
    withServer(async (child, server) => {
      // What is inherent costs as much each time; what a busy machine adds does not.
      const up: number[] = []
      const down: number[] = []
      while (up.length < ROUNDS && (Math.min(...up) > most || Math.min(...down) > most)) {
        const { result, cost } = await measured(child, what, () => send(server, SIZE))
        up.push(cost / unit)
        const read = await measured(child, what, () => receive(server, result))
        assert.equal(read.result, SIZE)
        down.push(read.cost / unit)
      }
      const shown = `up ${up.map((one) => one.toFixed(1))}, down ${down.map((one) => one.toFixed(1))}`
      t.diagnostic(shown)
      assert.ok(Math.min(...up) <= most && Math.min(...down) <= most, shown)
    }))
}

test('what was sent of a file is freed at once: five readers of 25 MiB hold a few pieces each', (t) =>
  withServer(async (child, server) => {
    const path = await send(server, SIZE)
    const readers = () => Promise.all([1, 2, 3, 4, 5].map(() => receive(server, path)))
    // What is not collected yet counts too.
    const costs: number[] = []
    while (costs.length < ROUNDS && Math.min(...costs) > 5 * MIB) {
      const { result, cost } = await measured(child, 'buffers', readers)
      assert.deepEqual(result, Array(5).fill(SIZE))
      costs.push(cost)
    }
    const shown = `${costs.map((cost) => (cost / MIB).toFixed(1))} MiB`
    t.diagnostic(shown)
    assert.ok(Math.min(...costs) <= 5 * MIB, shown)
  }))
