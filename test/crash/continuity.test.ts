import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Running, run, start } from '../bin/running.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { type Person, person } from './client.ts'
import { Journal } from './journal.ts'
import { visitUntilOver } from './newcomer.ts'
import { reader } from './poller.ts'
import { dice } from './random.ts'
import { sendUntilOver } from './sender.ts'
import { judge } from './verdict.ts'

// The server is killed repeatedly at arbitrary moments; its clients must notice nothing but delays.
// `ROUNDS=1000 SEED=7 node test/run.js crash/` for more.

const ROUNDS = Number(process.env.ROUNDS ?? 4)
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
/** The server lives this long, at most, after the first acknowledgement. */
const MOST_MS = 300

test(`kill -9, ${ROUNDS} times: nothing acknowledged is lost, nothing is doubled, no reader misses or repeats`, async (t) => {
  const began = performance.now()
  const roll = dice(SEED)
  using folder = new TemporaryFolder()
  const owner = JSON.parse(
    (await run(folder, ['init', '--org', 'Crash', '--owner-email', 'o@example.com', '--owner-name', 'o', '--json']))
      .out,
  )
  let server = await start(folder, ['--port', '0', '--no-rate-limit'])
  const port = new URL(server.url).port
  const restart = () => start(folder, ['--port', port, '--no-rate-limit'])
  try {
    const journal = new Journal()
    const boss = person(server.url, { id: owner.user_id, email: owner.email, key: owner.api_key })
    const people = await newPeople(server.url, boss, 8)
    const [visitor, ...rest] = people as [Person, ...Person[]]
    const senders = rest.slice(0, 4)
    const manners = ['waits', 'asks', 'doubts'] as const
    const readers = await Promise.all(manners.map((manner, i) => reader(rest[4 + i]!, manner, journal)))
    // One of the senders also reads, with a second client.
    readers.push(await reader(senders[0]!, 'waits', journal))

    let over = false
    let farewell: number | undefined
    const isOver = () => over
    const sending = senders.flatMap((sender, i) =>
      ['octopus', 'tada', 'heart'].map((emoji, j) =>
        sendUntilOver({ sender, emoji, others: people, journal, roll: dice(SEED + 10 * i + j + 1), isOver }),
      ),
    )
    const visiting = visitUntilOver(visitor, journal, isOver)
    const reading = readers.map((each) => each.reads(() => farewell))

    for (let round = 0; round < ROUNDS; round++) {
      await journal.nextAcknowledgement()
      await sleep(roll(MOST_MS))
      server.process.kill('SIGKILL')
      await server.ended
      server = await restart()
    }
    await journal.nextAcknowledgement()
    over = true
    await Promise.all(sending)
    // A client that waits is woken by this one.
    const last = await boss.insist('POST', '/messages', { type: 'stream', to: 'general', topic: 'end', content: 'end' })
    farewell = last.answer.id
    await Promise.all(reading)
    const visits = await visiting
    await unread(journal)
    server.process.kill('SIGTERM')
    assert.equal(await server.ended, 0)
    assert.deepEqual(server.warnings(), [])

    const verdict = judge(join(folder.path, 'chat.db'), journal, readers, visits)
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

async function newPeople(url: string, boss: Person, count: number): Promise<Person[]> {
  const names = Array.from({ length: count }, (_, i) => `user${i}`)
  return Promise.all(
    names.map(async (name) => {
      const account = { email: `${name}@example.com`, full_name: name, password: 'correct horse' }
      const created = await boss.insist('POST', '/users', account)
      const { answer } = await boss.insist('POST', '/fetch_api_key', {
        username: account.email,
        password: account.password,
      })
      assert.equal(answer.result, 'success', answer.msg)
      return person(url, { id: created.answer.user_id, email: account.email, key: answer.api_key })
    }),
  )
}

/** Messages that were marked as read are read. */
async function unread(journal: Journal): Promise<void> {
  for (const [who, ids] of journal.read) {
    const some = [...ids].slice(-50)
    for (const id of some) {
      const { answer } = await who.insist('GET', `/messages/${id}`)
      if (!answer.message?.flags.includes('read')) journal.complain(`message ${id} is unread again`)
    }
  }
}
