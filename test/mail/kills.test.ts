import assert from 'node:assert/strict'
import test from 'node:test'
import { run, start } from '../bin/running.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { eventually } from '../eventually.ts'
import { rounds } from '../rounds.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { type Arrived, mailSink } from './sink.ts'

const PASSWORD = 'correct horse'
const OWNER = 'olga@example.com'
const PER_ROUND = 12
const total = rounds({ short: 1, full: 20, variable: 'MAIL_KILLS' })

test(
  `loses no email in ${total} kills, and doubles only what was being sent`,
  onlyOnSqlite('a file of its own'),
  async (t) => {
    t.diagnostic(`${total} kills`)
    using folder = new TemporaryFolder()
    let arrived = (_: Arrived) => {}
    await using sink = await mailSink({ onMail: (mail) => arrived(mail) })
    const init = ['init', '--org', 'o', '--owner-email', OWNER, '--owner-name', 'Olga', '--owner-password', PASSWORD]
    assert.equal((await run(folder, init)).code, 0)
    const args = [
      '--port',
      '0',
      '--no-web',
      '--public-url',
      'https://chat.example.com',
      '--mail-from',
      'chat@example.com',
    ]
    const launch = () => start(folder, [...args, '--no-rate-limit'], { CHAT_MAIL_URL: sink.url })
    const expected: string[] = []
    for (let round = 0; round < total; round++) {
      await using server = await launch()
      const key = await keyOf(server.url)
      const killAfter = 1 + ((round * 5) % PER_ROUND)
      let count = 0
      // At the moment of the kill, the server has not seen the reply to this email.
      arrived = () => void (++count === killAfter && server.process.kill('SIGKILL'))
      const addresses = Array.from({ length: PER_ROUND }, (_, i) => `p${round}.${i}@example.org`)
      await invite(server.url, key, addresses).then(
        () => expected.push(...addresses),
        () => {},
      )
      await server.ended
    }
    arrived = () => {}
    await using server = await launch()
    assert.ok(server.url)
    const idsOf = (address: string) => sink.mails.filter(({ envelope }) => envelope.to[0] === address)
    await eventually('all emails arrive', () => expected.every((address) => idsOf(address).length > 0))
    await eventually('the outbox is empty', async () => {
      const lists = await Promise.all(
        ['queued', 'sending'].map((state) => run(folder, ['mail', 'list', '--state', state, '--json'])),
      )
      return lists.every(({ out }) => JSON.parse(out).mails.length === 0)
    })
    let doubles = 0
    for (const address of expected) {
      const mails = idsOf(address)
      doubles += mails.length - 1
      assert.equal(new Set(mails.map(({ messageId }) => messageId)).size, 1, address)
    }
    t.diagnostic(`${expected.length} emails, ${doubles} doubled`)
    // Two connections at most.
    assert.ok(expected.length > 0 && doubles <= 2 * total, `${doubles} doubled`)
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
