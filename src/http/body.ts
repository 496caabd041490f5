import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { H3Event } from 'h3'
import { badRequest } from '../core/errors.ts'
import { tooLarge, unreadable } from './answers.ts'
import { type Received, takeForm } from './form.ts'
import { type FormFile, readMultipart } from './multipart.ts'

/** Parameters other than a file fit in this. */
export const MAX_FORM_BYTES = 1024 * 1024

export interface BodyLimits {
  /** Of the whole body. */
  bytes: number
  /** Of one uploaded file; none are kept when 0. */
  file: number
}

/** Reads the parameters in a body, and its files. Only now is the body touched. */
export async function readBody(event: H3Event, received: Received, limits: BodyLimits): Promise<FormFile[]> {
  const { req } = event
  if (req.method === 'GET' || req.method === 'HEAD') return []
  const { headers } = req
  const length = headers.get('content-length')
  if (length === '0') return []
  const stream = event.runtime?.node?.req as IncomingMessage | undefined
  const unknownLength = stream ? headers.has('transfer-encoding') : req.body !== null
  if (length === null && !unknownLength) return []
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
  const encoding = headers.get('content-encoding') ?? 'identity'
  const readable =
    encoding === 'identity' && (type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data')
  // Refused unread: Node then drops what follows, and the connection goes on.
  if (!readable && length !== null) throw wrongType(type, encoding)
  if (Number(length) > limits.bytes) throw bodyTooLarge(limits.bytes)
  try {
    if (readable && type === 'multipart/form-data') {
      return await readMultipart(stream ?? req, headers, received, limits)
    }
    const bytes = stream ? await collect(stream, limits.bytes) : await collectWeb(req, limits.bytes)
    if (!readable && bytes.length > 0) throw wrongType(type, encoding)
    takeForm(received, bytes.toString('utf8'))
    return []
  } catch (error) {
    if (stream && !stream.readableEnded) await drain(stream)
    throw error
  }
}

const bodyTooLarge = (limit: number) => tooLarge(`The request is too large; at most ${Math.floor(limit / 1024)} KiB`)

const wrongType = (type: string, encoding: string) =>
  unreadable(
    encoding === 'identity'
      ? `Cannot read a body of type ${JSON.stringify(type)}; send a form (application/x-www-form-urlencoded or multipart/form-data)`
      : 'Cannot read a compressed body',
  )

/** @NOTE not `for await`: leaving that loop destroys the request, and with it the socket for the answer. */
function collect(stream: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (error?: unknown) => {
      stream.off('data', take).off('end', settle).off('error', settle).off('close', gone)
      if (error) reject(error)
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) settle(bodyTooLarge(limit))
      else chunks.push(chunk)
    }
    const gone = () => settle(badRequest('The request ended early'))
    stream.on('data', take).once('end', settle).once('error', gone).once('close', gone)
  })
}

async function collectWeb(req: { body: ReadableStream<Uint8Array> | null }, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of req.body ?? []) {
    size += chunk.length
    if (size > limit) throw bodyTooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** How much of a refused body is still taken in, and for how long, so that its sender reads the answer. */
const DRAIN_BYTES = 16 * 1024 * 1024
const DRAIN_MS = 1000

function drain(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    let left = DRAIN_BYTES
    const done = () => {
      clearTimeout(timer)
      stream.off('data', drop).off('end', done).off('close', done).pause()
      resolve()
    }
    const drop = (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) done()
    }
    const timer = setTimeout(done, DRAIN_MS)
    stream.removeAllListeners('data')
    stream.on('data', drop).once('end', done).once('close', done).resume()
  })
}
