import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { storeClosed } from '../errors.ts'
import { applied, migrate, pending, migrations as released } from '../migrate.ts'
import { IN_MEMORY, type OpenOptions } from '../open-options.ts'
import { realFile } from '../real-file.ts'
import type { Store } from '../store.ts'
import { sqlite } from './dialect.ts'
import { copyTo, refuseExisting } from './file/backup.ts'
import { openFailure } from './file/failures.ts'
import { openFile } from './file/open-file.ts'
import { sizesOf } from './file/sizes.ts'
import { watchHealth } from './health.ts'
import { inspect } from './inspect.ts'
import { assertDurable, checkSqliteVersion } from './pragmas.ts'
import { checkAfter, checkBefore } from './quick-check.ts'
import { createSnapshots } from './snapshots.ts'
import { type PlaceWatch, watchPlace } from './watch-place.ts'
import { createWriter, type Writer } from './writer.ts'

/** A snapshot of fewer rows is read on the main thread because starting the other thread would take longer. */
const FEW_ROWS = 2000

/**
 * Opens the database, locks it for this process, and migrates it. Throws StorageError: busy, newer, unsupported,
 * broken.
 */
export async function openSqlite(options: OpenOptions): Promise<Store> {
  const { now = unixSeconds, onBroken, onForeignAwait, groupMs, patienceMs, migrations = released } = options
  const { warn = () => {}, onRollback } = options
  const file = realFile(options.file)
  const inMemory = file === IN_MEMORY
  const { database, close, ownership, history, isUnchanged, isPlaced } = openFile(file, {
    mounts: options.mounts,
    image: options.image,
    mayPlace: migrations === released,
  })
  const health = watchHealth(file, onBroken)
  const snapshots = createSnapshots(file, health)
  const backups = new Set<Promise<void>>()
  let closing: Promise<void> | undefined
  let place: PlaceWatch | undefined
  let stopChecking = () => {}
  try {
    checkSqliteVersion(String(database.prepare('select sqlite_version()').pluck().get()))
    if (!isUnchanged) checkBefore(database)
    if (options.cacheMib !== undefined) database.pragma(`cache_size = ${-1024 * options.cacheMib}`)
    const writer = createWriter(database, {
      health,
      onForeignAwait,
      groupMs,
      patienceMs,
      prepare: () => place?.assertLog(),
      confirm: () => place?.assertInPlace(),
    })
    const hasTables = database.prepare("select 1 from sqlite_master where name = 'migration'").get() !== undefined
    const todo = pending(await applied(writer.read, hasTables), migrations)
    const isCopied = hasTables && todo.length > 0 && !inMemory && options.copyBeforeMigration !== false
    const copy = isCopied ? `${file}.before-${todo.at(-1)!.name}` : undefined
    if (copy) await copyTo(copy, (partial) => database.backup(partial))
    await migrate(writer, sqlite, todo, now, { snapshot: copy, isNew: !hasTables })
    if (isPlaced) await writer.write(({ db }) => db.updateTable('migration').set({ applied_at: now() }).execute())
    assertDurable(database, inMemory)
    if (history?.rollback && onRollback) {
      const { reason, newest } = history.rollback
      await writer.write(({ db }) => onRollback(db, sqlite, newest))
      history.settle()
      warn(`${reason}. New IDs skip a range, and clients register again.`)
    }
    history?.renew()
    if (history && ownership) place = watchPlace({ database, health, ownership, history, snapshots, warn })
    stopChecking = checkAfter(database, { snapshots, writer, health, place, isUnchanged })
    return {
      file,
      dialect: sqlite,
      db: writer.read,
      write: writer.write,
      observeCommits: writer.observeCommits,
      sizes: () => sizesOf(database),
      snapshot: (work, { rows = Number.POSITIVE_INFINITY } = {}) =>
        inMemory || rows < FEW_ROWS ? writer.readBetween(work) : snapshots.run(work),
      async backup(target) {
        if (closing) throw storeClosed()
        refuseExisting(target)
        // A thread copies the file, because the last step waits until all of the copy is on disk.
        const copy = async (partial: string) =>
          inMemory
            ? writeFile(partial, await writer.readBetween(async () => database.serialize()), { flush: true })
            : snapshots.backup(partial)
        const backup = copyTo(target, copy, () => closing !== undefined)
        backups.add(backup)
        await backup.finally(() => backups.delete(backup))
      },
      image: () => writer.readBetween(async () => database.serialize()),
      inspect: () => inspect(database, health),
      close: () => {
        closing ??= finish(writer)
        return closing
      },
    }
  } catch (error) {
    place?.stop()
    close()
    throw openFailure(error, file)
  }

  async function finish(writer: Writer): Promise<void> {
    place?.stop()
    stopChecking()
    await writer.close()
    await Promise.allSettled([...backups, snapshots.close()])
    if (!health.broken) history?.note()
    // SQLite copies the log into the file when it closes. If that fails, the log remains, so nothing is lost.
    close()
    if (!health.broken && !existsSync(`${file}-wal`)) history?.end()
  }
}

const unixSeconds = () => Math.floor(Date.now() / 1000)
