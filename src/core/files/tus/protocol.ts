import * as v from 'valibot'
import { protocolAnswer } from '../../kernel/answers.ts'
import type { Caller } from '../../kernel/context.ts'
import { ChatError } from '../../kernel/errors.ts'
import { described, text } from '../../kernel/fields.ts'
import type { Upload } from '../unfinished.ts'

/**
 * Uploads in several requests with the tus protocol: creation, termination and expiration of version 1.0.0
 * (https://tus.io/protocols/resumable-upload). Received bytes are kept for a day, across restarts too.
 */
export const TUS_VERSION = '1.0.0'

const MIB = 1024 * 1024

/** Path of uploads in responses. */
export const TUS_PATH = '/api/v1/tus'

/** Every response names its version, errors too. */
const answerHeaders = { 'tus-resumable': TUS_VERSION }

export const tusHeaders = { tus_resumable: 'tus-resumable' } as const

export const tus_resumable = described(v.nullish(text), 'Protocol version: 1.0.0.')

export const token = described(text, 'Token of the upload, from the URL returned when it was created.')

export const tusAction = { result: protocolAnswer, answers: 'protocol', answerHeaders } as const

export const maxBytes = ({ maxFileUploadSizeMib }: { maxFileUploadSizeMib: number }): number =>
  maxFileUploadSizeMib * MIB

export const tooLarge = (caller: Caller) =>
  new ChatError(
    'TOO_LARGE',
    `Uploaded file is larger than the allowed limit of ${caller.chat.options.maxFileUploadSizeMib} MiB`,
  )

/** Rejects other versions with 412. */
export function requireVersion(version: string | null | undefined): void {
  if (version === TUS_VERSION) return
  throw new ChatError(
    'BAD_REQUEST',
    `Tus-Resumable must be ${TUS_VERSION}`,
    { supported: [TUS_VERSION] },
    'precondition',
  )
}

export const wrongOffset = ({ received }: Upload) =>
  new ChatError('BAD_REQUEST', `Upload-Offset must be ${received}, the number of bytes received`, {}, 'conflict')

export const expiry = ({ expires_at }: Upload) => ({ 'upload-expires': new Date(expires_at * 1000).toUTCString() })

/** `filename cMOpdMOp,filetype aW1hZ2U=` */
export function metadataOf(text: string): { filename?: string; filetype?: string } {
  const pairs = text.split(',').map((pair): [string, string] => {
    const [key = '', value = ''] = pair.trim().split(' ')
    return [key, Buffer.from(value, 'base64').toString('utf8').replaceAll('\0', '')]
  })
  const { filename, name, filetype, type } = Object.fromEntries(pairs)
  return { filename: filename ?? name ?? '', filetype: filetype ?? type ?? '' }
}
