import { storedName } from '../here.ts'

const NAME = storedName('chat')
const VERSION = 2
const stores = ['outbox', 'kept'] as const
type StoreName = (typeof stores)[number]

let opened: Promise<IDBDatabase> | undefined

/** One request to the browser's database, in a transaction of its own. */
export async function ask<T>(
  name: StoreName,
  mode: IDBTransactionMode,
  request: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  opened ??= open().catch((error: unknown) => {
    opened = undefined
    throw error
  })
  return settled(request((await opened).transaction(name, mode).objectStore(name)))
}

/**
 * Deletes everything stored when the user signs out: unsent messages and the last view. The database itself stays,
 * because deleting it would wait for every tab.
 */
export const forgetStored = async (): Promise<void> =>
  void (await Promise.all(stores.map((name) => ask(name, 'readwrite', (store) => store.clear()))))

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, VERSION)
  request.onupgradeneeded = () => {
    for (const name of stores) {
      if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name)
    }
  }
  return settled(request).then((database) => {
    const isClosed = () => {
      opened = undefined
    }
    // Lets a newer page open the database.
    database.onversionchange = () => {
      database.close()
      isClosed()
    }
    // The browser closed it.
    database.onclose = isClosed
    return database
  })
}

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
