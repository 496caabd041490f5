import type { Db, Soon } from '../../storage/index.ts'
import { defineService } from './service.ts'

/** Values in one generation of the cache. A value is dropped if it wasn't read for an entire generation. */
const MAX_VALUES = 10_000

type Load<V> = (db: Db) => Promise<V>

/** How a context reads cached values. */
export interface CacheView {
  /** Returns the value itself if it is in memory. */
  get<V>(key: string, load: Load<V>): Soon<V>
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
    get: (context: { cache: CacheView }): Soon<V> => context.cache.get(name, load),
    invalidate: (tx: { cache: TxCacheView }): void => tx.cache.invalidate(name),
  }
}

/** Like defineCache, with one value per id. */
export function defineCacheById<V, K extends number | string = number>(
  name: string,
  load: (db: Db, id: K) => Promise<V>,
) {
  return {
    get: (context: { cache: CacheView }, id: K): Soon<V> => context.cache.get(`${name}:${id}`, (db) => load(db, id)),
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
  // Two generations: a value that isn't read for a while is dropped with the older one. A promise is a value that is being
  // loaded.
  let young = new Map<string, unknown>()
  let old = new Map<string, unknown>()
  /** Incremented with each drop. */
  let drops = 0
  const changedIn = new WeakMap<object, Set<string>>()

  function find(key: string): unknown {
    const value = young.get(key)
    if (value !== undefined) return value
    const older = old.get(key)
    if (older !== undefined) keep(key, older)
    return older
  }
  function keep(key: string, value: unknown): void {
    if (young.size >= MAX_VALUES) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }
  function forget(key: string): void {
    young.delete(key)
    old.delete(key)
  }
  /** Replaces the promise for a value, unless the value was dropped since. */
  function settle(key: string, loading: Promise<unknown>, value: unknown): void {
    for (const values of [young, old]) replace(values, key, loading, value)
  }
  function get<V>(key: string, load: Load<V>, db: Db): Soon<V> {
    const cached = find(key)
    if (cached !== undefined) return cached as Soon<V>
    const loading = load(db)
    keep(key, loading)
    // Failures and missing values aren't cached, because the next read may find a value.
    loading.then(
      (value) => settle(key, loading, value),
      () => settle(key, loading, undefined),
    )
    return loading
  }

  return {
    outside: (db) => ({ get: (key, load) => get(key, load, db) }),
    inside({ db, transaction, afterCommit }) {
      /** Keys that this transaction has invalidated. All its writes share them. */
      let changed = changedIn.get(transaction)
      if (!changed) {
        changed = new Set()
        changedIn.set(transaction, changed)
      }
      const isChanged = (key: string) => changed.size > 0 && changed.has(key)
      /** Values that this write has announced, each once. */
      let invalidated: Set<string> | undefined
      /**
       * Values that this write has loaded. They may include its own changes, which aren't announced yet or may be
       * undone.
       */
      let own: Map<string, unknown> | undefined
      function loadOwn<V>(key: string, load: Load<V>): Promise<V> {
        const values = own ?? new Map<string, unknown>()
        own = values
        const loading = load(db)
        values.set(key, loading)
        loading.then(
          (value) => {
            replace(values, key, loading, value)
            if (value === undefined) return
            afterCommit(() => {
              if (!isChanged(key) && find(key) === undefined) keep(key, value)
            })
          },
          () => replace(values, key, loading, undefined),
        )
        return loading
      }
      return {
        get<V>(key: string, load: Load<V>): Soon<V> {
          if (isChanged(key)) return load(db)
          let known = own?.get(key)
          if (known === undefined) known = find(key)
          return known === undefined ? loadOwn(key, load) : (known as Soon<V>)
        },
        invalidate(key) {
          changed.add(key)
          own?.delete(key)
          invalidated ??= new Set()
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
        const own = new Map<string, unknown>()
        return {
          get<V>(key: string, load: Load<V>): Soon<V> {
            let value = own.get(key)
            // If nothing was dropped, the cached values equal the snapshot's.
            if (value === undefined && drops === before) value = find(key)
            if (value === undefined) value = loadOwn(key, () => load(db))
            own.set(key, value)
            return value as Soon<V>
          },
        }
        function loadOwn<V>(key: string, load: () => Promise<V>): Promise<V> {
          const loading = load()
          // Nothing was dropped since, so everyone would read this value.
          const share = (value: V) => {
            if (value !== undefined && drops === before && find(key) === undefined) keep(key, value)
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

/** Replaces the promise for a value, if it is still there. Undefined values are removed. */
function replace(values: Map<string, unknown>, key: string, loading: Promise<unknown>, value: unknown): void {
  if (values.get(key) !== loading) return
  if (value === undefined) values.delete(key)
  else values.set(key, value)
}

export const cacheOf = defineService<Cache>('cache')
