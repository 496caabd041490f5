import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import type { Caller } from '../kernel/context.ts'
import { described, type FileStream, fileStream } from '../kernel/fields.ts'
import { finishUpload, uploadedView } from './finish.ts'
import { inspectBlob } from './image-file.ts'
import { abandonUpload, beginUpload, receive } from './unfinished.ts'

const MIB = 1024 * 1024

/** The response for the sender of a file. */
export const uploaded = v.strictObject({
  /** The file's address, for use in a message. */
  url: v.string(),
  /** Older name of `url`. */
  uri: v.string(),
  /** The name it is stored under. */
  filename: v.string(),
})

/**
 * POST /user_uploads: stores a file for messages to refer to. Only its sender can read it until a message does. The
 * file is read while it arrives, and exists once it is complete.
 *
 * @throws TOO_LARGE
 * @throws SILENCED while a moderator has silenced the caller
 * @throws REALM_UPLOAD_QUOTA if the organization's files would exceed `upload_quota_mib`
 * @throws BAD_REQUEST without a file, and with several
 * @example
 * const chunks = (async function* () { yield new TextEncoder().encode('hello') })()
 * const { url } = await uploadFile(caller, { filename: { name: 'hello.txt', content_type: 'text/plain', chunks } })
 */
export const uploadFile = action(
  {
    name: 'uploadFile',
    summary: 'Upload a file',
    params: v.object({ filename: described(fileStream, 'The file. Its form field can have any name.') }),
    result: uploaded,
    file: {
      maxBytes: ({ maxFileUploadSizeMib }) => maxFileUploadSizeMib * MIB,
      missing: 'You must specify a file to upload',
      several: 'You may only upload one file at a time',
    },
    errors: ['TOO_LARGE', 'REALM_UPLOAD_QUOTA', 'SILENCED'],
  },
  (caller, { filename }) => storeFile(caller, filename),
)

/** Stores a file of the caller while it arrives. Throws as `uploadFile`. */
export async function storeFile(caller: Caller, file: FileStream): Promise<v.InferOutput<typeof uploaded>> {
  const upload = await beginUpload(caller, file)
  try {
    const { received } = await receive(caller, upload, file.chunks)
    const image = await inspectBlob(caller, upload.blob_id, received)
    return uploadedView(caller.chat, await caller.write((tx) => finishUpload(tx, upload, image)))
  } catch (error) {
    // If that fails too, the sweep removes it.
    await caller.write((tx) => abandonUpload(tx, upload)).catch(() => {})
    throw error
  }
}
