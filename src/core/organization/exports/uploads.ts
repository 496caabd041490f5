import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type FileTable, readBlob } from '../../../storage/index.ts'
import { indexFrom } from '../../kernel/base/lists.ts'
import { dialectOf } from '../../kernel/store.ts'
import { customEmojiById, fileName } from '../emoji/custom-emoji.ts'
import type { Archive } from './archive.ts'
import { writeList } from './json-file.ts'
import { paged, REALM, type Row, type Source } from './tables/source.ts'

/** A file of the archive, and its entry in the folder's `records.json`. */
interface Stored {
  path: string
  blob_id: number
  record: Row
}

/** Writes the files of one folder and its `records.json`. Returns how many there are. */
async function writeFolder(
  { db, reader }: Source,
  archive: Archive,
  { folder, work, files }: { folder: string; work: string; files: AsyncIterable<Stored> | Iterable<Stored> },
): Promise<number> {
  async function* written(): AsyncGenerator<Row[]> {
    for await (const { path, blob_id, record } of files) {
      const { size, created_at } = await db
        .selectFrom('blob')
        .select(['size', 'created_at'])
        .where('id', '=', blob_id)
        .executeTakeFirstOrThrow()
      await archive.addPieces(`${folder}/${path}`, size, readBlob(db, blob_id))
      yield [{ realm_id: REALM, ...record, path, s3_path: path, size, last_modified: created_at, content_type: null }]
    }
  }
  const path = `${work}/${folder}.json`
  const count = await writeList(path, written(), reader.signal)
  await archive.addFile(`${folder}/records.json`, path)
  return count
}

type StoredFile = Selectable<FileTable>

/** Returns the uploaded files that users in the archive refer to. */
const referred = ({ db, reader }: Source, ids: readonly number[]) =>
  paged<StoredFile>(async (after, limit) => {
    const start = indexFrom(ids, after + 1)
    const next = ids.slice(start, start + limit)
    return db
      .selectFrom('file')
      .selectAll()
      .where('id', 'in', dialectOf(reader.chat).idsIn(next))
      .orderBy('id')
      .execute()
  })

async function* uploads(source: Source, ids: readonly number[]): AsyncGenerator<Stored> {
  const emails = new Map<number, string>()
  for await (const page of referred(source, ids)) {
    for (const { path, blob_id, owner_id } of page) {
      const email = emails.get(owner_id) ?? (await emailOf(source, owner_id))
      emails.set(owner_id, email)
      yield { path, blob_id, record: { user_profile_id: owner_id, user_profile_email: email } }
    }
  }
}

async function emailOf({ db }: Source, id: number): Promise<string> {
  return (await db.selectFrom('user').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email
}

async function* avatars({ db }: Source): AsyncGenerator<Stored> {
  const pages = paged((after, limit) =>
    db
      .selectFrom('user')
      .select(['id', 'email', 'avatar_version', 'avatar_blob_id', 'avatar_medium_blob_id'])
      .where('id', '>', after)
      .where('avatar_source', '=', 'U')
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

async function* emoji({ reader }: Source): AsyncGenerator<Stored> {
  for (const one of (await customEmojiById(reader)).values()) {
    const file_name = fileName(one)
    const record = { author: one.author_id, file_name, name: one.name, deactivated: one.is_deactivated === 1 }
    const path = `${REALM}/emoji/images/${file_name}`
    for (const each of [path, `${path}.original`]) yield { path: each, blob_id: one.blob_id, record }
  }
}

async function* pictures({ db }: Source): AsyncGenerator<Stored> {
  const rows = await db.selectFrom('organization_picture').selectAll().orderBy('kind').execute()
  for (const { kind, blob_id } of rows) {
    if (blob_id === null) continue
    for (const ending of ['original', 'png']) yield { path: `${REALM}/${kind}.${ending}`, blob_id, record: {} }
  }
}

/** Writes all files with their records. Returns how many there are of each kind. */
export async function writeUploads(source: Source, archive: Archive, work: string, file_ids: readonly number[]) {
  const write = (folder: string, files: AsyncIterable<Stored>) => writeFolder(source, archive, { folder, work, files })
  return {
    uploads_records: await write('uploads', uploads(source, file_ids)),
    avatars_records: await write('avatars', avatars(source)),
    emoji_records: await write('emoji', emoji(source)),
    realm_icons_records: await write('realm_icons', pictures(source)),
  }
}

/** Yields the table of `attachment.json`: the uploaded files, with the archive's messages that refer to them. */
export async function* attachments(
  source: Source,
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
