import type { PeerGossip } from '../../core/events/log/peer-gossip.ts'
import type { Clock } from '../../core/kernel/base/clock.ts'
import { type Counters, memoryCounters } from './counters.ts'
import type { Rate } from './rates.ts'

/** What was taken here is said so often: the nodes together let pass what is taken within this time, at most, too much. */
const SAY_EVERY_MS = 100

/** What has been taken since the last message, by key; a key without a rate was reset. */
type Taken = [key: string, count: number, requests: number, seconds: number] | [key: string]

/**
 * Counters that several nodes share: each counts in memory, says what was taken there, and takes off what is taken at
 * the others. No request waits for that.
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
