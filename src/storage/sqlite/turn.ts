/**
 * Whose turn it is on the connection, and whether whoever comes along is inside it.
 *
 * Work that awaits only the database lives in one run of the microtask queue, where nothing foreign can run. So whoever
 * comes by another way before that queue is empty is inside the work, and waiting for it would be waiting for itself.
 * AsyncLocalStorage would tell the same at a quarter more processor time a send.
 */
export interface Turn {
  /**
   * A group of jobs begins; `end` when it is over. Only those that write must await nothing else than the database: who
   * reads for long gives others a turn of the event loop.
   */
  begin(kind: 'writes' | 'reads'): void
  end(): void
  /** A job of the group begins; undefined when it is over. */
  set(job: object | undefined): void
  is(job: object): boolean
  /** Whether a job runs at all. */
  readonly taken: boolean
  /** Whether the caller of this is inside the running job. */
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
      process.nextTick(() => {
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
