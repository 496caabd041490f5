import type { ImapFlow, ImapFlowError, ImapFlowOptions } from 'imapflow'
import { loadImapflow } from './imap-package.ts'
import type { ImapServer } from './imap-server.ts'
import { explainImap, MailboxFailed } from './mailbox-failed.ts'

/** What is known of an email before it is read. */
export interface Envelope {
  bytes: number
  /** Its headers that name recipients. */
  headers: string
}

/** An open mailbox. Its functions throw MailboxFailed. */
export interface OpenMailbox {
  /** Whether the server announces new email. */
  readonly announces: boolean
  /** Returns the numbers of the emails that nobody has read, oldest first. */
  unread(): Promise<number[]>
  /** Returns undefined if the email is gone. */
  envelope(uid: number): Promise<Envelope | undefined>
  /** Returns an email, without marking it; at most `maxBytes` and one more of it. */
  read(uid: number, maxBytes: number): Promise<Uint8Array | undefined>
  /** Marks an email as read. */
  mark(uid: number): Promise<void>
  /** Moves an email to the folder for rejected ones, which is created if it doesn't exist. */
  reject(uid: number): Promise<void>
  /** Resolves when the server announces email, or the connection has ended. */
  news(): Promise<void>
  readonly isOpen: boolean
  /** Ends the connection immediately. */
  close(): void
}

const TIMEOUT_MS = 30_000
/** An email of 25 MiB may take as many times longer than a command. */
const TIMES_FOR_EMAILS = 10
const REJECTED = 'Rejected'
const MAX_HEADER_BYTES = 64 * 1024

/** Headers in which a mail server writes where it delivers an email, and those in which the sender does. */
const RECIPIENT_HEADERS = ['x-original-to', 'delivered-to', 'x-delivered-to', 'envelope-to', 'to', 'cc']

/**
 * Connects to a mail server and opens the mailbox. The password is never logged, because nothing of the dialogue is.
 *
 * @param signal - ends the connection immediately
 */
export async function openMailbox(server: ImapServer, maxBytes: number, signal: AbortSignal): Promise<OpenMailbox> {
  const { ImapFlow } = await loadImapflow()
  signal.throwIfAborted()
  const client = new ImapFlow(optionsFor(server, maxBytes))
  const end = () => client.close()
  signal.addEventListener('abort', end)
  let announced = () => {}
  let isNews = false
  const arrived = () => {
    isNews = true
    announced()
  }
  // Commands in progress then say only that the connection was closed.
  let lost: Error | undefined
  client.on('error', (error) => {
    lost ??= error
  })
  client.on('exists', arrived)
  client.on('close', () => {
    signal.removeEventListener('abort', end)
    arrived()
  })
  const run = runner(client, server, () => lost)
  await run(async () => {
    await client.connect()
    await client.mailboxOpen(server.mailbox)
  })
  if (client.mailbox !== false && client.mailbox.readOnly) {
    client.close()
    throw new MailboxFailed(`The mailbox ${server.mailbox} can't be changed by ${server.user}`)
  }
  const refused = (what: string) => new MailboxFailed(`The mail server ${server.host} doesn't let emails be ${what}`)
  const announces = client.capabilities.has('IDLE')
  const mark = async (uid: number) => {
    if (!(await run(() => client.messageFlagsAdd(uid, ['\\Seen'], { uid: true })))) throw refused('marked as read')
  }
  return {
    announces,
    mark,
    async unread() {
      const found = await run(() => client.search({ seen: false, deleted: false }, { uid: true }))
      if (!found) throw refused('searched')
      return found.filter((uid) => Number.isSafeInteger(uid) && uid > 0).sort((a, b) => a - b)
    },
    async envelope(uid) {
      const found = await run(() => client.fetchOne(uid, { size: true, headers: RECIPIENT_HEADERS }, { uid: true }))
      if (!found) return undefined
      const headers = found.headers?.subarray(0, MAX_HEADER_BYTES).toString('latin1') ?? ''
      return { bytes: found.size ?? 0, headers }
    },
    async read(uid, most) {
      const found = await run(
        () => client.fetchOne(uid, { source: { maxLength: most + 1 } }, { uid: true }),
        TIMES_FOR_EMAILS,
      )
      // A copy, because a thread takes its memory over.
      const { source } = found || {}
      return source && new Uint8Array(source)
    },
    async reject(uid) {
      const moved = await run(async () => {
        await client.mailboxCreate(REJECTED).catch(() => {})
        return client.messageMove(uid, REJECTED, { uid: true })
      })
      // Some servers have no other folders.
      if (!moved) await mark(uid)
    },
    async news() {
      if (isNews || client.isClosed) {
        isNews = false
        return
      }
      const news = new Promise<void>((resolve) => {
        announced = resolve
      })
      if (announces) void client.idle().catch(() => {})
      await news
      isNews = false
    },
    get isOpen() {
      return !client.isClosed
    },
    close: () => client.close(),
  }
}

/** Runs commands with a time limit, because a server may send something forever without an answer. */
function runner(client: ImapFlow, server: ImapServer, lost: () => Error | undefined) {
  const { timeoutMs = TIMEOUT_MS } = server
  return async <T>(work: () => Promise<T>, times = 1): Promise<T> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new MailboxFailed(`The mail server ${server.host} didn't answer in time`)),
        timeoutMs * times,
      )
    })
    try {
      return await Promise.race([work(), late])
    } catch (error) {
      client.close()
      throw error instanceof MailboxFailed ? error : explainImap((lost() ?? error) as ImapFlowError, server)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The limits hold against a server that sends more than it was asked for. */
function optionsFor(server: ImapServer, maxBytes: number): ImapFlowOptions {
  const { host, port, secure, tls, ca, user, password, timeoutMs = TIMEOUT_MS } = server
  return {
    host,
    port,
    secure,
    ...(!secure && tls !== 'opportunistic' && { doSTARTTLS: tls === 'required' }),
    tls: { rejectUnauthorized: tls === 'required', ...(ca !== undefined && { ca }) },
    auth: { user, pass: password },
    clientInfo: { name: 'chat-server' },
    logger: false,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    disableAutoIdle: true,
    disableAutoEnable: true,
    disableBinary: true,
    // A few compressed bytes may become gigabytes.
    disableCompression: true,
    maxLineLength: 4 * 1024 * 1024,
    maxLiteralSize: maxBytes + 64 * 1024,
    maxResponseSize: maxBytes + 4 * 1024 * 1024,
    maxResponseTokens: 100_000,
  }
}
