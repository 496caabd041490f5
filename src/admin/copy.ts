import { existsSync } from 'node:fs'
import { putSecret, secretOf } from '../core/kernel/secrets.ts'
import {
  type CopiedTable,
  copyDatabase,
  isFile,
  nameOf,
  openStore,
  StorageError,
  type Store,
} from '../storage/index.ts'

/**
 * Copies a chat to another database, a file or a PostgreSQL server, with everything: IDs, keys, queues and files.
 * Clients continue without a gap, and the old database stays unchanged.
 *
 * @throws StorageError if one of them is in use, or the other is not empty
 */
export async function copy(from: string, to: string, report: (copied: CopiedTable) => void): Promise<CopiedTable[]> {
  if (isFile(from) && !existsSync(from)) throw new StorageError('unsupported', `${from} does not exist`)
  const source = await openStore({ file: from })
  try {
    await requireUnused(source, from)
    const secret = await secretOf(source)
    const target = await openStore({ file: to })
    try {
      await requireUnused(target, to)
      await requireEmpty(target, to)
      const copied = await copyDatabase(source, target, report)
      if (secret) await putSecret(target, secret)
      return copied
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Throws StorageError `busy` if other processes share the database, and keeps more from opening it. */
export async function requireUnused({ peers }: Store, name: string): Promise<void> {
  if (peers && !(await peers.excludeOthers())) {
    throw new StorageError(
      'busy',
      `Another process uses ${nameOf(name)}. Stop all nodes first, so that no changes are left behind.`,
    )
  }
}

async function requireEmpty(store: Store, name: string): Promise<void> {
  const there = await store.db.selectFrom('organization').select('id').executeTakeFirst()
  if (there || (await secretOf(store))) {
    throw new StorageError('unsupported', `${nameOf(name)} already contains a chat or its secret. Nothing was changed.`)
  }
}
