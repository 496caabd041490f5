import assert from 'node:assert/strict'
import { dice } from '../random.ts'
import { type Person, person } from './client.ts'
import type { Journal } from './journal.ts'
import { type Visit, visitUntilOver } from './newcomer.ts'
import { type Reader, reader } from './poller.ts'
import { sendUntilOver } from './sender.ts'

/** People who send, react, read and poll, whatever happens to the servers. */
export interface Traffic {
  readonly readers: readonly Reader[]
  /** Ends it, when everybody has everything, and returns the short sessions there were. */
  finish(): Promise<Visit[]>
}

/** Who receives a message of this topic has everything. */
const LAST_TOPIC = 'end'

export async function startTraffic(url: string, boss: Person, journal: Journal, seed: number): Promise<Traffic> {
  const people = await newPeople(url, boss, 8)
  const [visitor, ...rest] = people as [Person, ...Person[]]
  const senders = rest.slice(0, 4)
  const manners = ['waits', 'asks', 'doubts'] as const
  const readers = await Promise.all(manners.map((manner, i) => reader(rest[4 + i]!, manner, journal)))
  // One of the senders also reads, with a second client.
  readers.push(await reader(senders[0]!, 'waits', journal))

  let over = false
  const isOver = () => over
  const sending = senders.flatMap((sender, i) =>
    ['octopus', 'tada', 'heart'].map((emoji, j) =>
      sendUntilOver({ sender, emoji, others: people, journal, roll: dice(seed + 10 * i + j + 1), isOver }),
    ),
  )
  const visiting = visitUntilOver(visitor, journal, isOver)
  const reading = readers.map((each) => each.reads(LAST_TOPIC))

  return {
    readers,
    async finish() {
      over = true
      await Promise.all(sending)
      // A client that waits is woken by this one, perhaps before the sender is answered.
      await boss.insist('POST', '/messages', {
        type: 'stream',
        to: 'general',
        topic: LAST_TOPIC,
        content: 'end',
      })
      await Promise.all(reading)
      const visits = await visiting
      await unread(journal)
      return visits
    },
  }
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
