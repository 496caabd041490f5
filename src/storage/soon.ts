/**
 * A value that is here already, or a promise for it. Most of what a send reads is in memory, and an `await` takes longer than
 * such a read.
 */
export type Soon<T> = T | Promise<T>

/** Continues with a value: immediately if it is here. */
export const after = <T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value)
