import { openStore } from '../storage/index.ts'
import type { Chat, ChatOptions } from './chat.ts'
import { seconds, systemClock } from './clock.ts'
import { busOf, createBus, RECENT } from './event-log/bus.ts'
import { headOfLog, newestOfLog } from './event-log/log.ts'
import { startSweeping } from './event-queues/sweep.ts'
import { DEFAULT_MAX_EMOJI_FILE_SIZE_MIB } from './limits.ts'
import { createMemo, memoOf } from './memo.ts'
import { startScheduler } from './messages/scheduled/scheduler.ts'
import { schedulerOf } from './messages/send/schedule.ts'
import { systemRandom } from './random.ts'
import { indexerOf, startSearchIndexer } from './search/indexer.ts'
import { secretOf } from './secret.ts'
import { storeOf } from './store.ts'
import { loadPepper } from './users/pepper.ts'

/**
 * Opens a chat on a database file, creating it when there is none.
 *
 * @throws StorageError when the file is in use by another process, is no chat-server database, or cannot be written.
 * @example
 * await using chat = await openChat({ db: 'chat.db' })
 */
export async function openChat(options: ChatOptions = {}): Promise<Chat> {
  const { clock = systemClock, random = systemRandom, db: file = ':memory:', onBroken, log = () => {} } = options
  const store = await openStore({ file, now: () => seconds(clock), ...(onBroken && { onBroken }) })
  try {
    const bus = createBus(await headOfLog(store.db), await newestOfLog(store.db, RECENT / 4))
    const hasKeys = await store.db.selectFrom('api_key').select('id').limit(1).executeTakeFirst()
    const secret = loadPepper(file, random, (path) => {
      if (hasKeys)
        log(`${path} was missing: a new one was made, and no API key from before works; people sign in with passwords`)
    })
    const chat: Chat = {
      clock,
      random,
      openedAt: seconds(clock),
      options: {
        publicUrl: options.publicUrl ?? 'http://localhost',
        maxEmojiFileSizeMib: options.maxEmojiFileSizeMib ?? DEFAULT_MAX_EMOJI_FILE_SIZE_MIB,
        passwordCost: options.passwordCost ?? 15,
        log,
      },
      async close() {
        scheduler.stop()
        indexer.stop()
        stopSweeping()
        bus.close()
        await store.close()
      },
      [Symbol.asyncDispose]: () => chat.close(),
    }
    storeOf.provide(chat, store)
    memoOf.provide(chat, createMemo())
    secretOf.provide(chat, secret)
    busOf.provide(chat, bus)
    const scheduler = startScheduler(chat)
    schedulerOf.provide(chat, scheduler)
    const indexer = startSearchIndexer(chat)
    indexerOf.provide(chat, indexer)
    const stopSweeping = startSweeping(chat)
    scheduler.wake()
    indexer.wake()
    return chat
  } catch (error) {
    await store.close()
    throw error
  }
}
