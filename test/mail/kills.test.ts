import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import test from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { groupBy } from '../../src/core/kernel/base/lists.ts'
import { CONNECTIONS } from '../../src/network/mail/mailer.ts'
import { run, start } from '../bin/running.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { eventually } from '../eventually.ts'
import { dice, picker, seeded } from '../random.ts'
import { rounds } from '../rounds.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { mailSink } from './sink.ts'

const PASSWORD = 'correct horse'
const OWNER = 'olga@example.com'
const PER_ROUND = 12
/** About as long as the request takes that stores the emails. */
const REQUEST_MS = 40
const total = rounds({ short: 3, full: 12, variable: 'MAIL_KILLS' })
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)

/** When the server dies: while the emails are stored, or at a step of the dialogue with the mail server. */
const moments = ['request', 'recipient', 'before the reply', 'after the reply'] as const

test(
  `loses no email in ${total} kills, and doubles only what was being sent`,
  onlyOnSqlite('a file of its own'),
  async (t) => {
    t.diagnostic(`seed ${SEED}, ${total} kills`)
    const roll = dice(SEED)
    const pick = picker(seeded(SEED + 1))
    using folder = new TemporaryFolder(tmpdir())
    /** Each email that arrived whole, in order. */
    const arrivals: { address: string; id: string; round: number }[] = []
    let round = 0
    let gate = Promise.withResolvers<void>()
    let at: (step: (typeof moments)[number]) => void = () => {}
    await using sink = await mailSink({
      async onRcptTo(_, __, done) {
        await gate.promise
        at('recipient')
        done()
      },
      async onMail({ envelope, messageId }) {
        arrivals.push({ address: envelope.to[0]!, id: messageId!, round })
        at('before the reply')
        setImmediate(() => at('after the reply'))
      },
    })
    const init = ['init', '--org', 'o', '--owner-email', OWNER, '--owner-name', 'Olga', '--owner-password', PASSWORD]
    assert.equal((await run(folder, init)).code, 0)
    const from = ['--public-url', 'https://chat.example.com', '--mail-from', 'chat@example.com']
    const args = ['--port', '0', '--no-web', '--no-rate-limit', ...from]
    const launch = () => start(folder, args, { CHAT_MAIL_URL: sink.url })
    const invited = { acknowledged: [] as string[], unknown: [] as string[][] }
    const kills = new Map<string, number>()
    for (; round < total; round++) {
      // Emails of earlier rounds wait until this round's are stored.
      gate = Promise.withResolvers()
      await using server = await launch()
      const key = await keyOf(server.url)
      const kill = () => server.process.kill('SIGKILL')
      const moment = pick(moments)
      kills.set(moment, (kills.get(moment) ?? 0) + 1)
      const addresses = Array.from({ length: PER_ROUND }, (_, i) => `p${round}.${i}@example.org`)
      const inviting = invite(server.url, key, addresses).then(
        () => void invited.acknowledged.push(...addresses),
        () => void invited.unknown.push(addresses),
      )
      if (moment === 'request') await setTimeout(roll(REQUEST_MS)).then(kill)
      await inviting
      let left = 1 + roll(PER_ROUND)
      at = (step) => void (step === moment && --left === 0 && kill())
      gate.resolve()
      await server.ended
      at = () => {}
    }
    await using server = await launch()
    assert.ok(server.url)
    const byAddress = () => groupBy(arrivals, ({ address }) => address)
    await eventually(
      () => `all emails arrive, ${byAddress().size} did`,
      () => invited.acknowledged.every((address) => byAddress().has(address)),
      120,
    )
    await eventually('the outbox is empty', async () => {
      const lists = await Promise.all(
        ['queued', 'sending'].map((state) => run(folder, ['mail', 'list', '--state', state, '--json'])),
      )
      return lists.every(({ out }) => JSON.parse(out).mails.length === 0)
    })
    // What was not acknowledged was stored entirely, or not at all.
    for (const addresses of invited.unknown)
      assert.ok([0, PER_ROUND].includes(addresses.filter((address) => byAddress().has(address)).length), `${addresses}`)
    const doubled = new Map<number, number>()
    for (const [address, copies] of byAddress()) {
      assert.equal(new Set(copies.map(({ id }) => id)).size, 1, address)
      for (const { round } of copies.slice(0, -1)) doubled.set(round, (doubled.get(round) ?? 0) + 1)
    }
    const doubles = [...doubled.values()].reduce((sum, each) => sum + each, 0)
    const { acknowledged, unknown } = invited
    t.diagnostic(
      `${acknowledged.length} emails and ${unknown.length * PER_ROUND} without an acknowledgment, ${doubles} doubled; kills: ${JSON.stringify(Object.fromEntries(kills))}`,
    )
    assert.ok(acknowledged.length > 0)
    for (const [round, each] of doubled) assert.ok(each <= CONNECTIONS, `${each} doubled in round ${round}`)
  },
)

async function keyOf(url: string): Promise<string> {
  const body = new URLSearchParams({ username: OWNER, password: PASSWORD })
  const response = await fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body })
  return ((await response.json()) as { api_key: string }).api_key
}

async function invite(url: string, key: string, addresses: readonly string[]): Promise<void> {
  const body = new URLSearchParams({ invitee_emails: addresses.join(','), stream_ids: '[]' })
  const authorization = `Basic ${Buffer.from(`${OWNER}:${key}`).toString('base64')}`
  const response = await fetch(`${url}/api/v1/invites`, { method: 'POST', headers: { authorization }, body })
  assert.equal(response.status, 200)
  await response.text()
}
