import * as v from 'valibot'
import { readBlob } from '../../storage/index.ts'
import { accessFile, findFile, type StoredFile } from '../access/files.ts'
import { action, publicAction } from '../action.ts'
import type { Context } from '../context.ts'
import { described, text } from '../fields.ts'
import { type ServedFile, servedFile } from '../transport.ts'
import { pathOfLink, temporaryLink } from './temporary-links.ts'
import { isInline, servedType } from './types.ts'

const params = v.object({
  realm_id: described(text, 'Id of the organization, as the address of the file has it.'),
  filename: described(text, 'The rest of the address of the file.'),
})
const pathOf = ({ realm_id, filename }: v.InferOutput<typeof params>): string => `${realm_id}/${filename}`

/**
 * GET /user_uploads/{realm_id}/{filename} of the API: an address of the file that needs no credentials, for a minute.
 *
 * @throws BAD_REQUEST (404) when there is no such file, (403) when the caller may not read it
 */
export const getFileUrl = action(
  {
    name: 'getFileUrl',
    summary: 'Get a temporary address of a file',
    params,
    result: v.strictObject({ url: v.string() }),
  },
  async (caller, where) => ({ url: temporaryLink(caller.chat, await accessFile(caller, pathOf(where))) }),
)

/**
 * GET /user_uploads/{realm_id}/{filename}: the file, if the caller may read it; to be seen where that is safe, else to be
 * saved.
 *
 * @throws BAD_REQUEST (404) when there is no such file, (403) when the caller may not read it
 */
export const getFile = action(
  { name: 'getFile', summary: 'Get a file', params, result: servedFile, answers: 'bytes' },
  async (caller, where) => served(caller, await accessFile(caller, pathOf(where))),
)

/**
 * GET /user_uploads/download/{realm_id}/{filename}: the same, always to be saved.
 *
 * @throws BAD_REQUEST (404) when there is no such file, (403) when the caller may not read it
 */
export const downloadFile = action(
  { name: 'downloadFile', summary: 'Download a file', params, result: servedFile, answers: 'bytes' },
  async (caller, where) => {
    const file = await accessFile(caller, pathOf(where))
    return { ...served(caller, file), download_as: file.name }
  },
)

/**
 * GET /user_uploads/temporary/{token}/{filename}: the file of a temporary address. No sign-in.
 *
 * @throws BAD_REQUEST (403) when the address is made up or over, (404) when the file was deleted
 */
export const getTemporaryFile = publicAction(
  {
    name: 'getTemporaryFile',
    summary: 'Get a file by its temporary address',
    params: v.object({
      token: described(text, 'Proof that the address was given to somebody who may read the file.'),
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

function served({ db }: Context, { id, blob_id, content_type, size, name }: StoredFile): ServedFile {
  return {
    content_type: servedType(content_type),
    size,
    // The bytes of a file never change.
    version: `file-${id}`,
    cache: 'private',
    ...(!isInline(content_type) && { download_as: name }),
    read: (start, end) => readBlob(db, blob_id, start, end),
  }
}
