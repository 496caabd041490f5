import type { Client } from './client.ts'
import { isRefused } from './is-refused.ts'
import { backoff } from './live/backoff.ts'
import type { Live } from './live/live.ts'
import { systemTimers, type Timers } from './live/timers.ts'
import { newId as randomId } from './new-id.ts'
import type { OutboxEntry, OutboxStorage, Outgoing } from './outbox-entry.ts'

export interface Outbox {
  /** In the order they were written. A sent message stays until its event arrives, a held one until a moderator decides. */
  readonly entries: readonly OutboxEntry[]
  /** Sends a message. Returns the entry's local id immediately. */
  send(message: Outgoing): string
  /** Sends a failed message again, as a new message. */
  retry(local_id: string): void
  /** Removes a failed message. */
  discard(local_id: string): void
  onChange(listener: () => void): () => void
}

/** How long the server recognizes a repetition, with some margin. */
const REPEATABLE_MS = 23 * 3600 * 1000

/** How long a message waits to be stored before it is sent. A browser's database may hang. */
const STORING_MS = 2000

/**
 * Sends messages in the order they were written, and retries each until the result is known. The server recognizes
 * repetitions, so no message is doubled after a lost response, a restart or a reload. If a message may have been sent
 * but is too old to be recognized, it fails, and its writer decides.
 * @example
 * const outgoing = outbox(client, session)
 * outgoing.send({ type: 'stream', to: 7, topic: 'plans', content: 'Hello' })
 */
export function outbox(
  client: Client,
  session: Live,
  { storage, timers = systemTimers, random = Math.random, newId = randomId }: OutboxOptions = {},
): Outbox {
  let entries: readonly OutboxEntry[] = []
  const listeners = new Set<() => void>()
  /** Pending operations on the storage. Loading comes first. */
  let stored: Promise<unknown> = storage ? storage.load().then(takeSaved) : Promise.resolve()
  let busy = false
  let failures = 0

  const change = (next: readonly OutboxEntry[]): void => {
    entries = next
    if (storage) stored = stored.catch(() => {}).then(() => storage.save(entries))
    for (const listener of listeners) listener()
  }
  function takeSaved(saved: readonly OutboxEntry[]): void {
    if (saved.length > 0) change([...saved.filter(({ status }) => status !== 'sent'), ...entries])
    dropForeign()
    void sendAll()
  }
  /** Removes messages of another account without sending or showing them. */
  function dropForeign(): void {
    const own = session.state?.user_id
    const kept = entries.filter(({ user_id = own }) => own === undefined || user_id === own)
    if (kept.length < entries.length) change(kept)
  }
  const update = (local_id: string, changes: Partial<OutboxEntry>) =>
    change(entries.map((entry) => (entry.local_id === local_id ? { ...entry, ...changes } : entry)))
  const remove = (local_id: string) => change(entries.filter((entry) => entry.local_id !== local_id))

  async function sendAll(): Promise<void> {
    if (busy) return
    busy = true
    try {
      for (;;) {
        const entry = entries.find(({ status }) => status === 'sending')
        if (!entry || session.connection.status !== 'online') return
        if (!(await attempt(entry))) return
      }
    } finally {
      busy = false
    }
  }

  const storedSoon = () =>
    new Promise<void>((resolve) => {
      const cancel = timers.after(STORING_MS, resolve)
      const done = () => {
        cancel()
        resolve()
      }
      stored.then(done, done)
    })

  /** Resolves to false if the server can't be reached, so that all entries wait for the connection. */
  async function attempt(entry: OutboxEntry): Promise<boolean> {
    const { local_id, message, written_at } = entry
    if (timers.now() - written_at > REPEATABLE_MS) {
      update(local_id, {
        status: 'failed',
        error: 'This message is more than a day old, and may have been sent',
        code: 'UNCONFIRMED',
      })
      return true
    }
    const queue_id = entry.queue_id ?? session.state!.queue_id
    if (!entry.queue_id) update(local_id, { queue_id })
    // Stored before the first attempt, so that a reload repeats the message instead of losing it.
    await storedSoon()
    try {
      // The queue and the local id identify a repetition for a week, so no idempotency key is needed.
      const { id } = await client.sendMessage({ ...message, queue_id, local_id })
      failures = 0
      update(local_id, { status: 'sent', id })
      if ((session.state?.max_message_id ?? 0) >= id) remove(local_id)
      return true
    } catch (error) {
      if (!isRefused(error)) {
        failures += 1
        timers.after(backoff(failures, random), () => void sendAll())
        return false
      }
      const { code, message: sentence, data } = error
      const { held_message_id: held_id } = data
      update(
        local_id,
        held_id
          ? { status: 'sent', held_id: Number(held_id) }
          : { status: 'failed', error: sentence, code, error_data: data },
      )
      return true
    }
  }

  storage?.onLeft?.(takeSaved)
  session.onChange((happened) => {
    if (happened.type === 'event') {
      const { event } = happened
      const isDone = ({ id, local_id, held_id }: OutboxEntry) =>
        event.type === 'message'
          ? id === event.message.id || local_id === event.local_message_id
          : event.type === 'held_message' && held_id === event.held_message_id && event.state !== 'waiting'
      const known = entries.find(isDone)
      if (known) remove(known.local_id)
    }
    if (happened.type === 'registered') {
      dropForeign()
      for (const { local_id, status } of entries) if (status === 'sent') remove(local_id)
    }
    void sendAll()
  })
  return {
    get entries() {
      return entries
    },
    send(message) {
      const local_id = newId()
      const user_id = session.state?.user_id
      change([...entries, { local_id, message, user_id, written_at: timers.now(), status: 'sending' }])
      void sendAll()
      return local_id
    },
    retry(local_id) {
      const failed = entries.find((entry) => entry.local_id === local_id && entry.status === 'failed')
      if (!failed) return
      const fresh: OutboxEntry = {
        local_id: newId(),
        message: failed.message,
        user_id: failed.user_id,
        written_at: timers.now(),
        status: 'sending',
      }
      change([...entries.filter((entry) => entry !== failed), fresh])
      void sendAll()
    },
    discard: (local_id) => {
      if (entries.some((entry) => entry.local_id === local_id && entry.status === 'failed')) remove(local_id)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export interface OutboxOptions {
  storage?: OutboxStorage
  timers?: Timers
  /** From 0 to below 1, for the spread of retries. */
  random?: () => number
  newId?: () => string
}
