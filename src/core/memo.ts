import { defineService } from './service.ts'

/**
 * Values read often and changed rarely (settings, group membership, emoji), kept in memory. This process owns the
 * database, so what it forgets on its own writes is always true.
 */
export interface Memo {
  get<T>(key: string, load: () => Promise<T>): Promise<T>
  forget(key: string): void
  /** What was read in a commit that failed was never true. */
  clear(): void
}

export function createMemo(): Memo {
  const values = new Map<string, Promise<unknown>>()
  return {
    get<T>(key: string, load: () => Promise<T>): Promise<T> {
      const known = values.get(key) as Promise<T> | undefined
      if (known) return known
      const loading = load()
      values.set(key, loading)
      loading.catch(() => values.get(key) === loading && values.delete(key))
      return loading
    },
    forget(key) {
      values.delete(key)
    },
    clear() {
      values.clear()
    },
  }
}

export const memoOf = defineService<Memo>('cache')
