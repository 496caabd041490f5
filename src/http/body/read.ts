import type { H3Event } from 'h3'
import { freeBytes } from '../../core/kernel/base/free-bytes.ts'
import type { Parameters } from '../parameters.ts'
import { unreadable } from '../responses.ts'
import type { Deadlines } from './deadlines.ts'
import { readForm } from './form.ts'
import { parseJson, readJsonParameters } from './json.ts'
import { readMultipart } from './multipart.ts'
import type { BodyRules, ReceivedBody, WholeRule } from './rules.ts'
import { type BodySource, bodyTooLarge, collect, drain, endedEarly, sourceOf, utf8 } from './source.ts'
import { createUpload, fileTooLarge } from './upload.ts'

const nothing: ReceivedBody = { files: [] }

/** The reader for each type of body; the one for multipart forms reads the stream itself. */
const readers: Readonly<Record<string, (parameters: Parameters, bytes: Buffer) => void>> = {
  'application/x-www-form-urlencoded': (parameters, bytes) => readForm(parameters, bytes.toString('utf8')),
  'application/json': (parameters, bytes) => readJsonParameters(parameters, utf8(bytes)),
}
const readable = 'a form (application/x-www-form-urlencoded or multipart/form-data) or application/json'

/** Reads the parameters in a body, and its files. */
export function readBody(
  event: H3Event,
  parameters: Parameters,
  rules: BodyRules,
  deadlines: Deadlines,
): Promise<ReceivedBody> | ReceivedBody {
  const { method } = event.req
  return method === 'GET' || method === 'HEAD' ? nothing : readAny(event, parameters, rules, deadlines)
}

async function readAny(
  event: H3Event,
  parameters: Parameters,
  rules: BodyRules,
  deadlines: Deadlines,
): Promise<ReceivedBody> {
  const { req } = event
  const { headers } = req
  const length = headers.get('content-length')
  if (length === '0') return nothing
  const unknownLength = event.runtime?.node ? headers.has('transfer-encoding') : req.body !== null
  if (length === null && !unknownLength) return nothing
  const contentType = headers.get('content-type') ?? ''
  const type = mediaType(contentType)
  const problem = problemWith(type, contentType, headers.get('content-encoding'), rules)
  // Rejected without reading: Node drops the rest, and the connection stays usable.
  if (problem && length !== null) throw unreadable(problem)
  if (Number(length) > rules.maxBytes) {
    const isFile = rules.maxFileBytes > 0 && (type === 'multipart/form-data' || rules.whole?.types.includes(type))
    throw isFile ? fileTooLarge(rules.maxFileBytes) : bodyTooLarge(rules.maxBytes)
  }
  const source = sourceOf(event, deadlines)
  try {
    if (!problem && rules.whole?.types.includes(type)) {
      return closable(source, await readWhole(source, type, rules.whole, rules))
    }
    if (!problem && type === 'multipart/form-data') {
      return closable(source, await readMultipart(source, contentType, parameters, rules))
    }
    const bytes = await collect(source, rules.maxBytes)
    if (bytes.length === 0) return nothing
    if (problem) throw unreadable(problem)
    readers[type]!(parameters, bytes)
    return nothing
  } catch (error) {
    await drain(source)
    throw error
  }
}

/**
 * Adds the function that drops data the action didn't read: the rest of an upload, or anything after a form's last
 * file. The connection can be kept alive only after all of it has arrived.
 */
function closable(source: BodySource, body: ReceivedBody): ReceivedBody {
  const close = () => {
    body.upload?.discard()
    return drain(source)
  }
  return { ...body, close }
}

/** Returns the error for a body that can't be read, according to its headers, or undefined. */
function problemWith(type: string, contentType: string, encoding: string | null, { whole }: BodyRules) {
  if (encoding !== null && encoding !== 'identity') return 'Compressed request bodies are not supported'
  if (whole?.types.includes(type) || type === 'multipart/form-data') return undefined
  if (!Object.hasOwn(readers, type)) return `Unsupported content type ${JSON.stringify(type)}. Send ${readable}`
  if (type.length === contentType.length) return undefined
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1]
  if (charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset)) return undefined
  return `Unsupported character set ${JSON.stringify(charset)}. Send UTF-8`
}

const mediaType = (contentType: string): string => contentType.split(';', 1)[0]!.trim().toLowerCase()

/** Reads a body as the value of one parameter. */
async function readWhole(
  source: BodySource,
  content_type: string,
  { param, encoding }: WholeRule,
  { maxBytes, maxFileBytes }: BodyRules,
): Promise<ReceivedBody> {
  const about = { field: param, name: '', content_type }
  if (encoding === 'stream') return { files: [], upload: streamed(source, about, maxFileBytes) }
  const bytes = await collect(source, encoding === 'file' ? maxFileBytes : maxBytes)
  if (encoding === 'file') return { files: [{ ...about, bytes }] }
  const text = utf8(bytes)
  return { files: [], value: encoding === 'text' ? text : parseJson(text) }
}

function streamed(source: BodySource, about: { field: string; name: string; content_type: string }, maxBytes: number) {
  const { stream, socket } = source
  const upload = createUpload({
    source,
    ...about,
    maxBytes,
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    // The host application may also read the request, and the body of a Request belongs to its creator.
    release: (piece) => void (socket && stream.listenerCount('data') === 1 && freeBytes(piece)),
  })
  const onClose = () => upload.fail(endedEarly())
  stream.on('data', upload.push).once('end', upload.end).once('error', onClose).once('close', onClose)
  return upload
}
