import * as v from 'valibot'
import { action, publicAction, requireRole } from '../../kernel/action.ts'
import type { ProtocolAnswer } from '../../kernel/answers.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { randomText } from '../../kernel/base/random.ts'
import type { Caller } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { count, described, fileStream, none, text } from '../../kernel/fields.ts'
import { servedPath } from '../../kernel/public-url.ts'
import { finishUpload, uploadedView } from '../finish.ts'
import { inspectBlob } from '../image-file.ts'
import { finishImportUpload, isForImport } from '../import-uploads.ts'
import { abandonUpload, beginUpload, receive, type Upload, uploadGone } from '../unfinished.ts'
import {
  expiry,
  maxBytes,
  metadataOf,
  requireVersion,
  TUS_PATH,
  TUS_VERSION,
  token,
  tooLarge,
  tus_resumable,
  tusAction,
  tusHeaders,
  wrongOffset,
} from './protocol.ts'

/** Returns an unfinished upload of the caller's by its token. */
export async function accessUpload({ db, user, chat }: Caller, token: string): Promise<Upload> {
  const upload = await db
    .selectFrom('upload')
    .selectAll()
    .where('token', '=', token)
    .where('owner_id', '=', user.id)
    .where('expires_at', '>', seconds(chat.clock))
    .executeTakeFirst()
  if (!upload) throw uploadGone()
  return upload
}

async function* atMost(caller: Caller, chunks: AsyncIterable<Uint8Array>, left: number): AsyncGenerator<Uint8Array> {
  let rest = left
  for await (const piece of chunks) {
    rest -= piece.length
    if (rest < 0) throw left === 0 ? badRequest('The upload is already complete') : tooLarge(caller)
    yield piece
  }
}

async function finish(caller: Caller, upload: Upload) {
  const image = await inspectBlob(caller, upload.blob_id, upload.received)
  return uploadedView(caller.chat, await caller.write((tx) => finishUpload(tx, upload, image)))
}

/**
 * OPTIONS /tus: describes which parts of the protocol this server supports. No sign-in.
 *
 * @throws BAD_REQUEST never; it takes no parameters
 */
export const describeTus = publicAction(
  { name: 'describeTus', summary: 'Describe resumable uploads', params: none, limit: 'none', ...tusAction },
  async ({ chat }): Promise<ProtocolAnswer> => ({
    outcome: 'empty',
    headers: {
      'tus-version': TUS_VERSION,
      'tus-extension': 'creation,termination,expiration',
      'tus-max-size': String(maxBytes(chat.options)),
    },
  }),
)

/**
 * POST /tus: starts an upload, whose bytes follow in PATCH requests. `Upload-Metadata` has its `filename` and
 * `filetype`.
 *
 * @throws TOO_LARGE
 * @throws SILENCED while a moderator has silenced the caller
 * @throws REALM_UPLOAD_QUOTA if the organization's files would exceed `upload_quota_mib`
 * @throws BAD_REQUEST (412) for another version of the protocol, and for more than 100 unfinished uploads
 */
export const createTusUpload = action(
  {
    name: 'createTusUpload',
    summary: 'Start a resumable upload',
    params: v.object({
      tus_resumable,
      upload_length: described(count, 'Size of the file in bytes.'),
      upload_metadata: described(v.nullish(text, ''), 'Names with base64-encoded values, separated by commas.'),
    }),
    headers: { ...tusHeaders, upload_length: 'upload-length', upload_metadata: 'upload-metadata' },
    errors: ['TOO_LARGE', 'REALM_UPLOAD_QUOTA', 'SILENCED'],
    ...tusAction,
  },
  async (caller, { tus_resumable, upload_length: size, upload_metadata }): Promise<ProtocolAnswer> => {
    requireVersion(tus_resumable)
    if (size > maxBytes(caller.chat.options)) throw tooLarge(caller)
    const { filename = '', filetype = '' } = metadataOf(upload_metadata)
    const token = randomText(caller.chat.random, 32)
    const upload = await beginUpload(caller, { name: filename, content_type: filetype, token, size })
    const location = servedPath(caller.chat, `${TUS_PATH}/${token}`)
    if (size > 0) return { outcome: 'created', headers: { location, ...expiry(upload) } }
    // No bytes will follow.
    return { outcome: 'created', headers: { location, 'upload-offset': '0' }, members: await finish(caller, upload) }
  },
)

/**
 * HEAD /tus/{token}: returns how much of an upload has arrived.
 *
 * @throws BAD_REQUEST (404) if the caller has no such upload, or it has expired
 */
export const getTusOffset = action(
  {
    name: 'getTusOffset',
    summary: 'Get the progress of a resumable upload',
    params: v.object({ token, tus_resumable }),
    headers: tusHeaders,
    ...tusAction,
  },
  async (caller, { token, tus_resumable }): Promise<ProtocolAnswer> => {
    requireVersion(tus_resumable)
    const upload = await accessUpload(caller, token)
    return {
      outcome: 'json',
      headers: {
        'upload-offset': String(upload.received),
        'upload-length': String(upload.size),
        'cache-control': 'no-store',
        ...expiry(upload),
      },
    }
  },
)

/**
 * PATCH /tus/{token}: receives the next bytes of an upload. With the last ones, the response equals POST
 * /user_uploads. A request without bytes gets it too if all of them arrived before the server stopped.
 *
 * @throws BAD_REQUEST (404) if the caller has no such upload; (409) if `Upload-Offset` isn't its current end
 * @throws TOO_LARGE if more arrives than the upload's length
 * @throws UNAUTHORIZED_PRINCIPAL for the archive of an import, unless the caller is still an owner
 * @throws REALM_UPLOAD_QUOTA
 */
export const continueTusUpload = action(
  {
    name: 'continueTusUpload',
    summary: 'Continue a resumable upload',
    params: v.object({
      token,
      tus_resumable,
      upload_offset: described(count, 'Number of bytes already received.'),
      chunk: described(
        v.optional(fileStream),
        'The next bytes of the file. Send an empty body to finish an upload that already has all its bytes.',
      ),
    }),
    headers: { ...tusHeaders, upload_offset: 'upload-offset' },
    body: { types: ['application/offset+octet-stream'], param: 'chunk' },
    file: { maxBytes },
    errors: ['TOO_LARGE', 'REALM_UPLOAD_QUOTA', 'UNAUTHORIZED_PRINCIPAL'],
    ...tusAction,
  },
  async (caller, { token, tus_resumable, upload_offset, chunk }): Promise<ProtocolAnswer> => {
    requireVersion(tus_resumable)
    const upload = await accessUpload(caller, token)
    // It is outside the quota of files, and may be as large as the disk.
    if (await isForImport(caller, upload)) requireRole(caller, 'owner')
    if (upload.received !== upload_offset) throw wrongOffset(upload)
    const arriving = chunk && atMost(caller, chunk.chunks, upload.size! - upload_offset)
    const now = arriving ? await receive(caller, upload, arriving) : upload
    const offset = { 'upload-offset': String(now.received) }
    if (now.received < upload.size!) return { outcome: 'empty', headers: { ...offset, ...expiry(now) } }
    if (await isForImport(caller, now)) {
      await finishImportUpload(caller, now)
      return { outcome: 'empty', headers: offset }
    }
    return { outcome: 'json', headers: offset, members: await finish(caller, now) }
  },
)

/**
 * DELETE /tus/{token}: cancels an upload.
 *
 * @throws BAD_REQUEST (404) if the caller has no such upload
 */
export const endTusUpload = action(
  {
    name: 'endTusUpload',
    summary: 'Cancel a resumable upload',
    params: v.object({ token, tus_resumable }),
    headers: tusHeaders,
    ...tusAction,
  },
  async (caller, { token, tus_resumable }): Promise<ProtocolAnswer> => {
    requireVersion(tus_resumable)
    await caller.write(async (tx) => abandonUpload(tx, await accessUpload(tx, token)))
    return { outcome: 'empty', headers: {} }
  },
)
