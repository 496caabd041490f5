import { performance } from 'node:perf_hooks'
import { createOrganization, hasOrganization } from '../../src/core/accounts/create-organization.ts'
import { createChatServer } from '../../src/http/server.ts'

/**
 * A server in a process of its own that says what its requests cost. Asked to begin `memory`, `buffers` or `blocks`, it
 * measures until it is asked to end, and answers with bytes beyond those at the beginning, or milliseconds of the longest time
 * that the event loop was held: those of the processor, where other processes took the rest.
 */
export interface Ready {
  url: string
  email: string
  key: string
}

const server = await createChatServer({ db: process.argv[2]!, passwordCost: 4, rateLimit: false })
const owner = { org: 'O', owner_email: 'o@example.com', owner_name: 'Olga', owner_password: 'correct horse' }
const { email, api_key: key } = (await hasOrganization(server.chat))
  ? { email: '', api_key: '' }
  : await createOrganization(server.chat, owner)

/** What is in use, without what only waits to be collected. */
function inUse(): number {
  // The second time ends the clearing away that the first began.
  globalThis.gc!()
  globalThis.gc!()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const probes = {
  memory() {
    const before = inUse()
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, inUse() - before)
    }, 60)
    return () => {
      clearInterval(timer)
      return most
    }
  },
  /** Those too that wait to be collected: nothing makes that happen sooner. */
  buffers() {
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }, 2)
    return () => {
      clearInterval(timer)
      return most
    }
  },
  blocks() {
    let longest = 0
    let running = true
    const tick = (wall: number, cpu: NodeJS.CpuUsage) => {
      const { user, system } = process.cpuUsage(cpu)
      longest = Math.max(longest, Math.min(performance.now() - wall, (user + system) / 1000))
      if (running) setImmediate(tick, performance.now(), process.cpuUsage())
    }
    setImmediate(tick, performance.now(), process.cpuUsage())
    return () => {
      running = false
      return longest
    }
  },
}

let end = () => 0
process.on('message', (message: keyof typeof probes | 'end') => {
  if (message === 'end') process.send!(end())
  else {
    end = probes[message]()
    process.send!('begun')
  }
})
process.on('disconnect', () => process.exit(0))
process.send!({ url: server.url, email, key } satisfies Ready)
