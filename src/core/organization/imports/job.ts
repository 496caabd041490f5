import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Selectable } from 'kysely'
import type { Db, ImportJobTable } from '../../../storage/index.ts'
import { dropBlob } from '../../files/dropped-blobs.ts'
import type { Chat } from '../../kernel/chat.ts'
import type { Context, SystemTx } from '../../kernel/context.ts'
import { storeOf } from '../../kernel/store.ts'
import type { Mapping } from './decide-people.ts'

export type ImportJob = Selectable<ImportJobTable>

/** The import that is prepared, runs or is undone; there is at most one. */
export const jobOf = (db: Db): Promise<ImportJob | undefined> =>
  db.selectFrom('import_job').selectAll().limit(1).executeTakeFirst()

export const changeJob = (tx: SystemTx, id: number, values: Partial<Omit<ImportJob, 'id'>>): Promise<unknown> =>
  tx.db.updateTable('import_job').set(values).where('id', '=', id).execute()

/** Removes a job with its archive. What it has imported stays. */
export async function removeJob(tx: SystemTx, { id, blob_id, upload_id }: ImportJob): Promise<void> {
  await tx.db.deleteFrom('import_job').where('id', '=', id).execute()
  if (blob_id !== null) await dropBlob(tx, blob_id, 'read')
  if (upload_id === null) return
  const upload = await tx.db.deleteFrom('upload').where('id', '=', upload_id).returningAll().executeTakeFirst()
  if (upload) await dropBlob(tx, upload.blob_id, 'unread')
}

/** What people are mapped to, by their IDs in the source and in their order. */
export async function mappingOf({ db }: Context, { id }: ImportJob): Promise<Mapping> {
  const rows = await db
    .selectFrom('import_job_person')
    .select(['source_id', 'account'])
    .where('job_id', '=', id)
    .where('account', 'is not', null)
    .orderBy('nth')
    .execute()
  return new Map(rows.map(({ source_id, account }) => [source_id, account!]))
}

const folders = new WeakMap<Chat, string>()

/** Returns a folder beside the database for the archive of a job, which has space for it. */
export function jobFolder(chat: Chat): string {
  const { file } = storeOf(chat)
  if (existsSync(file)) return `${file}.import`
  const folder = folders.get(chat) ?? join(tmpdir(), `chat-server-import-${process.pid}-${randomUUID()}`)
  folders.set(chat, folder)
  return folder
}

export async function emptyJobFolder(chat: Chat): Promise<void> {
  const folder = jobFolder(chat)
  if (existsSync(folder)) await rm(folder, { recursive: true, force: true })
}

/** Files and folders that owners may import from the server: only what lies in the folder itself, and no links. */
export async function serverFiles({ options }: Chat): Promise<string[] | null> {
  const { importFolder } = options
  if (importFolder === undefined) return null
  const entries = await readdir(importFolder, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => !entry.name.startsWith('.') && (entry.isFile() || entry.isDirectory()))
    .map(({ name }) => name)
    .sort()
    .slice(0, MAX_SHOWN)
}

const MAX_SHOWN = 1000

/** Returns the path of a file in the folder for imports; undefined if there is none of this name. */
export async function serverFile({ options }: Chat, name: string): Promise<string | undefined> {
  if (options.importFolder === undefined || name.startsWith('.') || /[/\\\0]/.test(name)) return undefined
  const path = join(options.importFolder, name)
  const about = await lstat(path).catch(() => undefined)
  return about?.isFile() || about?.isDirectory() ? path : undefined
}
