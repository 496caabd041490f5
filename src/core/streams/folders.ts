import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { type ChannelFolderTable, type Db, isUnset } from '../../storage/index.ts'
import { statePart } from '../events/log/state-part.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { servedHtml } from '../kernel/public-url.ts'
import { isSpectator } from '../kernel/spectator.ts'
import { type ChannelFolderView, channelFolderShape } from '../shapes/stream.ts'

export type ChannelFolder = Selectable<ChannelFolderTable>

export const folderView = ({ chat }: Pick<Caller, 'chat'>, row: ChannelFolder): ChannelFolderView => ({
  id: row.id,
  name: row.name,
  order: row.position,
  date_created: row.date_created,
  creator_id: row.creator_id,
  description: row.description,
  rendered_description: servedHtml(chat, row.rendered_description),
  is_archived: row.is_archived === 1,
})

/** All folders in their order, including archived ones. */
export const allFolders = (db: Db): Promise<ChannelFolder[]> =>
  db.selectFrom('channel_folder').selectAll().orderBy('position').orderBy('id').execute()

/** People without an account see the folders of streams that they may read. */
const publicFolders = (db: Db): Promise<ChannelFolder[]> =>
  db
    .selectFrom('channel_folder')
    .selectAll()
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('stream')
        .select('folder_id')
        .where('folder_id', 'is not', null)
        .where('is_web_public', '=', 1)
        .where('is_archived', '=', isUnset)
        .$castTo<{ folder_id: number }>(),
    )
    .orderBy('position')
    .orderBy('id')
    .execute()

export const folderState = statePart({ channel_folders: v.array(channelFolderShape) }, async (reader) => {
  const rows = await (isSpectator(reader.user) ? publicFolders : allFolders)(reader.db)
  return { channel_folders: rows.map((row) => folderView(reader, row)) }
})

/** Throws if the folder doesn't exist. */
export async function accessFolder({ db }: Pick<Caller, 'db'>, id: number): Promise<ChannelFolder> {
  const row = await db.selectFrom('channel_folder').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw badRequest('Invalid channel folder ID')
  return row
}
