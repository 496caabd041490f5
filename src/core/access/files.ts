import type { Selectable } from 'kysely'
import type { FileTable } from '../../storage/index.ts'
import type { Caller, Context } from '../kernel/context.ts'
import { absent, badRequest, forbidden } from '../kernel/errors.ts'
import { dialectOf } from '../kernel/store.ts'
import { visibleTo } from './message-visibility.ts'

export type StoredFile = Selectable<FileTable>

/**
 * Returns whether the caller may read a file: its uploader may, and every user who may see a message that refers to
 * it. The only place that decides.
 */
async function canReadFile({ db, user }: Caller, file: Pick<StoredFile, 'id' | 'owner_id'>): Promise<boolean> {
  if (file.owner_id === user.id) return true
  const message = await db
    .selectFrom('message')
    .select('id')
    .where('id', 'in', db.selectFrom('message_file').select('message_id').where('file_id', '=', file.id))
    .where((eb) => visibleTo(eb, user))
    .limit(1)
    .executeTakeFirst()
  return message !== undefined
}

/** Returns the file at this path. Throws 404 if it doesn't exist, and 403 if the caller may not read it. */
export async function accessFile(caller: Caller, path: string): Promise<StoredFile> {
  const file = await findFile(caller, path)
  if (!(await canReadFile(caller, file))) throw forbidden('You are not authorized to view this file.')
  return file
}

/** Returns the file at this path without checking permissions. Throws 404 if it doesn't exist. */
export async function findFile({ db }: Context, path: string): Promise<StoredFile> {
  const file = await db.selectFrom('file').selectAll().where('path', '=', path).executeTakeFirst()
  if (!file) throw fileGone()
  return file
}

/** Returns one of the caller's own files, which they may delete. Other readers of the file may not. */
export async function accessOwnFile({ db, user }: Caller, file_id: number): Promise<StoredFile> {
  const file = await db
    .selectFrom('file')
    .selectAll()
    .where('id', '=', file_id)
    .where('owner_id', '=', user.id)
    .executeTakeFirst()
  if (!file) throw badRequest('Invalid attachment')
  return file
}

export const fileGone = () => absent('This file does not exist or has been deleted.')

/** Returns the files at these paths that the caller may read. Users can't share files that they can't read. */
export async function readableFiles(caller: Caller, paths: readonly string[]): Promise<StoredFile[]> {
  if (paths.length === 0) return []
  const files = await caller.db
    .selectFrom('file')
    .selectAll()
    .where('path', 'in', dialectOf(caller.chat).textsIn(paths))
    .orderBy('id')
    .execute()
  const readable: StoredFile[] = []
  for (const file of files) if (await canReadFile(caller, file)) readable.push(file)
  return readable
}
