import type { Selectable } from 'kysely'
import type { Db, TxDb } from '../storage/connection.ts'
import { StorageError } from '../storage/errors.ts'
import type { UserTable } from '../storage/tables/users.ts'
import type { Chat } from './open-chat.ts'

export type User = Omit<Selectable<UserTable>, 'password_hash'>

/** Whoever asks, known or not yet. */
export interface Visitor {
  readonly chat: Chat
  readonly db: Db
  /** The program speaking, as messages show it. */
  readonly client: string
  /** Base URL under which this caller reaches the server, without a trailing slash. */
  readonly origin: string
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined
  /** Runs the work in the one write path; inside a write it joins that write. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A value of `chat.memo`; read afresh inside a write that changed it. */
  memo<T>(key: string, load: (db: Db) => Promise<T>): Promise<T>
}

/** A known user asking. */
export interface Caller extends Visitor {
  readonly user: User
}

/** A caller inside a write: may change things, and join them in one commit. */
export interface Tx extends Caller {
  readonly db: TxDb
  /** Runs when the change is on disk; forgotten if the write fails. */
  afterCommit(effect: () => void): void
  /** The write changes what `memo` keeps under this key. */
  forget(key: string): void
}

export interface CallerOptions {
  client?: string
  origin?: string
  signal?: AbortSignal | undefined
}

export function visitor(chat: Chat, options: CallerOptions = {}): Visitor {
  return nobody(chat, options)
}

/** The server itself at work, or somebody unknown: whatever runs for it never looks at `user`. */
export const nobody = (chat: Chat, options: CallerOptions = {}): Caller =>
  actingAs(chat, undefined as unknown as User, options)

/** A caller for this user, for embedders and for each request. */
export function actingAs(chat: Chat, user: User, options: CallerOptions = {}): Caller {
  const { client = 'chat-server', origin = chat.options.publicUrl, signal } = options
  const { db, write } = chat.store
  return {
    chat,
    db,
    user,
    client,
    origin,
    signal,
    memo: (key, load) => chat.memo.get(key, () => load(db)),
    write: (work) =>
      write(async (scope) => {
        const changed = new Set<string>()
        const tx: Tx = {
          chat,
          user,
          client,
          origin,
          signal,
          ...scope,
          write: (inner) => inner(tx),
          memo: (key, load) => (changed.has(key) ? load(tx.db) : chat.memo.get(key, () => load(tx.db))),
          forget: (key) => void changed.add(key),
        }
        try {
          return await work(tx)
        } finally {
          // Before the next write of the same commit reads it, and also when this one failed.
          for (const key of changed) chat.memo.forget(key)
        }
      }).catch((error: unknown) => {
        // The whole commit failed: what its later writes read of the earlier ones was never true.
        if (error instanceof StorageError) chat.memo.clear()
        throw error
      }),
  }
}

/** The same caller or write in another user's name; the server's own words are said this way. */
export const as = <C extends Caller>(caller: C, user: User): C => {
  const other: C = { ...caller, user }
  return 'afterCommit' in other ? Object.assign(other, { write: (inner: (tx: C) => unknown) => inner(other) }) : other
}
