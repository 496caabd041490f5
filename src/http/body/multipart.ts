import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Part } from 'formidable'
import { freeBytes } from '../../core/kernel/base/free-bytes.ts'
import { badRequest } from '../../core/kernel/errors.ts'
import type { Parameters } from '../parameters.ts'
import { type BodyRules, MAX_FORM_BYTES, type ReceivedBody, type ReceivedFile } from './rules.ts'
import { type BodySource, bodyTooLarge, endedEarly, tooSlow } from './source.ts'
import { createUpload, fileTooLarge, type Upload } from './upload.ts'

/** formidable's code for a request whose sender has disconnected. */
const ABORTED = 1002

/** A part of the form, as formidable passes it. */
type FormPart = Part & { originalFilename: string | null; name: string | null }

/**
 * Reads multipart/form-data. Files are kept in memory, each up to its limit. For an action that streams, it returns at
 * the first file. Later errors in the form are then thrown to the file's reader.
 */
export async function readMultipart(
  source: BodySource,
  contentType: string,
  parameters: Parameters,
  rules: BodyRules,
): Promise<ReceivedBody> {
  // Loaded with the first such form, because it takes longer to load than all of http/.
  const { default: formidable } = await import('formidable')
  const form = formidable({ allowEmptyFiles: true, minFileSize: 0, maxFields: Number.POSITIVE_INFINITY })
  const files: ReceivedFile[] = []
  let upload: Upload | undefined
  let textBytes = 0
  let refused = false

  return new Promise((resolve, reject) => {
    const refuse = (error: unknown) => {
      refused = true
      stopWatching()
      reject(error)
      upload?.fail(error)
    }
    const stopWatching = source.deadlines.watch(() => refuse(tooSlow()))

    form.on('progress', (bytes) => {
      if (bytes <= rules.maxBytes) return
      refuse(rules.maxFileBytes > 0 ? fileTooLarge(rules.maxFileBytes) : bodyTooLarge(rules.maxBytes))
    })
    // @NOTE formidable treats a part with a content type as a file, but in the standard a file is a part with a file
    // name
    form.onPart = (part: FormPart) => {
      const isFile = part.originalFilename !== null || (part.mimetype !== null && !part.mimetype.startsWith('text/'))
      if (!isFile) readText(part)
      else if (rules.streamed && (rules.field ?? part.name) === part.name) streamFile(part)
      else readFile(part)
    }
    form.parse(requestOf(source, contentType), (error) => {
      if (error) return refuse(error.code === ABORTED ? endedEarly() : badRequest('Malformed multipart form'))
      stopWatching()
      upload?.end()
      resolve({ files })
    })

    function readText(part: FormPart): void {
      const chunks: Buffer[] = []
      part.on('data', (chunk: Buffer) => {
        textBytes += chunk.length
        if (textBytes > MAX_FORM_BYTES) refuse(bodyTooLarge(MAX_FORM_BYTES))
        else chunks.push(Buffer.from(chunk))
      })
      part.on('end', () => {
        if (refused) return
        if (upload) return refuse(badRequest('Parameters must come before the file'))
        try {
          parameters.addText(part.name ?? '', Buffer.concat(chunks).toString('utf8'))
        } catch (error) {
          refuse(error)
        }
      })
    }

    function readFile(part: FormPart): void {
      const chunks: Buffer[] = []
      let size = 0
      part.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (refused || rules.maxFileBytes === 0 || rules.streamed) return
        if (size > rules.maxFileBytes) refuse(fileTooLarge(rules.maxFileBytes))
        else chunks.push(Buffer.from(chunk))
      })
      part.on('end', () => void files.push({ ...describe(part), bytes: Buffer.concat(chunks) }))
    }

    function streamFile(part: FormPart): void {
      if (upload) {
        refuse(badRequest(rules.several))
        return
      }
      const file = createUpload({
        source,
        ...describe(part),
        maxBytes: rules.maxFileBytes,
        pause: () => void source.stream.pause(),
        resume: () => void source.stream.resume(),
        release: freeBytes,
      })
      upload = file
      part.on('data', (chunk: Buffer) => file.push(Buffer.from(chunk)))
      stopWatching()
      resolve({ files, upload })
    }
  })
}

const describe = ({ name, originalFilename, mimetype }: FormPart) => ({
  field: name ?? '',
  name: originalFilename ?? '',
  content_type: mimetype ?? '',
})

/** The body as the request object that formidable expects. */
function requestOf({ stream, socket }: BodySource, contentType: string): IncomingMessage {
  if (socket) return stream as IncomingMessage
  // @NOTE without a length or an encoding, formidable treats the body as empty
  const headers = { 'content-type': contentType, 'transfer-encoding': 'chunked' }
  return Object.assign(stream, { headers }) as Readable as IncomingMessage
}
