import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Running, run, start } from '../bin/running.ts'
import { dice } from '../random.ts'
import { rounds } from '../rounds.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { person } from './client.ts'
import { contentsOfFile } from './contents.ts'
import { Journal } from './journal.ts'
import { startTraffic } from './traffic.ts'
import { judge } from './verdict.ts'

// The server is killed repeatedly at arbitrary moments; its clients must notice nothing but delays.
// `ROUNDS=1000 SEED=7 node test/run.js crash/` for more.

const ROUNDS = rounds({ short: 3, full: 15, variable: 'ROUNDS' })
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
/** The server lives this long, at most, after the first acknowledgement. */
const MOST_MS = 300

test(`loses and doubles nothing acknowledged in ${ROUNDS} rounds of kill -9`, async (t) => {
  const began = performance.now()
  const roll = dice(SEED)
  using folder = new TemporaryFolder(tmpdir())
  const owner = JSON.parse(
    (await run(folder, ['init', '--org', 'Crash', '--owner-email', 'o@example.com', '--owner-name', 'Olga', '--json']))
      .out,
  )
  let server = await start(folder, ['--port', '0', '--no-rate-limit'])
  const port = new URL(server.url).port
  const restart = () => start(folder, ['--port', port, '--no-rate-limit'])
  try {
    const journal = new Journal()
    const boss = person(server.url, { id: owner.user_id, email: owner.email, key: owner.api_key })
    const traffic = await startTraffic(server.url, boss, journal, SEED)
    for (let round = 0; round < ROUNDS; round++) {
      await journal.nextAcknowledgement()
      await sleep(roll(MOST_MS))
      server.process.kill('SIGKILL')
      await server.ended
      server = await restart()
    }
    await journal.nextAcknowledgement()
    const visits = await traffic.finish()
    server.process.kill('SIGTERM')
    assert.equal(await server.ended, 0)
    assert.deepEqual(server.warnings(), [])

    const verdict = judge(contentsOfFile(join(folder.path, 'chat.db'), journal), journal, traffic.readers, visits)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    t.diagnostic(
      `seed ${SEED}, ${ROUNDS} rounds, ${seconds} s, ${visits.length} visits, ${journal.repeated} changes asked for again`,
    )
    t.diagnostic(JSON.stringify(verdict))
    assert.deepEqual(journal.complaints, [])
    const { acknowledged, delivered, ...faults } = verdict
    assert.deepEqual(faults, { lost: 0, doubled: 0, invented: 0, missed: 0, repeated: 0 })
    assert.ok(acknowledged > ROUNDS && delivered > acknowledged)
    assert.ok(visits.length > 0)
  } finally {
    await stopped(server)
  }
})

async function stopped(server: Running): Promise<void> {
  await server[Symbol.asyncDispose]()
}
