/**
 * How long other requests wait during a very large one: `node .bench/bench/stalls/run.js [share of the largest]
 * [part of
 * a name]`. Milliseconds of the processor.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { world } from '../../src/testing/world.ts'
import { operations } from './operations.ts'
import { longestWait } from './prober.ts'

const [share = '1', part = ''] = process.argv.slice(2)
for (const { name, prepare } of operations.filter((operation) => operation.name.includes(part))) {
  const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
  {
    await using w = await world({ chat: { db: join(folder, 'chat.db'), checkContract: false } })
    const run = await prepare(w, Number(share))
    globalThis.gc?.()
    const { longest, whole } = await longestWait(w.people.cordelia, run)
    console.log(name.padEnd(66), longest.toFixed(0).padStart(7), 'ms of', whole.toFixed(0).padStart(7))
  }
  rmSync(folder, { recursive: true, force: true })
}
