import { deferred } from './deferred.ts'
import type { Timers } from './timers.ts'

/** What an event loop waits for, one thing at a time; all of it can be ended from outside. */
export interface Interruptible {
  /** Asks with a deadline; undefined when it was interrupted. */
  ask<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T | undefined>
  /** Waits so many milliseconds, or until it is interrupted. */
  pause(ms: number): Promise<void>
  /** Ends the request under way, or the pause. */
  interrupt(): void
}

/** `deadline` is in milliseconds: a request that takes longer fails as one whose connection is lost. */
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
