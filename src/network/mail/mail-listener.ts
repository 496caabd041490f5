// cspell:ignore ENHANCEDSTATUSCODES
import type { AddressInfo } from 'node:net'
import type { SMTPServerDataStream } from 'smtp-server'

/** Where email comes in, and by which protocol. LMTP has a reply for each recipient of an email. */
export interface ListenAddress {
  protocol: 'smtp' | 'lmtp'
  host: string
  port: number
}

/** A reply that rejects something, as an error. */
export interface Rejection extends Error {
  readonly responseCode: number
  /** Of RFC 3463. */
  readonly status: string
}

export interface IncomingMail {
  /** Empty for bounces. */
  envelopeFrom: string
  recipients: string[]
  raw: Uint8Array
}

export interface MailListenerOptions extends ListenAddress {
  /** The server's name in its greeting. */
  name: string
  maxBytes: number
  maxRecipients: number
  /** Throws a rejection for an address that takes no email. */
  checkRecipient(address: string): Promise<void>
  /** Returns for each recipient the rejection, if there is one. Anything else is acknowledged. Never rejects. */
  receive(mail: IncomingMail): Promise<(Rejection | undefined)[]>
}

export interface MailListener {
  readonly port: number
  /** Accepts nothing more, lets emails that have arrived be stored, and ends all connections. */
  close(): Promise<void>
}

/** Each of them may hold an email in memory. */
const MAX_CLIENTS = 10
/** Rejected recipients, after which a connection ends: somebody is guessing. */
const MAX_REJECTED = 20
const IDLE_MS = 60_000

/**
 * Parses an address such as `127.0.0.1:2525`, `lmtp://[::1]:2525` or `smtp://127.0.0.1:2525`.
 *
 * @throws Error with a sentence
 */
export function parseListenAddress(text: string): ListenAddress {
  const [, protocol = 'smtp', host, bracketed, port] =
    /^(?:(smtp|lmtp):\/\/)?(?:([\w.-]+)|\[([\da-f:.]+)\]):(\d{1,5})\/?$/i.exec(text.trim()) ?? []
  const number = Number(port)
  if (!(number <= 65_535))
    throw new Error('The address for incoming email must have the form 127.0.0.1:2525 or lmtp://127.0.0.1:2525')
  return { protocol: protocol.toLowerCase() as 'smtp' | 'lmtp', host: (host ?? bracketed)!, port: number }
}

const replyTo = ({ responseCode, status, message }: Rejection): Error & { responseCode: number } =>
  Object.assign(new Error(`${status} ${message}`), { responseCode })

const later = () => Object.assign(new Error('4.3.0 The server has a problem. Try again later'), { responseCode: 451 })

const isRejection = (error: unknown): error is Rejection => error instanceof Error && 'status' in error

/** Listens for email from a mail server. It rejects email during the delivery, and never with an email of its own. */
export async function listenForMail(options: MailListenerOptions): Promise<MailListener> {
  const { protocol, host, port, name, maxBytes, maxRecipients } = options
  // Loaded only if email comes in.
  const { SMTPServer } = await import('smtp-server')
  const rejected = new Map<string, number>()
  const receiving = new Set<Promise<unknown>>()
  const server = new SMTPServer({
    lmtp: protocol === 'lmtp',
    name,
    logger: false,
    size: maxBytes,
    rejectOversized: true,
    maxRecipients,
    maxClients: MAX_CLIENTS,
    socketTimeout: IDLE_MS,
    disableReverseLookup: true,
    // The replies contain them.
    hideENHANCEDSTATUSCODES: true,
    hideDSN: true,
    authOptional: true,
    maxAllowedUnauthenticatedCommands: false,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, { id }, done) {
      const count = rejected.get(id) ?? 0
      if (count >= MAX_REJECTED) return done(Object.assign(new Error('4.7.0 Too many errors'), { responseCode: 421 }))
      options.checkRecipient(address).then(
        () => done(),
        (error: unknown) => {
          rejected.set(id, count + 1)
          done(isRejection(error) ? replyTo(error) : later())
        },
      )
    },
    onData(stream, { envelope }, done) {
      const work = collect(stream, maxBytes).then(async (raw) => {
        // It is too large, and the server says so.
        if (!raw) return done()
        const { mailFrom, rcptTo } = envelope
        const recipients = rcptTo.map(({ address }) => address)
        const replies = (
          await options.receive({ envelopeFrom: mailFrom ? mailFrom.address : '', recipients, raw })
        ).map((rejection) => rejection && replyTo(rejection))
        if (protocol === 'lmtp')
          return done(
            null,
            replies.map((reply) => reply ?? '2.0.0 OK'),
          )
        // One reply for all: a second attempt changes nothing for recipients who have the email.
        const temporary = replies.find((reply) => reply && reply.responseCode < 500)
        done(temporary ?? (replies.every(Boolean) ? replies[0] : null), '2.0.0 OK')
      })
      const settled = work.catch(() => done(later())).finally(() => receiving.delete(settled))
      receiving.add(settled)
    },
    onClose({ id }, done) {
      rejected.delete(id)
      done()
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  // Of single connections, such as a reset.
  server.on('error', () => {})
  return {
    port: (server.server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await Promise.all(receiving)
      // The replies to them are written first.
      await new Promise((resolve) => setImmediate(resolve))
      for (const connection of server.connections) connection.close()
      await closed
    },
  }
}

/** Reads an email to its end; undefined if it is too large. */
async function collect(stream: SMTPServerDataStream, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size <= maxBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  return size <= maxBytes ? Buffer.concat(chunks) : undefined
}
