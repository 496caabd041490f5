import { mailWorkerOf } from '../../src/core/messages/send/message-workers.ts'
import type { ChatOptions, MailOptions } from '../../src/index.ts'
import type { Mail } from '../../src/network/mail/mail.ts'
import { MailFailed, type MailStep } from '../../src/network/mail/mail-failed.ts'
import { world } from '../../src/testing/index.ts'

export const PUBLIC_URL = 'https://chat.example.com'

/** A world that sends email. */
export async function mailWorld({
  url = PUBLIC_URL,
  rate,
  ...chat
}: ChatOptions & { url?: string; rate?: MailOptions['rate'] } = {}) {
  const outbox: Mail[] = []
  /** Called before each email is accepted. */
  let before: (mail: Mail) => void | Promise<void> = () => {}
  const send = async (mail: Mail) => {
    await before(mail)
    outbox.push(mail)
    return '250 OK'
  }
  const w = await world({
    chat: { publicUrl: url, mail: { from: 'Chat <chat@example.com>', send, ...(rate && { rate }) }, ...chat },
  })
  const settled = () => mailWorkerOf(w.chat)!.settled()
  await settled()
  return {
    w,
    ...w.people,
    outbox,
    settled,
    /** Decides what the mail server does with the next emails. */
    server(next: typeof before) {
      before = next
    },
    /** Emails that were sent since the last look. */
    async sent(): Promise<Mail[]> {
      await settled()
      return outbox.splice(0)
    },
    /** The time passes, and the worker looks what is due. */
    async after(seconds: number): Promise<void> {
      await settled()
      w.clock.advance(seconds * 1000)
      mailWorkerOf(w.chat)!.wake()
      await settled()
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  }
}

export type MailWorld = Awaited<ReturnType<typeof mailWorld>>

/** A rejection by the mail server. */
export const failure = (step: MailStep, reply: string): MailFailed =>
  new MailFailed(`The mail server failed at ${step}: ${reply}`, step, { reply, permanent: reply.startsWith('5') })

/** Returns the addresses of the links in an email. */
export const linksIn = ({ text }: Pick<Mail, 'text'>): string[] => text.match(/https?:\/\/\S+/g) ?? []
