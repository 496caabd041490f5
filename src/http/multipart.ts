import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { Part } from 'formidable'
import { badRequest } from '../core/errors.ts'
import { tooLarge } from './answers.ts'
import type { BodyLimits } from './body.ts'
import type { Received } from './form.ts'

/** A file of a multipart form; its bytes are there only if the action takes a file. */
export interface FormFile {
  field: string
  name: string
  bytes: Uint8Array
}

const MIB = 1024 * 1024

/** Reads multipart/form-data in memory, each file up to its limit. */
export async function readMultipart(
  source: IncomingMessage | { body: ReadableStream<Uint8Array> | null },
  headers: { get(name: string): string | null },
  received: Received,
  limits: BodyLimits,
): Promise<FormFile[]> {
  // Loaded with the first such form: it takes longer than all else of http/ at a start.
  const { default: formidable } = await import('formidable')
  const files: FormFile[] = []
  const form = formidable({ allowEmptyFiles: true, minFileSize: 0, maxFields: Number.POSITIVE_INFINITY })
  const request = source instanceof Readable ? source : asRequest(source.body, headers)
  let refused = false
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown) => {
      refused = true
      reject(error)
    }
    form.on('progress', (bytes) => {
      if (bytes > limits.bytes) refuse(tooLarge(`The request is too large; at most ${limits.bytes / 1024} KiB`))
    })
    // @NOTE formidable itself takes a part for a file by its type; a file is what has a file name.
    form.onPart = (part: Part & { originalFilename: string | null; name: string | null }) => {
      const chunks: Buffer[] = []
      const isFile = part.originalFilename !== null || (part.mimetype !== null && !part.mimetype.startsWith('text/'))
      let size = 0
      part.on('data', (chunk: Buffer) => {
        if (refused) return
        size += chunk.length
        if (isFile && limits.file > 0 && size > limits.file) {
          refuse(tooLarge(`Uploaded file is larger than the allowed limit of ${limits.file / MIB} MiB`))
        } else if (!isFile || limits.file > 0) chunks.push(Buffer.from(chunk))
      })
      part.on('end', () => {
        if (refused) return
        const bytes = Buffer.concat(chunks)
        const field = part.name ?? ''
        if (isFile) files.push({ field, name: part.originalFilename ?? '', bytes })
        else
          try {
            received.take(field, bytes.toString('utf8'))
          } catch (error) {
            refuse(error)
          }
      })
    }
    form.parse(request, (error) => {
      if (error) refuse(badRequest('Malformed multipart form'))
      else resolve(files)
    })
  })
}

/** The body of a request without a socket, in the clothes formidable knows. */
function asRequest(body: ReadableStream<Uint8Array> | null, headers: { get(name: string): string | null }) {
  // @NOTE with neither length nor encoding formidable takes the body for empty.
  return Object.assign(Readable.fromWeb(body as WebStream), {
    headers: { 'content-type': headers.get('content-type') ?? '', 'transfer-encoding': 'chunked' },
  }) as Readable as IncomingMessage
}
