import * as v from 'valibot'
import { action, publicAction } from '../action.ts'
import { seconds } from '../base/clock.ts'
import { randomText } from '../base/random.ts'
import type { Caller } from '../context.ts'
import { badRequest, ChatError } from '../errors.ts'
import { count, described, fileStream, none, text } from '../fields.ts'
import { type ProtocolAnswer, protocolAnswer } from '../transport.ts'
import { finishUpload, uploadedView } from './finish.ts'
import { inspectBlob } from './image-file.ts'
import { abandonUpload, beginUpload, receive, type Upload, uploadGone } from './unfinished.ts'

/**
 * Uploads in several requests, by the tus protocol: creation, termination and expiration of its version 1.0.0
 * (https://tus.io/protocols/resumable-upload). What has arrived is kept for a day, over restarts too.
 */
const VERSION = '1.0.0'
const MIB = 1024 * 1024
/** Where uploads are, as their senders are answered. */
const PATH = '/api/v1/tus'

/** Every answer says which version it speaks, refusals too. */
const answerHeaders = { 'tus-resumable': VERSION }
const headers = { tus_resumable: 'tus-resumable' } as const
const tus_resumable = described(v.nullish(text), 'Version of the protocol: 1.0.0.')
const token = described(text, 'The upload, as in the address that its creation answered.')
const common = { result: protocolAnswer, answers: 'protocol', answerHeaders } as const

const maxBytes = ({ maxFileUploadSizeMib }: { maxFileUploadSizeMib: number }): number => maxFileUploadSizeMib * MIB
const tooLarge = (caller: Caller) =>
  new ChatError(
    'TOO_LARGE',
    `Uploaded file is larger than the allowed limit of ${caller.chat.options.maxFileUploadSizeMib} MiB`,
  )

/** Refuses other versions with 412. */
function requireVersion(version: string | null | undefined): void {
  if (version === VERSION) return
  throw new ChatError('BAD_REQUEST', `Tus-Resumable must be ${VERSION}`, { supported: [VERSION] }, 'precondition')
}

/**
 * OPTIONS /tus: what this server can do of the protocol. No sign-in.
 *
 * @throws BAD_REQUEST never; it takes no parameters
 */
export const describeTus = publicAction(
  { name: 'describeTus', summary: 'Describe resumable uploads', params: none, limit: 'none', ...common },
  async ({ chat }): Promise<ProtocolAnswer> => ({
    outcome: 'empty',
    headers: {
      'tus-version': VERSION,
      'tus-extension': 'creation,termination,expiration',
      'tus-max-size': String(maxBytes(chat.options)),
    },
  }),
)

/**
 * POST /tus: begins an upload, which PATCH requests then bring. `Upload-Metadata` has its `filename` and `filetype`.
 *
 * @throws TOO_LARGE
 * @throws REALM_UPLOAD_QUOTA when the organization's files would take more than `upload_quota_mib`
 * @throws BAD_REQUEST (412) for another version of the protocol, and for more than 100 unfinished uploads
 */
export const createTusUpload = action(
  {
    name: 'createTusUpload',
    summary: 'Begin a resumable upload',
    params: v.object({
      tus_resumable,
      upload_length: described(count, 'Bytes of the file.'),
      upload_metadata: described(v.nullish(text, ''), 'Names and values in base64, separated by commas.'),
    }),
    headers: { ...headers, upload_length: 'upload-length', upload_metadata: 'upload-metadata' },
    errors: ['TOO_LARGE', 'REALM_UPLOAD_QUOTA'],
    ...common,
  },
  async (caller, { tus_resumable, upload_length: size, upload_metadata }): Promise<ProtocolAnswer> => {
    requireVersion(tus_resumable)
    if (size > maxBytes(caller.chat.options)) throw tooLarge(caller)
    const { filename = '', filetype = '' } = metadataOf(upload_metadata ?? '')
    const token = randomText(caller.chat.random, 32)
    const upload = await beginUpload(caller, { name: filename, content_type: filetype, token, size })
    const location = `${PATH}/${token}`
    if (size > 0) return { outcome: 'created', headers: { location, ...expiry(upload) } }
    // Nothing is going to come.
    return { outcome: 'created', headers: { location, 'upload-offset': '0' }, members: await finish(caller, upload) }
  },
)

/**
 * HEAD /tus/{token}: how much of an upload has arrived.
 *
 * @throws BAD_REQUEST (404) when there is no such upload of the caller's, or it has expired
 */
export const getTusOffset = action(
  {
    name: 'getTusOffset',
    summary: 'Get how much of a resumable upload has arrived',
    params: v.object({ token, tus_resumable }),
    headers,
    ...common,
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
 * PATCH /tus/{token}: the next bytes of an upload. With the last of them the answer is that of POST /user_uploads.
 *
 * @throws BAD_REQUEST (404) when there is no such upload of the caller's; (409) when `Upload-Offset` is not where it
 * stands
 * @throws TOO_LARGE when more comes than the upload's length
 * @throws REALM_UPLOAD_QUOTA
 */
export const continueTusUpload = action(
  {
    name: 'continueTusUpload',
    summary: 'Continue a resumable upload',
    params: v.object({
      token,
      tus_resumable,
      upload_offset: described(count, 'Bytes that have arrived before.'),
      chunk: described(fileStream, 'The bytes that follow.'),
    }),
    headers: { ...headers, upload_offset: 'upload-offset' },
    body: { types: ['application/offset+octet-stream'], param: 'chunk' },
    file: { maxBytes },
    errors: ['TOO_LARGE', 'REALM_UPLOAD_QUOTA'],
    ...common,
  },
  async (caller, { token, tus_resumable, upload_offset, chunk }): Promise<ProtocolAnswer> => {
    requireVersion(tus_resumable)
    const upload = await accessUpload(caller, token)
    if (upload.received !== upload_offset) throw wrongOffset(upload)
    const now = await receive(caller, upload, atMost(caller, chunk.chunks, upload.size! - upload_offset))
    const offset = { 'upload-offset': String(now.received) }
    if (now.received < upload.size!) return { outcome: 'empty', headers: { ...offset, ...expiry(now) } }
    return { outcome: 'json', headers: offset, members: await finish(caller, now) }
  },
)

/**
 * DELETE /tus/{token}: ends an upload.
 *
 * @throws BAD_REQUEST (404) when there is no such upload of the caller's
 */
export const endTusUpload = action(
  {
    name: 'endTusUpload',
    summary: 'End a resumable upload',
    params: v.object({ token, tus_resumable }),
    headers,
    ...common,
  },
  async (caller, { token, tus_resumable }): Promise<ProtocolAnswer> => {
    requireVersion(tus_resumable)
    await caller.write(async (tx) => abandonUpload(tx, await accessUpload(tx, token)))
    return { outcome: 'empty', headers: {} }
  },
)

const wrongOffset = ({ received }: Upload) =>
  new ChatError('BAD_REQUEST', `The upload stands at ${received} bytes`, {}, 'conflict')

/** An upload of the caller's that goes on, by its token. */
async function accessUpload({ db, user, chat }: Caller, token: string): Promise<Upload> {
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
    if (rest < 0) throw left === 0 ? badRequest('The upload is complete') : tooLarge(caller)
    yield piece
  }
}

async function finish(caller: Caller, upload: Upload) {
  const image = await inspectBlob(caller, upload.blob_id, upload.received)
  return uploadedView(await caller.write((tx) => finishUpload(tx, upload, image)))
}

const expiry = ({ expires_at }: Upload) => ({ 'upload-expires': new Date(expires_at * 1000).toUTCString() })

/** `filename cMOpdMOp,filetype aW1hZ2U=` */
function metadataOf(text: string): { filename?: string; filetype?: string } {
  const pairs = text.split(',').map((pair): [string, string] => {
    const [key = '', value = ''] = pair.trim().split(' ')
    return [key, Buffer.from(value, 'base64').toString('utf8').replaceAll('\0', '')]
  })
  const { filename, name, filetype, type } = Object.fromEntries(pairs)
  return { filename: filename ?? name ?? '', filetype: filetype ?? type ?? '' }
}
