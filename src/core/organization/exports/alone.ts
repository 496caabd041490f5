import { rm } from 'node:fs/promises'
import type { PeerLock } from '../../../storage/index.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Context, contextOf } from '../../kernel/context.ts'
import { storeOf } from '../../kernel/store.ts'

/** How long work waits for another process before it looks again. */
const LOOK_MS = 1000
/** Names of files that only an unfinished export has. Nothing else is removed. */
const UNFINISHED = /\.(?:partial|work|export)$|chat-server-export-\d+$/

interface Alone {
  signal: AbortSignal
  /** Files and folders that the work removes, unless it is killed. */
  leaves: readonly string[]
  /** Called if another process has to finish first. */
  onWait: () => void
}

/**
 * Runs an export while no other process that shares the database runs one. First it removes what killed exports left.
 */
export async function aloneAmongPeers<T>(
  chat: Chat,
  work: () => Promise<T>,
  { signal, leaves, onWait }: Alone,
): Promise<T> {
  const unlock = await lockAmongPeers(chat, 'export', signal, onWait)
  const context = contextOf(chat)
  try {
    await removeLeft(context)
    await context.write(({ db }) =>
      db
        .insertInto('export_file')
        .values(leaves.map((path) => ({ path })))
        .execute(),
    )
    try {
      return await work()
    } finally {
      // If it fails, the next export removes files that are not there.
      await forget(context).catch(() => {})
    }
  } finally {
    await unlock()
  }
}

/** Waits until no other process holds a lock. Returns what unlocks it. */
export async function lockAmongPeers(
  chat: Chat,
  name: PeerLock,
  signal: AbortSignal,
  onWait: () => void,
): Promise<() => Promise<void>> {
  const { peers } = storeOf(chat)
  if (!peers) return async () => {}
  for (let isFirst = true; ; isFirst = false) {
    signal.throwIfAborted()
    const unlock = await peers.tryLock(name)
    if (unlock) return unlock
    if (isFirst) onWait()
    await pause(chat, signal)
  }
}

const pause = ({ clock }: Chat, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.after(LOOK_MS, end)
    signal.addEventListener('abort', end)
  })

async function removeLeft(context: Context): Promise<void> {
  const rows = await context.db.selectFrom('export_file').select('path').execute()
  for (const { path } of rows) if (UNFINISHED.test(path)) await rm(path, { recursive: true, force: true })
  if (rows.length > 0) await forget(context)
}

const forget = (context: Context): Promise<unknown> => context.write(({ db }) => db.deleteFrom('export_file').execute())
