import type { PeerGossip } from '../../core/events/log/peer-gossip.ts'
import type { Clock } from '../../core/kernel/base/clock.ts'
import { type Counters, memoryCounters } from './counters.ts'
import type { Rate } from './rates.ts'

/**
 * How often a node announces what it took, in milliseconds. Together the nodes may exceed a limit by at most what is
 * taken within this time.
 */
const SAY_EVERY_MS = 100

/** Tokens taken since the last message, by key. A key without a rate was reset. */
type Taken = [key: string, count: number, requests: number, seconds: number] | [key: string]

/**
 * Creates counters that several nodes share. Each node counts in memory, announces what it took, and subtracts what
 * others took. Requests never wait for that.
 */
export function sharedCounters(clock: Clock, gossip: PeerGossip): Counters {
  const own = memoryCounters(clock)
  let unsaid = new Map<string, Taken>()
  let scheduled = false

  function note(key: string, count: number, rate: Rate): void {
    const known = unsaid.get(key)
    const before = known && known.length > 1 ? (known[1] as number) : 0
    unsaid.set(key, [key, before + count, rate.requests, rate.seconds])
    saySoon()
  }
  function saySoon(): void {
    if (scheduled) return
    scheduled = true
    gossip.after(SAY_EVERY_MS, say)
  }
  function say(): void {
    scheduled = false
    const all = [...unsaid.values()]
    unsaid = new Map()
    gossip.say('counts', all)
  }
  gossip.on('counts', (batch) => {
    for (const [key, count, requests, seconds] of batch as Taken[]) {
      if (count === undefined) own.reset(key)
      else own.takeOff(key, count, { requests: requests!, seconds: seconds! })
    }
  })

  return {
    take(key, rate) {
      const level = own.take(key, rate)
      if (level.taken) note(key, 1, rate)
      return level
    },
    giveBack(key, rate) {
      own.giveBack(key, rate)
      note(key, -1, rate)
    },
    reset(key) {
      own.reset(key)
      unsaid.set(key, [key])
      saySoon()
    },
  }
}
