import { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { H3Event } from 'h3'
import { timers } from '../../core/kernel/base/timers.ts'
import { badRequest, ChatError } from '../../core/kernel/errors.ts'
import { tooLarge } from '../responses.ts'
import type { Deadlines } from './deadlines.ts'

/** A request's body, from a socket or a Request object. */
export interface BodySource {
  readonly stream: Readable
  /** Whether to read the rest before responding. Over a socket, clients send everything before they read. */
  readonly socket: boolean
  readonly deadlines: Deadlines
}

/**
 * Returns the body of a request, which isn't touched before. Throws INTERNAL_ERROR if the host application has read
 * from it.
 */
export function sourceOf(event: H3Event, deadlines: Deadlines): BodySource {
  const request = event.runtime?.node?.req as IncomingMessage | undefined
  if (request) {
    if (request.readableDidRead || request.readableEnded) throw readBefore()
    return { stream: request, socket: true, deadlines }
  }
  if (event.req.bodyUsed || event.req.body?.locked) throw readBefore()
  return { stream: Readable.fromWeb(event.req.body as WebStream), socket: false, deadlines }
}

const readBefore = (): ChatError =>
  new ChatError(
    'INTERNAL_ERROR',
    'The request body was read before the request reached the chat server. Mount the chat server before body parsers such as express.json().',
  )
export const endedEarly = (): ChatError => badRequest('The request was incomplete')
export const tooSlow = (): ChatError => new ChatError('REQUEST_TIMEOUT', 'The request did not arrive in time')
export const bodyTooLarge = (limit: number): ChatError =>
  tooLarge(`The request is too large. The limit is ${Math.floor(limit / 1024)} KiB`)

/**
 * Reads the entire body.
 * @NOTE not `for await`: leaving that loop destroys the request, and with it the socket for the response
 */
export function collect({ stream, deadlines }: BodySource, limit: number): Promise<Buffer> | Buffer {
  // Most bodies are short and arrive with their head.
  if (stream instanceof IncomingMessage && isWhole(stream) && stream.readableLength <= limit) return whole(stream)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (error?: unknown) => {
      stream.off('data', take).off('end', settle).off('error', onClose).off('close', onClose)
      stopWatching()
      if (error) reject(error)
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) settle(bodyTooLarge(limit))
      else chunks.push(chunk)
    }
    const onClose = () => settle(endedEarly())
    const stopWatching = deadlines.watch(() => settle(tooSlow()))
    stream.on('data', take).once('end', settle).once('error', onClose).once('close', onClose)
  })
}

/** Whether all of the body has arrived. Node sets `complete` later. */
export const isWhole = ({ complete, readableLength, headers }: IncomingMessage): boolean =>
  complete || readableLength === Number(headers['content-length'])

/** Requests whose body was read as a whole. Node sets `readableEnded` later. */
const readWhole = new WeakSet<IncomingMessage>()

function whole(stream: IncomingMessage): Buffer {
  readWhole.add(stream)
  return (stream.read() as Buffer | null) ?? Buffer.alloc(0)
}

/** Whether a part of the body was read, and the rest would be taken for the next request. */
export const isReadInPart = (request: IncomingMessage): boolean =>
  request.readableDidRead && !request.readableEnded && !readWhole.has(request)

/** How much of a rejected body is read, and for how long, so that its sender reads the response. */
const DRAIN_BYTES = 16 * 1024 * 1024
const DRAIN_MS = 1000

/**
 * Drops the rest of a body.
 * @NOTE a Request's body is dropped too, not canceled: in Node 24, canceling a body made of FormData is an unhandled
 * rejection, which ends the process
 */
export function drain({ stream, socket }: BodySource): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return Promise.resolve()
  const drained = new Promise<void>((resolve) => {
    let left = DRAIN_BYTES
    const done = () => {
      timers.clearTimeout(timer)
      stream.off('data', drop).off('end', done).off('close', done).pause()
      resolve()
    }
    const drop = (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) done()
    }
    const timer = timers.setTimeout(done, DRAIN_MS)
    stream.removeAllListeners('data')
    stream.on('data', drop).once('end', done).once('close', done).resume()
  })
  if (socket) return drained
  stream.on('error', () => {})
  return Promise.resolve()
}

const decoder = new TextDecoder('utf-8', { fatal: true })

export function utf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw badRequest("The request body isn't valid UTF-8")
  }
}
