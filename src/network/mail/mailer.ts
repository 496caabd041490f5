import type { Transporter } from 'nodemailer'
import type { OpenSocket } from './connect.ts'
import type { DkimKey } from './dkim.ts'
import type { SendMail } from './mail.ts'
import { explain } from './mail-failed.ts'
import { type MailServer, nameOfServer, type SmtpServer } from './mail-server.ts'

export interface Mailer {
  send: SendMail
  /** Ends open connections. */
  close(): void
}

/** Connections at a time. */
export const CONNECTIONS = 2
const TIMEOUT_MS = 10_000
/** A server may check the content before it replies. */
const REPLY_TIMEOUT_MS = 60_000

/** Creates the only function that connects to a mail server. Its connections are open only while mails are sent. */
export function createMailer(server: MailServer, dkim?: DkimKey): Mailer {
  let transporter: Promise<Transporter> | undefined
  let sending = 0
  const close = () => {
    void transporter?.then(
      (open) => open.close(),
      () => {},
    )
    transporter = undefined
  }
  return {
    async send({ from, to, returnTo, messageId, date, subject, text, html, headers }) {
      sending++
      try {
        transporter ??= transporterFor(server, dkim)
        const sent = await (await transporter).sendMail({
          // Objects, because nodemailer splits a text with commas into several recipients.
          from,
          to,
          envelope: { from: returnTo ?? from.address, to: [to.address] },
          messageId: `<${messageId}>`,
          date,
          subject,
          text,
          html,
          headers: { ...headers },
          disableFileAccess: true,
          disableUrlAccess: true,
        })
        return String(sent.response)
      } catch (error) {
        throw explain(error as Error, server)
      } finally {
        if (--sending === 0) close()
      }
    },
    close,
  }
}

async function transporterFor(server: MailServer, dkim: DkimKey | undefined): Promise<Transporter> {
  // Loaded on first use because many servers send no mail.
  const { createTransport } = await import('nodemailer')
  const signed = dkim && {
    dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.key },
  }
  if (server.kind === 'sendmail')
    return createTransport({ sendmail: true, path: server.path, newline: 'unix', ...signed })
  const { host, port, secure, tls, ca, user, password } = server
  const getSocket = await socketFor(server)
  return createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    // The outbox retries.
    maxRequeues: 0,
    host,
    port,
    secure,
    requireTLS: !secure && tls === 'required',
    ignoreTLS: tls === 'none',
    tls: { rejectUnauthorized: tls === 'required', ...(ca !== undefined && { ca }) },
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    socketTimeout: REPLY_TIMEOUT_MS,
    ...signed,
    ...(getSocket && { getSocket }),
  })
}

/** Returns what opens connections that nodemailer can't open or must not. */
async function socketFor(server: SmtpServer): Promise<OpenSocket | undefined> {
  const { path, isPublic = false, host, port } = server
  if (path === undefined && !isPublic) return undefined
  const { publicSocket, unixSocket } = await import('./connect.ts')
  return path === undefined ? publicSocket({ host, port, name: nameOfServer(server) }) : unixSocket(path)
}
