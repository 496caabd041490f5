import type { Chat } from '../src/core/kernel/chat.ts'
import { checkedPattern } from '../src/core/mail/incoming-address.ts'
import { type ListenAddress, type MailListener, parseListenAddress } from '../src/network/mail/mail-listener.ts'
import { listenProblem } from './addresses.ts'

/** Checks the options for email that comes in. Returns where to listen for it; undefined if nowhere. */
export function mailInOf(options: { mailIn?: string; mailInAddress?: string }): ListenAddress | undefined {
  checkedPattern(options.mailInAddress)
  if (options.mailIn === undefined) return undefined
  if (!options.mailInAddress) throw new Error('--mail-in needs --mail-in-address, such as %s@chat.example.com')
  return parseListenAddress(options.mailIn)
}

/** Listens for email from a mail server. */
export async function listenForMail(chat: Chat, address: ListenAddress): Promise<MailListener> {
  const { startMailIn } = await import('../src/core/mail/receiving/listen.ts')
  const { protocol, host } = address
  const listening = await startMailIn(chat, address).catch(async (error) => {
    throw await listenProblem(error, host, address.port, '--mail-in')
  })
  chat.options.logger.info({ protocol, host, port: listening.port }, 'email can come in')
  return listening
}
