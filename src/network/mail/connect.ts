import { connect, isIP, type Socket } from 'node:net'
import { isPublicAddress } from '../addresses.ts'
import { checkedLookup } from '../checked-lookup.ts'
import { MailFailed, unresolved } from './mail-failed.ts'

/** Opens a connection to a mail server in place of nodemailer. */
export type OpenSocket = (
  options: unknown,
  done: (error: Error | null, opened?: { connection: Socket }) => void,
) => void

const TIMEOUT_MS = 10_000

/** Opens connections to a mail server that owners chose, only on the public Internet. */
export const publicSocket =
  ({ host, port, name }: { host: string; port: number; name: string }): OpenSocket =>
  (_, done) => {
    // An IP address needs no DNS lookup.
    if (isIP(host) !== 0 && !isPublicAddress(host)) return done(refused(host))
    hand(connect({ host, port, lookup: checkedLookup(refused) }), { host, name }, done)
  }

/** Opens connections to a socket of this machine. */
export const unixSocket =
  (path: string): OpenSocket =>
  (_, done) =>
    hand(connect({ path }), { host: path, name: path }, done)

const refused = (host: string): MailFailed =>
  new MailFailed(
    `The mail server ${host} is not on the public Internet. Start the server with --mail-url to use it`,
    'connection',
  )

/** Hands over a socket when it is connected. */
function hand(socket: Socket, { host, name }: { host: string; name: string }, done: Parameters<OpenSocket>[1]): void {
  const failed = (error: Error & { code?: string }) => {
    socket.destroy()
    done(error instanceof MailFailed ? error : failureOf(error))
  }
  const failureOf = ({ code, message }: Error & { code?: string }): MailFailed =>
    code === 'ENOTFOUND' || code === 'EAI_AGAIN'
      ? unresolved(host)
      : new MailFailed(`The mail server ${name} could not be reached: ${code ?? message}`, 'connection')
  const timedOut = () => failed(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }))
  socket.setTimeout(TIMEOUT_MS, timedOut)
  socket.once('error', failed)
  socket.once('connect', () => {
    socket.setTimeout(0, timedOut)
    // Until nodemailer listens.
    socket.on('error', () => {})
    socket.off('error', failed)
    done(null, { connection: socket })
  })
}
