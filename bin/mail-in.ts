import type { Chat } from '../src/core/kernel/chat.ts'
import { checkedPattern } from '../src/core/mail/incoming-address.ts'
import { type ImapServer, isImapUrl, parseImapUrl } from '../src/network/mail/imap-server.ts'
import { type ListenAddress, parseListenAddress } from '../src/network/mail/mail-listener.ts'
import { listenProblem } from './addresses.ts'

/** Where email comes from: a mail server that connects to this one, or a mailbox. */
export type MailSource = ListenAddress | ImapServer

/** Checks the options for email that comes in. Returns where it comes from; undefined if from nowhere. */
export async function mailInOf(options: { mailIn?: string; mailInAddress?: string }): Promise<MailSource | undefined> {
  const { mailIn, mailInAddress } = options
  checkedPattern(mailInAddress)
  if (mailIn === undefined) return undefined
  if (!mailInAddress) throw new Error('--mail-in needs --mail-in-address, such as %s@chat.example.com')
  if (!isImapUrl(mailIn)) return parseListenAddress(mailIn)
  const server = parseImapUrl(mailIn)
  const { loadImapflow } = await import('../src/network/mail/imap-package.ts')
  await loadImapflow()
  return server
}

/** Takes email from a mail server or a mailbox, until it is closed. */
export async function takeMailFrom(chat: Chat, source: MailSource): Promise<{ close(): Promise<void> }> {
  const { protocol, host, port } = source
  const { logger } = chat.options
  if (protocol === 'imap') {
    const { startPolling } = await import('../src/core/mail/receiving/poll.ts')
    const polling = startPolling(chat, source)
    logger.info({ protocol, host, port, mailbox: source.mailbox }, 'email comes in from a mailbox')
    return polling
  }
  const { startMailIn } = await import('../src/core/mail/receiving/listen.ts')
  const listening = await startMailIn(chat, source).catch(async (error) => {
    throw await listenProblem(error, host, port, '--mail-in')
  })
  logger.info({ protocol, host, port: listening.port }, 'email can come in')
  return listening
}
