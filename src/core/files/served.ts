import * as v from 'valibot'
import { accessFile, fileGone, findFile, type StoredFile } from '../access/files.ts'
import { admitSpectators } from '../access/spectators.ts'
import { action, publicAction } from '../kernel/action.ts'
import { redirect, type ServedFile, servedFile } from '../kernel/answers.ts'
import type { Context } from '../kernel/context.ts'
import { forbidden } from '../kernel/errors.ts'
import { described, text } from '../kernel/fields.ts'
import { ownPath, servedPath } from '../kernel/public-url.ts'
import { UPLOADS_PATH } from './names.ts'
import { servedBlob } from './served-blob.ts'
import { imageAttributes } from './shown-images.ts'
import { pathOfLink, temporaryLink } from './temporary-links.ts'
import { isInline, servedType } from './types.ts'

const params = v.object({
  realm_id: described(text, "ID of the organization, as in the file's URL."),
  filename: described(text, "The rest of the file's URL."),
})
const pathOf = ({ realm_id, filename }: v.InferOutput<typeof params>): string => `${realm_id}/${filename}`

/**
 * GET /user_uploads/{realm_id}/{filename} of the API: returns a URL of the file that works without credentials for a
 * minute.
 *
 * @throws BAD_REQUEST (404) if the file doesn't exist, (403) if the caller may not read it
 */
export const getFileUrl = action(
  {
    name: 'getFileUrl',
    summary: 'Get a temporary URL for a file',
    params,
    result: v.strictObject({ url: v.string() }),
    secret: true,
    spectators: admitSpectators,
  },
  async (caller, where) => ({ url: temporaryLink(caller.chat, await accessFile(caller, pathOf(where))) }),
)

/**
 * GET /user_uploads/{realm_id}/{filename}: returns the file if the caller may read it. Browsers show it if that is
 * safe, and save it otherwise.
 *
 * @throws BAD_REQUEST (404) if the file doesn't exist, (403) if the caller may not read it
 */
export const getFile = action(
  { name: 'getFile', summary: 'Get a file', params, result: servedFile, spectators: admitSpectators, answers: 'bytes' },
  async (caller, where) => served(caller, await accessFile(caller, pathOf(where))),
)

/**
 * GET /thumbnail/status/{realm_id}/{filename} of the API: returns whether an image has its thumbnail yet, for clients
 * that ask again after an upload.
 *
 * @throws BAD_REQUEST (404) if the file doesn't exist, (403) if the caller may not read it
 */
export const getThumbnailStatus = action(
  {
    name: 'getThumbnailStatus',
    summary: 'Check whether an image has a thumbnail',
    params,
    result: v.strictObject({ has_thumbnail: v.boolean() }),
    spectators: admitSpectators,
  },
  async (caller, where) => ({ has_thumbnail: (await accessFile(caller, pathOf(where))).has_thumbnail === 1 }),
)

/**
 * GET /user_uploads/download/{realm_id}/{filename}: returns the same file, for saving.
 *
 * @throws BAD_REQUEST (404) if the file doesn't exist, (403) if the caller may not read it
 */
export const downloadFile = action(
  {
    name: 'downloadFile',
    summary: 'Download a file',
    params,
    result: servedFile,
    spectators: admitSpectators,
    answers: 'bytes',
  },
  async (caller, where) => {
    const file = await accessFile(caller, pathOf(where))
    return { ...served(caller, file), download_as: file.name }
  },
)

/**
 * GET /user_uploads/temporary/{token}/{filename}: returns the file of a temporary address. No sign-in.
 *
 * @throws BAD_REQUEST (403) if the address is invalid or has expired, (404) if the file was deleted
 */
export const getTemporaryFile = publicAction(
  {
    name: 'getTemporaryFile',
    summary: 'Get a file by its temporary URL',
    params: v.object({
      token: described(text, 'Proof that the URL was given to a user who can read the file.'),
      filename: described(text, 'Name of the file.'),
    }),
    result: servedFile,
    answers: 'bytes',
    limit: 'files',
  },
  async (visitor, { token, filename }) => {
    const file = await findFile(visitor, pathOfLink(visitor.chat, token, filename))
    return { ...served(visitor, file), embed: 'everywhere' as const }
  },
)

/**
 * GET /user_uploads/thumbnail/{realm_id}/{filename}/{format}: returns a thumbnail of an image if the caller may read
 * the image.
 *
 * @throws BAD_REQUEST (404) if the file or thumbnail doesn't exist, (403) if the caller may not read it
 */
export const getThumbnail = action(
  {
    name: 'getThumbnail',
    summary: 'Get a smaller copy of an image',
    params,
    result: servedFile,
    spectators: admitSpectators,
    answers: 'bytes',
  },
  async (caller, { realm_id, filename }) => {
    const end = filename.lastIndexOf('/')
    const file = await accessFile(caller, `${realm_id}/${filename.slice(0, end)}`)
    const format = filename.slice(end + 1)
    const copy = await caller.db
      .selectFrom('thumbnail')
      .innerJoin('blob', 'blob.id', 'thumbnail.blob_id')
      .select(['blob.id', 'blob.size', 'blob.content_type'])
      .where('thumbnail.file_id', '=', file.id)
      .where('thumbnail.format', '=', format)
      .executeTakeFirst()
    if (!copy) throw fileGone()
    return servedBlob(caller.db, copy, { version: `file-${file.id}-${format}`, cache: 'private' })
  },
)

/**
 * GET /thumbnail: redirects to an uploaded file, or to the thumbnail of an image. Older clients use it for images.
 *
 * @throws BAD_REQUEST (404) if the file doesn't exist, (403) if the caller may not read it
 */
export const redirectToImage = action(
  {
    name: 'redirectToImage',
    summary: 'Redirect to an image or its thumbnail',
    params: v.object({
      url: described(text, 'Path of an uploaded file, with or without the leading slash.'),
      size: described(v.optional(v.picklist(['full', 'thumbnail']), 'thumbnail'), '"full" for the original file.'),
    }),
    result: redirect,
    spectators: admitSpectators,
    answers: 'redirect',
  },
  async (caller, { url, size }) => {
    const path = /^\/?user_uploads\/(.+)$/.exec(ownPath(caller.chat, url))?.[1]
    if (path === undefined) throw forbidden('You are not authorized to view this file.')
    const file = await accessFile(caller, path)
    const { src } = (size === 'thumbnail' && file.has_thumbnail === 1 && imageAttributes(file)) || {}
    return { location: servedPath(caller.chat, src ?? `${UPLOADS_PATH}/${file.path}`) }
  },
)

function served({ db }: Context, { id, blob_id, content_type, size, name }: StoredFile): ServedFile {
  const blob = { id: blob_id, size, content_type: servedType(content_type) }
  // The bytes of a file never change.
  const about = { version: `file-${id}`, cache: 'private' } as const
  return servedBlob(db, blob, isInline(content_type) ? about : { ...about, download_as: name })
}
