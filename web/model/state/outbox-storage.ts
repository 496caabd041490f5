import type { OutboxEntry, OutboxStorage } from '../../../src/client/index.ts'

const NAME = 'chat'
const STORE = 'outbox'
const KEY = 'entries'

/** The outbox in the browser's database, so that what was sent as a tab closed is sent by the next one. */
export function outboxStorage(): OutboxStorage {
  let opened: Promise<IDBDatabase> | undefined
  const database = () => {
    opened ??= open()
    return opened
  }
  const ask = async <T>(mode: IDBTransactionMode, request: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
    settled(request((await database()).transaction(STORE, mode).objectStore(STORE)))
  return {
    load: async () => ((await ask('readonly', (store) => store.get(KEY))) as OutboxEntry[] | undefined) ?? [],
    save: async (entries) => void (await ask('readwrite', (store) => store.put([...entries], KEY))),
  }
}

/** Forgets what is still to be sent, as when somebody signs out. */
export const forgetOutbox = async (): Promise<void> => void (await settled(indexedDB.deleteDatabase(NAME)))

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1)
  request.onupgradeneeded = () => void request.result.createObjectStore(STORE)
  return settled(request).then((database) => {
    // So that another tab can sign out.
    database.onversionchange = () => database.close()
    return database
  })
}

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
