/**
 * How long other requests wait during a very large one, in milliseconds of the processor: `node
 * .bench/bench/stalls/run.js [share of the largest] [part of a name] [--limit milliseconds]`. With a limit, it fails
 * if an operation exceeds it three times, because a single slow run can be the machine's fault.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { world } from '../../src/testing/world.ts'
import { operations } from './operations/all.ts'
import type { Operation } from './operations/operation.ts'
import { longestWait, smallWrite, type Waits } from './prober.ts'

const { values, positionals } = parseArgs({ options: { limit: { type: 'string' } }, allowPositionals: true })
const [share = '1', part = ''] = positionals
const limit = Number(values.limit ?? Number.POSITIVE_INFINITY)
const TRIES = 3

async function waitsOf({ prepare, probe }: Operation): Promise<Waits> {
  const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
  try {
    const importFolder = join(folder, 'imports')
    await using w = await world({ chat: { db: join(folder, 'chat.db'), importFolder, checkContract: false } })
    const run = await prepare(w, Number(share))
    globalThis.gc?.()
    return await longestWait(probe?.(w) ?? [smallWrite(w.people.cordelia)], run)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

for (const operation of operations.filter(({ name }) => name.includes(part))) {
  let waits = await waitsOf(operation)
  for (let tries = 1; waits.longest > limit && tries < TRIES; tries++) waits = await waitsOf(operation)
  const { longest, whole } = waits
  const slip = longest > limit
  if (slip) process.exitCode = 1
  console.log(
    operation.name.padEnd(66),
    longest.toFixed(0).padStart(7),
    'ms of',
    whole.toFixed(0).padStart(7),
    slip ? ` OVER ${limit}` : '',
  )
}
