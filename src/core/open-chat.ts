import { type OpenOptions, openStore, type Store } from '../storage/open.ts'
import { type Clock, seconds, systemClock } from './clock.ts'
import { createHub, type Hub, RECENT } from './event-log/bus.ts'
import { headOfLog, newestOfLog } from './event-log/log.ts'
import { startSweeping } from './event-queues/sweep.ts'
import { DEFAULT_MAX_EMOJI_FILE_SIZE_MIB } from './limits.ts'
import { createMemo, type Memo } from './memo.ts'
import { type Scheduler, startScheduler } from './messages/scheduled/scheduler.ts'
import { type SearchIndexer, startSearchIndexer } from './search/indexer.ts'
import { type Random, systemRandom } from './random.ts'
import { loadPepper } from './users/pepper.ts'

export interface ChatOptions {
  /** Database file, or ':memory:' (the default). */
  db?: string
  /** Base URL of the server as clients reach it, without a trailing slash. */
  publicUrl?: string
  /** Server setting MAX_EMOJI_FILE_SIZE_MIB (specification, Limits). */
  maxEmojiFileSizeMib?: number
  clock?: Clock
  random?: Random
  /** Cost of password hashing as a power of two; tests lower it. */
  passwordCost?: number
  /** Where unexpected failures are told. */
  log?: (message: string, details?: object) => void
  /** The disk failed; the chat takes no more writes. */
  onBroken?: OpenOptions['onBroken']
}

/** An open chat: its database, its clock, and who is waiting for news. */
export interface Chat extends AsyncDisposable {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly memo: Memo
  readonly hub: Hub
  readonly scheduler: Scheduler
  readonly indexer: SearchIndexer
  /** Secret under which API keys are hashed; it lives beside the database, not in it. */
  readonly pepper: Uint8Array
  readonly options: Required<Pick<ChatOptions, 'publicUrl' | 'maxEmojiFileSizeMib' | 'passwordCost' | 'log'>>
  /** When this process opened the chat, seconds. */
  readonly openedAt: number
  close(): Promise<void>
}

/**
 * Opens a chat on a database file, creating it when there is none.
 *
 * @example
 * await using chat = await openChat({ db: 'chat.db' })
 */
export async function openChat(options: ChatOptions = {}): Promise<Chat> {
  const { clock = systemClock, random = systemRandom, db: file = ':memory:', onBroken } = options
  const store = await openStore({ file, now: () => seconds(clock), ...(onBroken && { onBroken }) })
  try {
    const hub = createHub(await headOfLog(store.db), await newestOfLog(store.db, RECENT / 4))
    let stopSweeping = () => {}
    const log = options.log ?? (() => {})
    const hasKeys = await store.db.selectFrom('api_key').select('id').limit(1).executeTakeFirst()
    const pepper = loadPepper(file, random, (path) => {
      if (hasKeys)
        log(`${path} was missing: a new one was made, and no API key from before works; people sign in with passwords`)
    })
    const chat: Chat = {
      store,
      clock,
      random,
      hub,
      memo: createMemo(),
      scheduler: startScheduler(() => chat),
      indexer: startSearchIndexer(() => chat),
      pepper,
      openedAt: seconds(clock),
      options: {
        publicUrl: options.publicUrl ?? 'http://localhost',
        maxEmojiFileSizeMib: options.maxEmojiFileSizeMib ?? DEFAULT_MAX_EMOJI_FILE_SIZE_MIB,
        passwordCost: options.passwordCost ?? 15,
        log,
      },
      async close() {
        chat.scheduler.stop()
        chat.indexer.stop()
        stopSweeping()
        hub.close()
        await store.close()
      },
      [Symbol.asyncDispose]: () => chat.close(),
    }
    stopSweeping = startSweeping(chat)
    chat.scheduler.wake()
    chat.indexer.wake()
    return chat
  } catch (error) {
    await store.close()
    throw error
  }
}
