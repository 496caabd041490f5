export interface Deferred<T> {
  promise: Promise<T>
  resolve(value: T): void
  reject(error: unknown): void
}

/** Returns a promise with its resolvers. Some browsers lack `Promise.withResolvers`. */
export function deferred<T>(): Deferred<T> {
  let settle!: Pick<Deferred<T>, 'resolve' | 'reject'>
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, ...settle }
}
