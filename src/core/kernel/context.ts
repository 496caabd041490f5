import {
  after,
  type Db,
  type SnapshotOptions,
  type Soon,
  statement,
  type TxDb,
  type WriteOptions,
  type WriteScope,
} from '../../storage/index.ts'
import { type CacheView, cacheOf, defineCache, defineCacheById, type TxCacheView } from './cache.ts'
import type { Chat } from './chat.ts'
import { accountDeactivated, organizationDeactivated } from './errors.ts'
import { publicUrlOf } from './public-url.ts'
import type { Grant } from './scopes.ts'
import { storeOf } from './store.ts'
import { findUser, type User } from './user.ts'

/**
 * What a password check found. `off` is the right password of an account that can't use one. Its sender must not notice the
 * difference to a wrong one.
 */
export type PasswordVerdict = boolean | 'off'

/**
 * Runs a password check for an account, and counts it unless it returns true. After too many wrong passwords, it throws
 * RATE_LIMIT_HIT without running the check.
 */
export type PasswordGuard = <V extends PasswordVerdict>(account: string, attempt: () => Promise<V>) => Promise<V>

/**
 * The context of work: the chat, a handle for reading, `write`. Without a user it is the server itself, or a request
 * without credentials.
 */
export interface Context {
  readonly chat: Chat
  readonly db: Db
  /** Name of the client program, as messages show it. */
  readonly client: string
  /** Base URL under which this caller reaches the server, without a trailing slash. */
  readonly origin: string
  /** Aborted when the response is no longer needed. */
  readonly signal?: AbortSignal | undefined
  /** The client's IP address, for the audit log; undefined for callers in the same process. */
  readonly address?: string | undefined
  /** Counts wrong passwords. Missing for callers in the same process, which are trusted. */
  readonly guardPassword?: PasswordGuard | undefined
  /** Runs the work as one of the serialized writes. Inside a write it joins that write. */
  write<T>(work: (tx: SystemTx) => Soon<T>, options?: WriteOptions): Promise<T>
  /** The cache, as this context may see it. */
  readonly cache: CacheView
}

/** A context with a user, in whose name actions run. */
export interface Caller extends Context {
  readonly user: User
  /** The API key they signed in with; undefined for callers inside the process. */
  readonly key_id?: number | undefined
  /** What that key permits; undefined for a key without limits. */
  readonly grant?: Grant | undefined
  /** The client's name for this request. If the client repeats it, the action runs only once. */
  readonly idempotencyKey?: string | undefined
  /** Like `Context.write`, but reads `tx.user` again first and rejects a deactivated user (USER_DEACTIVATED). */
  write<T>(work: (tx: Tx) => Soon<T>, options?: WriteOptions): Promise<T>
}

/** A context inside a write: its changes are committed together. */
export interface SystemTx extends Context {
  readonly db: TxDb
  /** Whether a power failure may undo this write after it was answered. */
  readonly relaxed: boolean
  /** Runs the function when the change is on disk; drops it if the write fails. */
  afterCommit(effect: () => void): void
  readonly cache: TxCacheView
}

/** A user's write. */
export interface Tx extends SystemTx {
  readonly user: User
  readonly key_id?: number | undefined
  readonly grant?: Grant | undefined
  write<T>(work: (tx: Tx) => Soon<T>): Promise<T>
}

export interface CallerOptions {
  /** Name of the program, shown with the messages it sends. */
  client?: string
  /** Base URL for links in responses, without a trailing slash; the chat's own by default. */
  origin?: string
  /** The client's IP address, for the audit log. */
  address?: string | undefined
  /** Ends a waiting `getEvents` when it aborts. */
  signal?: AbortSignal | undefined
  /** Limits password attempts, for servers that forward requests of strangers. */
  guardPassword?: PasswordGuard | undefined
  /** The API key the user signed in with. Their open queues and polls end when it is revoked. */
  key_id?: number | undefined
  /** What that key permits; everything by default. */
  grant?: Grant | undefined
  /** The same action with the same key runs once in 24 hours, and returns the same response each time. */
  idempotencyKey?: string | undefined
}

/**
 * Creates a context without a user, for public actions and the server's own work.
 * @example
 * const settings = await getServerSettings(contextOf(chat))
 */
export function contextOf(chat: Chat, options: CallerOptions = {}): Context {
  const { client = 'chat-server', origin = publicUrlOf(chat), address, signal, guardPassword } = options
  const store = storeOf(chat)
  const cache = cacheOf(chat)
  const context: Context = {
    chat,
    db: store.db,
    client,
    origin,
    address,
    signal,
    guardPassword,
    cache: cache.outside(store.db),
    write: (work, writeOptions) => store.write((scope) => work(systemTx(context, scope)), writeOptions),
  }
  return context
}

function systemTx({ chat, client, origin, address, signal }: Context, scope: WriteScope): SystemTx {
  const { db, relaxed, afterCommit } = scope
  const cache = cacheOf(chat).inside(scope)
  const tx: SystemTx = {
    chat,
    db,
    client,
    origin,
    address,
    signal,
    relaxed,
    afterCommit,
    cache,
    write: async (inner) => inner(tx),
  }
  return tx
}

/** Field by field, because each request creates these, and spreading an object costs microseconds. */
function userTx(scope: SystemTx, user: User, { key_id, grant }: Pick<Caller, 'key_id' | 'grant'>): Tx {
  const { chat, db, client, origin, address, signal, relaxed, afterCommit, cache } = scope
  const tx: Tx = {
    chat,
    db,
    client,
    origin,
    address,
    signal,
    relaxed,
    afterCommit,
    cache,
    user,
    key_id,
    grant,
    write: async (inner) => inner(tx),
  }
  return tx
}

/** Returns a caller for a user who was just looked up. Embedders use `actAs`, which does the look-up. */
export const callerOf = (chat: Chat, user: User, options: CallerOptions = {}): Caller =>
  callerIn(contextOf(chat, options), user, options)

function callerIn(context: Context, user: User, options: CallerOptions): Caller {
  const { chat, db, client, origin, address, signal, guardPassword, cache } = context
  const { key_id, grant, idempotencyKey } = options
  return {
    chat,
    db,
    client,
    origin,
    address,
    signal,
    guardPassword,
    cache,
    user,
    key_id,
    grant,
    idempotencyKey,
    write: (work, writeOptions) =>
      context.write(
        (scope) => after(currentUser(scope, user.id), (current) => work(userTx(scope, current, options))),
        writeOptions,
      ),
  }
}

/** Returns the same context on behalf of another user, for messages of the server itself. */
export function onBehalfOf(tx: SystemTx, user: User): Tx
export function onBehalfOf(context: Context, user: User): Caller
export function onBehalfOf(context: Context | SystemTx, user: User): Caller {
  if (!('afterCommit' in context)) return callerIn(context, user, {})
  return userTx(context, user, {})
}

/** Returns the same caller with another grant, also inside their writes. */
export function withGrant(caller: Caller, grant: Grant | undefined): Caller {
  const inside = (outer: Tx): Tx => {
    const tx: Tx = { ...outer, grant, write: async (inner) => inner(tx) }
    return tx
  }
  if ('afterCommit' in caller) return inside(caller as Tx)
  return { ...caller, grant, write: (work, options) => caller.write((tx) => work(inside(tx)), options) }
}

/**
 * Runs reads that all see the database at one point in time. Long ones delay no one. `rows` is the approximate number
 * of rows they read. The context passed to `work` can't write. Inside a write, the reads see that write.
 */
export function inSnapshot<C extends Context, T>(
  context: C,
  work: (reader: C) => Promise<T>,
  options?: SnapshotOptions,
): Promise<T> {
  if ('afterCommit' in context) return work(context)
  const viewOn = cacheOf(context.chat).atMoment()
  const write = () => Promise.reject(new Error('a snapshot is read-only'))
  return storeOf(context.chat).snapshot((db) => work({ ...context, db, cache: viewOn(db), write }), options)
}

const users = defineCacheById('user', findUser)

/** Everything that changes a user's row must call it. */
export const invalidateUser = (tx: SystemTx, user_id: number): void => users.invalidate(tx, user_id)

const deactivation = statement((db, _: object) => db.selectFrom('organization').select('deactivated_at'))

/** Returns when the organization was deactivated, in seconds since 1970. */
export async function deactivatedSince(db: Db): Promise<number | undefined> {
  const [row] = await deactivation(db, {})
  return row?.deactivated_at ?? undefined
}

/** Whether people may use the organization; false after its owner has deactivated it. */
export const organizationIsOpen = defineCache(
  'organization-is-open',
  async (db) => (await deactivatedSince(db)) === undefined,
)

/** Throws REALM_DEACTIVATED. */
export async function requireOpenOrganization(context: Context): Promise<void> {
  if (!(await organizationIsOpen.get(context))) throw organizationDeactivated()
}

/** Returns the current user from the cache. Throws USER_DEACTIVATED, REALM_DEACTIVATED. */
export const currentUser = (context: Context, user_id: number): Soon<User> =>
  after(organizationIsOpen.get(context), (isOpen) => {
    if (!isOpen) throw organizationDeactivated()
    return after(users.get(context, user_id), requireActive)
  })

function requireActive(user: User | undefined): User {
  if (!user?.is_active) throw accountDeactivated()
  return user
}
