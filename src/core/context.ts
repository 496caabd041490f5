import type { Db, TxDb } from '../storage/connection.ts'
import { StorageError } from '../storage/errors.ts'
import type { Chat } from './chat.ts'
import { accountDeactivated } from './errors.ts'
import { memoOf } from './memo.ts'
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
  /** Runs the work in the one write path; inside a write it joins that write. */
  write<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
  /** A cached value; read again inside a write that changed it. */
  memo<T>(key: string, load: (db: Db) => Promise<T>): Promise<T>
}

/** A user asking. */
export interface Caller extends Context {
  readonly user: User
  /** The API key they signed in with; undefined for callers inside the process. */
  readonly key_id?: number | undefined
  /** What the client calls this one request, to be able to repeat it: actions that take it are carried out once. */
  readonly idempotencyKey?: string | undefined
  /** As `Context.write`; `tx.user` is read again first, and a deactivated user is refused (USER_DEACTIVATED). */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** A context inside a write: may change things, and join them in one commit. */
export interface SystemTx extends Context {
  readonly db: TxDb
  /** Runs when the change is on disk; forgotten if the write fails. */
  afterCommit(effect: () => void): void
  /** The write changes what `memo` keeps under this key. */
  forget(key: string): void
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
  const cache = memoOf(chat)
  return {
    chat,
    db: store.db,
    client,
    origin,
    signal,
    guardPassword,
    memo: (key, load) => cache.get(key, () => load(store.db)),
    write: (work) =>
      store
        .write(async (scope) => {
          const changed = new Set<string>()
          const tx: SystemTx = {
            chat,
            client,
            origin,
            signal,
            ...scope,
            write: (inner) => inner(tx),
            memo: (key, load) => (changed.has(key) ? load(tx.db) : cache.get(key, () => load(tx.db))),
            forget: (key) => void changed.add(key),
          }
          try {
            return await work(tx)
          } finally {
            // Before the next write of the same commit reads it, and also when this one failed.
            for (const key of changed) cache.forget(key)
          }
        })
        .catch((error: unknown) => {
          // The whole commit failed: what its later writes read of the earlier ones was never true.
          if (error instanceof StorageError) cache.clear()
          throw error
        }),
  }
}

/** A caller for a user who was just looked up. Embedders use `actAs`, which looks up. */
export function callerOf(chat: Chat, user: User, options: CallerOptions = {}): Caller {
  const context = contextOf(chat, options)
  const { key_id, idempotencyKey } = options
  return {
    ...context,
    user,
    key_id,
    idempotencyKey,
    write: (work) =>
      context.write(async (scope) => {
        const tx: Tx = { ...scope, user: await currentUser(scope, user.id), key_id, write: (inner) => inner(tx) }
        return work(tx)
      }),
  }
}

/** The same context in another user's name: the server's own messages are sent this way. */
export function onBehalfOf(tx: SystemTx, user: User): Tx
export function onBehalfOf(context: Context, user: User): Caller
export function onBehalfOf(context: Context | SystemTx, user: User): Caller {
  if (!('afterCommit' in context)) return callerOf(context.chat, user, { ...context, key_id: undefined })
  const tx: Tx = { ...context, user, key_id: undefined, write: (inner) => inner(tx) }
  return tx
}

export const userKey = (user_id: number): string => `user:${user_id}`

/** The user as they are now, from the cache. Throws USER_DEACTIVATED. */
export async function currentUser(context: Context, user_id: number): Promise<User> {
  const user = await context.memo(userKey(user_id), (db) => findUser(db, user_id))
  if (!user?.is_active) throw accountDeactivated()
  return user
}
