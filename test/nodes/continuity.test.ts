import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Running, run, start } from '../bin/running.ts'
import { person } from '../crash/client.ts'
import { contentsOfServer } from '../crash/contents.ts'
import { Journal } from '../crash/journal.ts'
import { startTraffic } from '../crash/traffic.ts'
import { judge } from '../crash/verdict.ts'
import { startPostgres } from '../postgres/server.ts'
import { dice } from '../random.ts'
import { rounds } from '../rounds.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { needsServer } from './nodes.ts'
import { roundRobin } from './round-robin.ts'

// Kills one of three nodes behind a proxy again and again, and sometimes the database, or stops a node and resumes it.
// Clients notice only delays. `NODE_ROUNDS=100 DATABASE_ROUNDS=20 PAUSE_ROUNDS=20 npm run test:postgres nodes/` for more.

const NODE_ROUNDS = rounds({ short: 4, full: 12, variable: 'NODE_ROUNDS' })
const DATABASE_ROUNDS = rounds({ short: 1, full: 3, variable: 'DATABASE_ROUNDS' })
const PAUSE_ROUNDS = rounds({ short: 1, full: 4, variable: 'PAUSE_ROUNDS' })
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const NODES = 3
/** A node lives this long, at most, after the first acknowledgement. */
const MOST_MS = 300
/** A stopped node resumes after this time, at least when the database has ended its transaction, and at most twice. */
const PAUSE_MS = 1800
/** Something happens all the time: who waits longer was not woken, and would be by the next heartbeat. */
const MOST_WAIT_MS = 35_000

test(
  `three nodes lose and repeat nothing over ${NODE_ROUNDS} kills, ${DATABASE_ROUNDS} database crashes and ${PAUSE_ROUNDS} pauses`,
  needsServer,
  async (t) => {
    const began = performance.now()
    const roll = dice(SEED)
    using folder = new TemporaryFolder()
    // A server of its own, which waits for the disk.
    await using database = await startPostgres({ durable: true })
    const env = { CHAT_DB: database.url }
    const initialized = await run(
      folder,
      ['init', '--org', 'Nodes', '--owner-email', 'o@example.com', '--owner-name', 'Olga', '--json'],
      env,
    )
    assert.equal(initialized.code, 0, initialized.err)
    const owner = JSON.parse(initialized.out)
    const startNode = () => start(folder, ['--port', '0', '--no-rate-limit'], env)
    const nodes: Running[] = []
    try {
      for (let i = 0; i < NODES; i++) nodes.push(await startNode())
      await using proxy = await roundRobin(nodes.map((node) => node.url))
      const journal = new Journal()
      const boss = person(proxy.url, { id: owner.user_id, email: owner.email, key: owner.api_key })
      const traffic = await startTraffic(proxy.url, boss, journal, SEED)

      const fates = [
        ...Array.from({ length: NODE_ROUNDS }, () => 'node' as const),
        ...Array.from({ length: DATABASE_ROUNDS }, () => 'database' as const),
        ...Array.from({ length: PAUSE_ROUNDS }, () => 'pause' as const),
      ].sort(() => roll(3) - 1)
      for (const fate of fates) {
        await journal.nextAcknowledgement()
        await sleep(roll(MOST_MS))
        if (fate === 'database') {
          await database.kill()
          await sleep(roll(MOST_MS))
          await database.start()
          continue
        }
        const i = roll(NODES)
        proxy.nodes[i] = undefined
        if (fate === 'pause') {
          nodes[i]!.process.kill('SIGSTOP')
          await sleep(PAUSE_MS + roll(PAUSE_MS))
          nodes[i]!.process.kill('SIGCONT')
          proxy.nodes[i] = nodes[i]!.url
          continue
        }
        nodes[i]!.process.kill('SIGKILL')
        await nodes[i]!.ended
        nodes[i] = await startNode()
        proxy.nodes[i] = nodes[i]!.url
      }
      await journal.nextAcknowledgement()
      const visits = await traffic.finish()
      for (const node of nodes) {
        node.process.kill('SIGTERM')
        assert.equal(await node.ended, 0, node.err())
      }
      const reserved = await reservedIds(database.url)
      const verdict = judge(await contentsOfServer(database.url), journal, traffic.readers, visits)
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      t.diagnostic(`seed ${SEED}, ${seconds} s, ${visits.length} visits, ${journal.repeated} changes asked for again`)
      t.diagnostic(JSON.stringify(verdict))
      t.diagnostic(`IDs that nodes reserved to append side by side: up to ${reserved}`)
      assert.ok(reserved !== null)
      t.diagnostic(`longest waits of readers: ${traffic.readers.map(({ longest }) => Math.round(longest))} ms`)
      // A bug would be a 500, and in the log of a node.
      for (const { manner, longest } of traffic.readers) {
        assert.ok(longest < MOST_WAIT_MS, `one that ${manner} waited ${Math.round(longest)} ms for an answer`)
      }
      assert.deepEqual(journal.complaints, [], nodes.map((node) => node.err()).join(''))
      const { acknowledged, delivered, ...faults } = verdict
      assert.deepEqual(faults, { lost: 0, doubled: 0, invented: 0, missed: 0, repeated: 0 })
      assert.ok(acknowledged > NODE_ROUNDS && delivered > acknowledged)
    } finally {
      for (const node of nodes) await node[Symbol.asyncDispose]()
    }
  },
)

/** Returns null if nodes have never appended side by side. */
async function reservedIds(url: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(`select pg_sequence_last_value('event_id_seq') as up_to`)
    return rows[0].up_to
  } finally {
    await client.end()
  }
}
