import { setTimeout as delay } from 'node:timers/promises'
import { createOrganization, hasOrganization } from '../../src/core/accounts/create-organization.ts'
import { busOf } from '../../src/core/events/log/bus.ts'
import { openChat } from '../../src/core/open-chat.ts'
import { createChatServer } from '../../src/http/index.ts'
import { actAs, type Caller, createUser, getEvents, register, sendMessage } from '../../src/index.ts'

export const CONTENT = 'The quick brown fox jumps over the lazy dog, and says so in the stream.'
export const OWNER = { org: 'Bench', owner_email: 'o@example.com', owner_name: 'Olga', owner_password: 'correct horse' }

/** How many readers to add, how many senders send for how many seconds, how many messages to send slowly, or the time used. */
export type Question = { readers: number } | { senders: number; seconds: number } | { steady: number } | 'cpu'

/** A node, which answers its parent's questions. */
export async function serveNode(db: string): Promise<void> {
  const chat = await openChat({ db, passwordCost: 4 })
  const owner = (await hasOrganization(chat)) ? undefined : await createOrganization(chat, OWNER)
  const server = await createChatServer({ chat, port: 0, rateLimit: false })
  let delivered = 0
  async function read(caller: Caller): Promise<void> {
    const { queue_id, ...registered } = await register(caller, { event_types: ['message'], fetch_event_types: [] })
    let { last_event_id } = registered
    for (;;) {
      const { events } = await getEvents(caller, { queue_id, last_event_id })
      delivered += events.length
      last_event_id = events.at(-1)?.id ?? last_event_id
    }
  }
  async function send(senders: number, seconds: number): Promise<number> {
    const caller = await actAs(chat, { email: OWNER.owner_email })
    const end = performance.now() + seconds * 1000
    let count = 0
    const sender = async () => {
      while (performance.now() < end) {
        await sendMessage(caller, { type: 'stream', to: 'general', topic: 'bench', content: CONTENT })
        count++
      }
    }
    await Promise.all(Array.from({ length: senders }, sender))
    return count
  }
  /** Sends so many messages, one each 200 ms. */
  async function sendSteadily(count: number): Promise<void> {
    const caller = await actAs(chat, { email: OWNER.owner_email })
    for (let i = 0; i < count; i++) {
      await sendMessage(caller, { type: 'stream', to: 'general', topic: 'bench', content: CONTENT })
      await delay(200)
    }
  }
  async function answer(question: Question): Promise<void> {
    const before = process.cpuUsage()
    if (question !== 'cpu' && 'steady' in question) {
      await sendSteadily(question.steady)
      process.send?.({ cpu: process.cpuUsage(), delivered })
      return
    }
    if (question !== 'cpu' && 'senders' in question) {
      const count = await send(question.senders, question.seconds)
      process.send?.({ cpu: process.cpuUsage(before), count })
      return
    }
    if (question !== 'cpu') {
      const reader = await actAs(chat, { email: OWNER.owner_email })
      const email = `reader${process.pid}@example.com`
      let caller = reader
      for (let i = 0; i < question.readers; i++) {
        // An account has a limited number of queues.
        if (i % 100 === 0) {
          await createUser(reader, {
            email: `${i}.${email}`,
            full_name: `reader ${process.pid} ${i}`,
            password: OWNER.owner_password,
          })
          caller = await actAs(chat, { email: `${i}.${email}` })
        }
        read(caller).catch((error) => process.send && console.error(error))
      }
      while (busOf(chat).waiting() < question.readers) await delay(50)
    }
    process.send?.({ cpu: process.cpuUsage(), delivered })
  }
  process.on('message', (question: Question) => void answer(question))
  process.on('disconnect', () => process.exit())
  process.send?.({ port: server.port, key: owner?.api_key })
}
