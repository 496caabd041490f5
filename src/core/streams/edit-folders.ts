import * as v from 'valibot'
import { flag, fold, isUnset } from '../../storage/index.ts'
import { everyone } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import { MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH } from '../kernel/base/limits.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { bool, described, id, ids, maxCharacters, text } from '../kernel/fields.ts'
import { renderPlain } from '../markup/render/render-plain.ts'
import { channelFolderShape } from '../shapes/stream.ts'
import { empty } from '../shapes/values.ts'
import { accessFolder, allFolders, type ChannelFolder, folderView } from './folders.ts'

const MAX_FOLDERS = 1000

const folderName = v.pipe(
  text,
  v.trim(),
  v.nonEmpty("Channel folder name can't be empty."),
  maxCharacters(MAX_FOLDER_NAME_LENGTH),
  v.rawCheck(({ dataset, addIssue }) => {
    const at = dataset.typed ? [...dataset.value].findIndex((character) => /[\p{Cc}\p{Cs}\p{Cn}]/u.test(character)) : -1
    if (at >= 0) addIssue({ message: `Invalid character in channel folder name, at position ${at + 1}.` })
  }),
)
const folderDescription = v.pipe(text, maxCharacters(MAX_FOLDER_DESCRIPTION_LENGTH))
const channel_folder_id = described(id, 'ID of the folder.')

/** Archived folders give up their names. */
async function requireFreeName({ db }: Tx, name: string, except = 0): Promise<void> {
  const taken = await db
    .selectFrom('channel_folder')
    .select('id')
    .where('name_key', '=', fold(name))
    .where('is_archived', '=', isUnset)
    .where('id', '!=', except)
    .executeTakeFirst()
  if (taken) throw badRequest(`Channel folder '${name}' already exists`)
}

/**
 * GET /channel_folders: lists the channel folders.
 *
 * @throws USER_DEACTIVATED when the caller's account is deactivated
 */
export const listChannelFolders = action(
  {
    name: 'listChannelFolders',
    summary: 'Get channel folders',
    params: v.object({ include_archived: described(v.nullish(bool, false), 'Include archived folders.') }),
    result: v.strictObject({ channel_folders: v.array(channelFolderShape) }),
  },
  async (caller, { include_archived }) => {
    const rows = (await allFolders(caller.db)).filter((row) => include_archived || row.is_archived === 0)
    return { channel_folders: rows.map((row) => folderView(caller, row)) }
  },
)

/**
 * POST /channel_folders/create: creates a channel folder.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST for a name that is empty, too long or taken
 * @example
 * const { channel_folder_id } = await createChannelFolder(caller, { name: 'Projects', description: '' })
 */
export const createChannelFolder = action(
  {
    name: 'createChannelFolder',
    summary: 'Create a channel folder',
    audit: { subject: 'folder', made: ({ channel_folder_id }) => channel_folder_id },
    params: v.object({
      name: described(folderName, 'Name of the folder, at most 60 characters.'),
      description: described(folderDescription, 'Description, in Markdown, at most 1,024 characters.'),
    }),
    result: v.strictObject({ channel_folder_id: id }),
    idempotencyKey: 'one write',
    role: 'administrator',
  },
  (caller, { name, description }) =>
    caller.write(async (tx) => {
      await requireFreeName(tx, name)
      if ((await allFolders(tx.db)).length >= MAX_FOLDERS) {
        throw badRequest(`An organization can have at most ${MAX_FOLDERS} channel folders.`)
      }
      const made = await tx.db
        .insertInto('channel_folder')
        .values({
          name,
          name_key: fold(name),
          description,
          rendered_description: renderPlain(description),
          position: 0,
          date_created: seconds(tx.chat.clock),
          creator_id: tx.user.id,
          is_archived: 0,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      // A new folder comes last: places after a reorder are below the ids.
      await tx.db.updateTable('channel_folder').set({ position: made.id }).where('id', '=', made.id).execute()
      const channel_folder = folderView(tx, { ...made, position: made.id })
      await emit(tx, { type: 'channel_folder', op: 'add', channel_folder }, everyone)
      return { channel_folder_id: made.id }
    }),
)

/**
 * PATCH /channel_folders/{channel_folder_id}: renames, describes or archives a channel folder.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST for an unknown folder, for a name that is empty, too long or taken, and to archive a folder with channels
 */
export const updateChannelFolder = action(
  {
    name: 'updateChannelFolder',
    summary: 'Update a channel folder',
    audit: { subject: 'folder', id: ({ channel_folder_id }) => channel_folder_id },
    params: v.object({
      channel_folder_id,
      name: described(v.nullish(folderName), 'The new name, at most 60 characters.'),
      description: described(v.nullish(folderDescription), 'The new description, in Markdown.'),
      is_archived: described(v.nullish(bool), 'Whether the folder is archived. Only empty folders can be archived.'),
    }),
    result: empty,
    role: 'administrator',
  },
  (caller, { channel_folder_id, ...requested }) =>
    caller.write(async (tx) => {
      const before = await accessFolder(tx, channel_folder_id)
      const name = requested.name ?? before.name
      const description = requested.description ?? before.description
      const is_archived = requested.is_archived == null ? before.is_archived : flag(requested.is_archived)
      if (!is_archived && (name !== before.name || before.is_archived)) await requireFreeName(tx, name, before.id)
      if (is_archived && !before.is_archived) await requireNoStreams(tx, before.id)
      const rendered_description = renderPlain(description)
      const after: ChannelFolder = { ...before, name, description, rendered_description, is_archived }
      await tx.db
        .updateTable('channel_folder')
        .set({ name, name_key: fold(name), description, rendered_description, is_archived })
        .where('id', '=', before.id)
        .execute()
      await emitFolderChange(tx, before, after)
      return {}
    }),
)

async function requireNoStreams({ db }: Tx, folder_id: number): Promise<void> {
  const stream = await db
    .selectFrom('stream')
    .select('id')
    .where('folder_id', '=', folder_id)
    .limit(1)
    .executeTakeFirst()
  if (stream) throw badRequest('You need to remove all the channels from this folder to archive it.')
}

async function emitFolderChange(tx: Tx, before: ChannelFolder, after: ChannelFolder): Promise<void> {
  const { name, description, rendered_description, is_archived } = folderView(tx, after)
  const data = {
    ...(after.name !== before.name && { name }),
    ...(after.description !== before.description && { description, rendered_description }),
    ...(after.is_archived !== before.is_archived && { is_archived }),
  }
  if (Object.keys(data).length === 0) return
  await emit(tx, { type: 'channel_folder', op: 'update', channel_folder_id: after.id, data }, everyone)
}

/**
 * PATCH /channel_folders: reorders the channel folders, including archived ones.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST unless every folder is named once
 */
export const reorderChannelFolders = action(
  {
    name: 'reorderChannelFolders',
    summary: 'Reorder channel folders',
    audit: { subject: 'folder', details: ({ order }) => ({ order }) },
    params: v.object({ order: described(ids, 'IDs of all folders, including archived ones, in the new order.') }),
    result: empty,
    role: 'administrator',
  },
  (caller, { order }) =>
    caller.write(async (tx) => {
      const folders = await allFolders(tx.db)
      const places = new Map(order.map((id, place) => [id, place]))
      if (
        places.size !== order.length ||
        order.length !== folders.length ||
        !folders.every(({ id }) => places.has(id))
      ) {
        throw badRequest('Invalid order mapping.')
      }
      if (folders.length === 0) return {}
      // One statement, even for a thousand of them.
      await tx.db
        .insertInto('channel_folder')
        .values(folders.map((folder) => ({ ...folder, position: places.get(folder.id)! })))
        .onConflict((oc) => oc.column('id').doUpdateSet((eb) => ({ position: eb.ref('excluded.position') })))
        .execute()
      await emit(tx, { type: 'channel_folder', op: 'reorder', order }, everyone)
      return {}
    }),
)
