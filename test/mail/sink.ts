import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { certificate, key } from './certificate.ts'

/** A reply that rejects what the client sent. */
export const reply = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode })

/** An email as it arrived, parsed, with its envelope. */
export interface Arrived extends Email {
  envelope: { from: string; to: string[] }
  raw: string
}

interface SinkOptions extends Pick<SMTPServerOptions, 'secure' | 'onConnect' | 'onAuth' | 'onMailFrom' | 'onRcptTo'> {
  /** Commands that the server doesn't offer. By default it offers neither TLS nor a login. */
  without?: string[]
  /** A socket in place of a port. */
  path?: string
  /** Called with each complete email. An error that it throws is the reply. */
  onMail?(mail: Arrived): void | Promise<void>
}

/** Starts a mail server on this machine that keeps what it accepts. */
export async function mailSink({
  without = ['STARTTLS', 'AUTH'],
  onMail = () => {},
  path,
  ...options
}: SinkOptions = {}) {
  const mails: Arrived[] = []
  let connections = 0
  const server = new SMTPServer({
    logger: false,
    disabledCommands: without,
    key,
    cert: certificate,
    authOptional: true,
    ...options,
    onConnect(session, done) {
      connections++
      if (options.onConnect) options.onConnect.call(this, session, done)
      else done()
    },
    async onData(stream, { envelope }, done) {
      try {
        const chunks: Buffer[] = []
        // It fails if the client dies before the end.
        for await (const chunk of stream) chunks.push(chunk as Buffer)
        const raw = Buffer.concat(chunks)
        const { mailFrom, rcptTo } = envelope
        const mail: Arrived = {
          ...(await PostalMime.parse(raw)),
          envelope: { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) },
          raw: raw.toString('latin1'),
        }
        await onMail(mail)
        mails.push(mail)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
  // Clients that give up reset their connections.
  server.on('error', () => {})
  await new Promise<void>((resolve) => {
    if (path === undefined) server.listen(0, '127.0.0.1', resolve)
    else server.listen(path, resolve)
  })
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    url: `${options.secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    mails,
    connections: () => connections,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Returns the value of a header of an email that arrived; undefined if it is missing. */
export const headerOf = ({ headers }: Pick<Email, 'headers'>, name: string): string | undefined =>
  headers.find(({ key }) => key === name.toLowerCase())?.value
