import type { Db, SnapshotOptions, TxDb, WriteOptions } from '../storage/index.ts'
import { type CacheView, cacheOf, defineCacheById, type TxCacheView } from './cache.ts'
import type { Chat } from './chat.ts'
import { accountDeactivated } from './errors.ts'
import { storeOf } from './store.ts'
import { findUser, type User } from './user.ts'

/**
 * Runs an attempt at an account's password and counts it when it answers false. Throws RATE_LIMIT_HIT instead of
 * running it when there were too many wrong ones.
 */
export type PasswordGuard = (account: string, attempt: () => Promise<boolean>) => Promise<boolean>

/** Where work runs: the chat, a handle to read with, the way to write. Without a user: the server itself, or a stranger. */
export interface Context {
  readonly chat: Chat
  readonly db: Db
  /** The program speaking, as messages show it. */
  readonly client: string
  /** Base URL under which this caller reaches the server, without a trailing slash. */
  readonly origin: string
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined
  /** Counts wrong passwords; whoever calls from the same process is trusted without one. */
  readonly guardPassword?: PasswordGuard | undefined
  /** Runs the work in the one order of writes; inside a write it joins that write. */
  write<T>(work: (tx: SystemTx) => Promise<T>, options?: WriteOptions): Promise<T>
  /** Values that are read often, as this context may see them. */
  readonly cache: CacheView
}

/** A user asking. */
export interface Caller extends Context {
  readonly user: User
  /** The API key they signed in with; undefined for callers inside the process. */
  readonly key_id?: number | undefined
  /** What the client calls this one request, to be able to repeat it: actions that take it are carried out once. */
  readonly idempotencyKey?: string | undefined
  /** As `Context.write`; `tx.user` is read again first, and a deactivated user is refused (USER_DEACTIVATED). */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>
}

/** A context inside a write: may change things, and join them in one commit. */
export interface SystemTx extends Context {
  readonly db: TxDb
  /** Whether a power failure may take this write back after it was answered. */
  readonly relaxed: boolean
  /** Runs when the change is on disk; dropped if the write fails. */
  afterCommit(effect: () => void): void
  readonly cache: TxCacheView
}

/** A user's write. */
export interface Tx extends SystemTx {
  readonly user: User
  readonly key_id?: number | undefined
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

export interface CallerOptions {
  /** Name of the program, shown with the messages it sends. */
  client?: string
  /** Base URL for links in answers, without a trailing slash; the chat's own unless given. */
  origin?: string
  /** Ends a waiting `getEvents`. */
  signal?: AbortSignal | undefined
  /** Limits attempts at passwords, for whoever passes on the requests of strangers. */
  guardPassword?: PasswordGuard | undefined
  /** The API key the user signed in with. What they have open ends with it. */
  key_id?: number | undefined
  /** The same one action with the same key is carried out once in 24 hours, and answered alike each time. */
  idempotencyKey?: string | undefined
}

/** A context without a user, for public actions and for the server's own work. */
export function contextOf(chat: Chat, options: CallerOptions = {}): Context {
  const { client = 'chat-server', origin = chat.options.publicUrl, signal, guardPassword } = options
  const store = storeOf(chat)
  const cache = cacheOf(chat)
  return {
    chat,
    db: store.db,
    client,
    origin,
    signal,
    guardPassword,
    cache: cache.outside(store.db),
    write: (work, writeOptions) =>
      store.write((scope) => {
        const { db, relaxed, afterCommit } = scope
        const tx: SystemTx = {
          chat,
          db,
          client,
          origin,
          signal,
          relaxed,
          afterCommit,
          cache: cache.inside(scope),
          write: (inner) => inner(tx),
        }
        return work(tx)
      }, writeOptions),
  }
}

/** A caller for a user who was just looked up. Embedders use `actAs`, which looks up. */
export const callerOf = (chat: Chat, user: User, options: CallerOptions = {}): Caller =>
  callerIn(contextOf(chat, options), user, options)

function callerIn(context: Context, user: User, options: CallerOptions): Caller {
  const { key_id, idempotencyKey } = options
  return {
    ...context,
    user,
    key_id,
    idempotencyKey,
    write: (work, writeOptions) =>
      context.write(async (scope) => {
        const tx: Tx = { ...scope, user: await currentUser(scope, user.id), key_id, write: (inner) => inner(tx) }
        return work(tx)
      }, writeOptions),
  }
}

/** The same context in another user's name: the server's own messages are sent this way. */
export function onBehalfOf(tx: SystemTx, user: User): Tx
export function onBehalfOf(context: Context, user: User): Caller
export function onBehalfOf(context: Context | SystemTx, user: User): Caller {
  if (!('afterCommit' in context)) return callerIn(context, user, {})
  const tx: Tx = { ...context, user, key_id: undefined, write: (inner) => inner(tx) }
  return tx
}

/**
 * Runs reads that all see one moment of the database; long ones hold up nobody. `rows` tells about how many rows they
 * read. What `work` gets cannot write. Inside a write they see that write.
 */
export function atOneMoment<C extends Context, T>(
  context: C,
  work: (reader: C) => Promise<T>,
  options?: SnapshotOptions,
): Promise<T> {
  if ('afterCommit' in context) return work(context)
  const viewOn = cacheOf(context.chat).atMoment()
  const write = () => Promise.reject(new Error('nothing can be written where one moment is read'))
  return storeOf(context.chat).snapshot((db) => work({ ...context, db, cache: viewOn(db), write }), options)
}

const users = defineCacheById('user', findUser)

/** To be called by whatever changes a user's row. */
export const invalidateUser = (tx: SystemTx, user_id: number): void => users.invalidate(tx, user_id)

/** The user as they are now, from the cache. Throws USER_DEACTIVATED. */
export async function currentUser(context: Context, user_id: number): Promise<User> {
  const user = await users.get(context, user_id)
  if (!user?.is_active) throw accountDeactivated()
  return user
}
