import { contextOf } from '../../../src/core/kernel/context.ts'
import { mailboxHealth } from '../../../src/core/mail/health.ts'
import { startPolling } from '../../../src/core/mail/receiving/poll.ts'
import { type ImapServer, parseImapUrl } from '../../../src/network/mail/imap-server.ts'
import { collecting, type LogEntry } from '../../../src/testing/server.ts'
import { eventually } from '../../eventually.ts'
import { type ImapTestServer, imapServer } from './imap-server.ts'
import { mailInWorld } from './in-world.ts'

const MINUTE = 60_000

/** A world that reads a mailbox, once it is started. */
export async function mailboxScene(options: Parameters<typeof imapServer>[0] = {}) {
  const mailbox = await imapServer(options)
  const log: LogEntry[] = []
  const m = await mailInWorld({ logger: collecting(log) })
  const pollers: ReturnType<typeof startPolling>[] = []
  const subjects = async (): Promise<string[]> => {
    const { messages } = await m.hamlet.api.get('/messages', { anchor: 'newest', num_before: 500, num_after: 0 })
    return messages.map(({ subject }: { subject: string }) => subject)
  }
  return {
    ...m,
    mailbox,
    log,
    subjects,
    start: (more: Partial<ImapServer> = {}, url = mailbox.url) =>
      void pollers.push(startPolling(m.w.chat, { ...parseImapUrl(url), ...more })),
    /** Resolves when a message with this topic was posted. */
    posted: (subject: string) => eventually(`${subject} is posted`, async () => (await subjects()).includes(subject)),
    /** Waits for something while time passes. */
    later: (what: string, isSo: () => unknown, step = MINUTE) =>
      eventually(what, async () => {
        if (await isSo()) return true
        m.w.clock.advance(step)
        return false
      }),
    health: () => mailboxHealth(contextOf(m.w.chat).db),
    rejected: () => (mailbox.state.folders.get('Rejected') ?? []).map(({ uid }) => uid),
    async [Symbol.asyncDispose]() {
      for (const poller of pollers) await poller.close()
      await mailbox[Symbol.asyncDispose]()
      await m[Symbol.asyncDispose]()
    },
  }
}
export type MailboxScene = Awaited<ReturnType<typeof mailboxScene>>

export const isSeen = ({ flags }: { flags: Set<string> }) => flags.has('\\Seen')
/** Returns how many emails were read entirely. */
export const sources = ({ state }: ImapTestServer) =>
  state.commands.filter((each) => each.includes('BODY.PEEK[]')).length
