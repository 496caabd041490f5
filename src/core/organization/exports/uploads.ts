import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type FileTable, readBlob } from '../../../storage/index.ts'
import { liveBlob } from '../../files/dropped-blobs.ts'
import { chunked } from '../../kernel/base/lists.ts'
import type { Context } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { type CustomEmoji, fileName } from '../emoji/custom-emoji.ts'
import type { Archive } from './archive.ts'
import { writeList } from './json-file.ts'
import type { Room } from './room.ts'
import { paged, REALM, type Row } from './tables/source.ts'

/** A file of the archive, and its entry in the folder's `records.json`. */
interface Stored {
  path: string
  blob_id: number
  record: Row
}

type Reading = Pick<Context, 'chat' | 'db' | 'signal'>

/** Where files go. Their records are in a temporary folder until they are complete. */
export interface Target {
  archive: Archive
  work: string
  room: Room
}

/**
 * Writes the files of one folder and its `records.json`. Returns how many there are. Files aren't read in a snapshot,
 * which would last as long as all of them take. A file doesn't change, and the pieces of a deleted one stay for
 * downloads in progress. A file that is deleted before its turn is left out.
 */
async function writeFolder(
  { db, signal }: Reading,
  { archive, work, room }: Target,
  { folder, files }: { folder: string; files: AsyncIterable<Stored> },
): Promise<number> {
  async function* written(): AsyncGenerator<Row[]> {
    for await (const { path, blob_id, record } of files) {
      const blob = await liveBlob(db, blob_id)
      if (!blob) continue
      const { size, created_at } = blob
      await archive.addPieces(`${folder}/${path}`, size, readBlob(db, blob_id))
      yield [{ realm_id: REALM, ...record, path, s3_path: path, size, last_modified: created_at, content_type: null }]
    }
  }
  const path = `${work}/${folder}.json`
  const count = await writeList(path, written(), { signal, room })
  await archive.addFile(`${folder}/records.json`, path)
  return count
}

type StoredFile = Selectable<FileTable>

/** Yields the uploaded files that users in the archive refer to, as far as they still exist. */
async function* referred({ db, chat }: Reading, ids: readonly number[]): AsyncGenerator<StoredFile[]> {
  for (const some of chunked(ids)) {
    yield await db.selectFrom('file').selectAll().where('id', 'in', dialectOf(chat).idsIn(some)).orderBy('id').execute()
  }
}

async function* uploads(source: Reading, ids: readonly number[]): AsyncGenerator<Stored> {
  const emails = new Map<number, string>()
  for await (const page of referred(source, ids)) {
    for (const { path, blob_id, owner_id } of page) {
      const email = emails.get(owner_id) ?? (await emailOf(source, owner_id))
      emails.set(owner_id, email)
      yield { path, blob_id, record: { user_profile_id: owner_id, user_profile_email: email } }
    }
  }
}

async function emailOf({ db }: Reading, id: number): Promise<string> {
  return (await db.selectFrom('user').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email
}

async function* avatars({ db }: Reading, author: number | undefined): AsyncGenerator<Stored> {
  const pages = paged((after, limit) =>
    db
      .selectFrom('user')
      .select(['id', 'email', 'avatar_version', 'avatar_blob_id', 'avatar_medium_blob_id'])
      .where('id', '>', after)
      .where('avatar_source', '=', 'U')
      .$if(author !== undefined, (query) => query.where('id', '=', author!))
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  for await (const page of pages) {
    for (const user of page) {
      const { id, email, avatar_version, avatar_blob_id, avatar_medium_blob_id } = user
      if (avatar_blob_id === null) continue
      const name = `${REALM}/${createHash('sha256').update(`avatar ${id} ${avatar_version}`).digest('hex')}`
      const record = { user_profile_id: id, user_profile_email: email, avatar_version }
      yield { path: `${name}.original`, blob_id: avatar_medium_blob_id ?? avatar_blob_id, record }
      yield { path: `${name}.png`, blob_id: avatar_blob_id, record }
    }
  }
}

async function* emojiFiles(all: Iterable<CustomEmoji>): AsyncGenerator<Stored> {
  for (const one of all) {
    const file_name = fileName(one)
    const record = { author: one.author_id, file_name, name: one.name, deactivated: one.is_deactivated === 1 }
    const path = `${REALM}/emoji/images/${file_name}`
    for (const each of [path, `${path}.original`]) yield { path: each, blob_id: one.blob_id, record }
  }
}

async function* pictures({ db }: Reading): AsyncGenerator<Stored> {
  const rows = await db.selectFrom('organization_picture').selectAll().orderBy('kind').execute()
  for (const { kind, blob_id } of rows) {
    if (blob_id === null) continue
    for (const ending of ['original', 'png']) yield { path: `${REALM}/${kind}.${ending}`, blob_id, record: {} }
  }
}

/** Writes the files of people with their records. Returns how many there are of each kind. */
export const writeUploads = async (context: Reading, target: Target, file_ids: readonly number[], author?: number) => ({
  uploads_records: await writeFolder(context, target, { folder: 'uploads', files: uploads(context, file_ids) }),
  avatars_records: await writeFolder(context, target, { folder: 'avatars', files: avatars(context, author) }),
})

/** Writes the organization's pictures with their records. Returns how many there are of each kind. */
export const writePictures = async (context: Reading, target: Target, emoji: Iterable<CustomEmoji>) => ({
  emoji_records: await writeFolder(context, target, { folder: 'emoji', files: emojiFiles(emoji) }),
  realm_icons_records: await writeFolder(context, target, { folder: 'realm_icons', files: pictures(context) }),
})

/** Yields the table of `attachment.json`: the uploaded files, with the archive's messages that refer to them. */
export async function* attachments(
  source: Reading,
  messagesOf: ReadonlyMap<number, readonly number[]>,
  scheduledOf: ReadonlyMap<number, readonly number[]>,
  file_ids: readonly number[],
): AsyncGenerator<Row[]> {
  for await (const page of referred(source, file_ids)) {
    yield page.map(({ id, name, path, owner_id, created_at, size, content_type }) => ({
      id,
      file_name: name,
      path_id: path,
      owner: owner_id,
      realm: REALM,
      create_time: created_at,
      size,
      content_type,
      is_realm_public: null,
      is_web_public: null,
      messages: messagesOf.get(id) ?? [],
      scheduled_messages: scheduledOf.get(id) ?? [],
    }))
  }
}
