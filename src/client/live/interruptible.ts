import { deferred } from './deferred.ts'
import type { Timers } from './timers.ts'

/** What an event loop waits for, one thing at a time. Each wait can be interrupted. */
export interface Interruptible {
  /** Sends a request with a deadline. Resolves to undefined if it was interrupted. */
  ask<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T | undefined>
  /** Waits for a number of milliseconds, or until it is interrupted. */
  pause(ms: number): Promise<void>
  /** Ends the current request or pause. */
  interrupt(): void
}

/** @param deadline - in milliseconds; a longer request fails like one whose connection was lost */
export function interruptible(timers: Timers, deadline: number): Interruptible {
  let end = () => {}
  return {
    async ask(request) {
      const controller = new AbortController()
      let interrupted = false
      end = () => {
        interrupted = true
        controller.abort()
      }
      const cancel = timers.after(deadline, () => controller.abort())
      try {
        return await request(controller.signal)
      } catch (error) {
        if (interrupted) return undefined
        throw error
      } finally {
        cancel()
        end = () => {}
      }
    },
    async pause(ms) {
      const { promise, resolve } = deferred<void>()
      end = resolve
      const cancel = timers.after(ms, resolve)
      await promise
      cancel()
    },
    interrupt: () => end(),
  }
}
