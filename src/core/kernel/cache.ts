import type { Db } from '../../storage/index.ts'
import { defineService } from './service.ts'

/** Values in one generation of the cache. A value is dropped if it wasn't read for an entire generation. */
const MAX_VALUES = 10_000

type Load<V> = (db: Db) => Promise<V>

/** How a context reads cached values. */
export interface CacheView {
  get<V>(key: string, load: Load<V>): Promise<V>
}

/**
 * How a write reads cached values. Values that it has invalidated come from the database. Others drop them after the
 * commit.
 */
export interface TxCacheView extends CacheView {
  invalidate(key: string): void
}

/**
 * Defines a cached value that is read often and changed rarely, such as the settings. Writes that change its source
 * call `invalidate`.
 * @example
 * export const groupGraph = defineCache('groups', loadGraph)
 * const graph = await groupGraph.get(caller)
 */
export function defineCache<V>(name: string, load: Load<V>) {
  return {
    key: name,
    get: (context: { cache: CacheView }): Promise<V> => context.cache.get(name, load),
    invalidate: (tx: { cache: TxCacheView }): void => tx.cache.invalidate(name),
  }
}

/** Like defineCache, with one value per id. */
export function defineCacheById<V, K extends number | string = number>(
  name: string,
  load: (db: Db, id: K) => Promise<V>,
) {
  return {
    get: (context: { cache: CacheView }, id: K): Promise<V> => context.cache.get(`${name}:${id}`, (db) => load(db, id)),
    invalidate: (tx: { cache: TxCacheView }, id: K): void => tx.cache.invalidate(`${name}:${id}`),
  }
}

/** The cache that all contexts of a chat share: committed values, at most 20,000. */
export interface Cache {
  /** Reads of committed data, outside any transaction. */
  outside(db: Db): CacheView
  /** Reads inside a write. Writes of one transaction see each other's changes. */
  inside(scope: { db: Db; transaction: object; afterCommit(effect: () => void): void }): TxCacheView
  /** Reads at one point in time, from a snapshot that begins after this call. */
  atMoment(): (db: Db) => CacheView
  /** Drops values that a committed write changed, here or in another process. */
  drop(keys: readonly string[]): void
  /** Drops all values, because it is unknown which have changed. */
  dropAll(): void
}

/** Records, with the change itself, what other processes must drop. */
export type RecordForPeers = (db: Db, key: string) => void

/**
 * @param announce - called after the commit; calls `drop` in this process
 * @param record - called in the write, for all other processes
 */
export function createCache(announce: (keys: readonly string[]) => void, record?: RecordForPeers): Cache {
  // Two generations: a value that isn't read for a while is dropped with the older one.
  let young = new Map<string, Promise<unknown>>()
  let old = new Map<string, Promise<unknown>>()
  /** Incremented with each drop. */
  let drops = 0
  const changedIn = new WeakMap<object, Set<string>>()

  function find(key: string): Promise<unknown> | undefined {
    const value = young.get(key)
    if (value) return value
    const older = old.get(key)
    if (older) keep(key, older)
    return older
  }
  function keep(key: string, value: Promise<unknown>): void {
    if (young.size >= MAX_VALUES) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }
  function forget(key: string, value?: Promise<unknown>): void {
    for (const values of [young, old]) if (value === undefined || values.get(key) === value) values.delete(key)
  }
  function get<V>(key: string, load: Load<V>, db: Db): Promise<V> {
    const cached = find(key)
    if (cached) return cached as Promise<V>
    const loading = load(db)
    keep(key, loading)
    // Failures and missing values aren't cached, because the next read may find a value.
    loading.then(
      (value) => value === undefined && forget(key, loading),
      () => forget(key, loading),
    )
    return loading
  }

  return {
    outside: (db) => ({ get: (key, load) => get(key, load, db) }),
    inside({ db, transaction, afterCommit }) {
      /** Values that this write has announced, each once. */
      const invalidated = new Set<string>()
      const isChanged = (key: string) => changedIn.get(transaction)?.has(key) === true
      /**
       * Values that this write has loaded. They may include its own changes, which aren't announced yet or may be
       * undone.
       */
      let own: Map<string, Promise<unknown>> | undefined
      function loadOwn<V>(key: string, load: Load<V>): Promise<V> {
        own ??= new Map()
        const loading = load(db)
        own.set(key, loading)
        const share = () => {
          if (!isChanged(key) && !find(key)) keep(key, loading)
        }
        loading.then(
          (value) => (value === undefined ? own?.delete(key) : afterCommit(share)),
          () => own?.delete(key),
        )
        return loading
      }
      return {
        get<V>(key: string, load: Load<V>) {
          if (isChanged(key)) return load(db)
          const known = own?.get(key) ?? find(key)
          return known ? (known as Promise<V>) : loadOwn(key, load)
        },
        invalidate(key) {
          const changed = changedIn.get(transaction) ?? new Set()
          changedIn.set(transaction, changed.add(key))
          own?.delete(key)
          if (invalidated.has(key)) return
          invalidated.add(key)
          record?.(db, key)
          afterCommit(() => announce([key]))
        },
      }
    },
    atMoment() {
      const before = drops
      return (db) => {
        const own = new Map<string, Promise<unknown>>()
        return {
          get<V>(key: string, load: Load<V>): Promise<V> {
            // If nothing was dropped, the cached values equal the snapshot's.
            const value = own.get(key) ?? (drops === before ? find(key) : undefined) ?? loadOwn(key, () => load(db))
            own.set(key, value)
            return value as Promise<V>
          },
        }
        function loadOwn<V>(key: string, load: () => Promise<V>): Promise<V> {
          const loading = load()
          // Nothing was dropped since, so everyone would read this value.
          const share = (value: V) => {
            if (value !== undefined && drops === before && !find(key)) keep(key, loading)
          }
          loading.then(share, () => {})
          return loading
        }
      }
    },
    drop(keys) {
      drops++
      for (const key of keys) forget(key)
    },
    dropAll() {
      drops++
      young = new Map()
      old = new Map()
    },
  }
}

export const cacheOf = defineService<Cache>('cache')
