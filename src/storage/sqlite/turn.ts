import { timers } from '../timers.ts'

/**
 * Tracks which job is running on the connection, and whether the calling code is inside it.
 *
 * Work that awaits only the database runs within one drain of the microtask queue, in which no other code can
 * run. So any call before that queue is empty comes from inside the work, and waiting for the work would be a
 * deadlock. AsyncLocalStorage would do the same at a quarter more processor time per send.
 */
export interface Turn {
  /**
   * To be called when a group of jobs begins; `end` when it is over. Only those that write must await nothing else
   * than the database: who
   * reads for long gives others a turn of the event loop.
   */
  begin(kind: 'writes' | 'reads'): void
  end(): void
  /** To be called with a job of the group when it begins, with undefined when it is over. */
  set(job: object | undefined): void
  is(job: object): boolean
  /** Whether any job is running. */
  readonly taken: boolean
  /** Whether the calling code is inside the running job. */
  readonly isInside: boolean
}

/** `onForeignAwait` is called when a job that writes awaits something else than the database, so that all others wait for that. */
export function createTurn(onForeignAwait: () => void = () => {}): Turn {
  let group: object | undefined
  let current: object | undefined
  let foreign = false
  return {
    begin(kind) {
      const begun = {}
      group = begun
      foreign = false
      // Ticks run when the microtask queue is empty.
      timers.nextTick(() => {
        if (group !== begun) return
        foreign = true
        if (kind === 'writes') onForeignAwait()
      })
    },
    end() {
      group = undefined
    },
    set(job) {
      current = job
    },
    is: (job) => current === job,
    get taken() {
      return current !== undefined
    },
    get isInside() {
      return current !== undefined && !foreign
    },
  }
}
