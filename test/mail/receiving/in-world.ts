import { acceptMail } from '../../../src/core/mail/receiving/accept.ts'
import type { ChatOptions } from '../../../src/index.ts'
import { mailWorld } from '../mail-world.ts'

/** A world that sends and receives email. */
export async function mailInWorld(chat: ChatOptions = {}) {
  const m = await mailWorld({ mailIn: { address: '%s@chat.example.com' }, ...chat })
  let count = 0
  const { w } = m
  return {
    ...m,
    /** The person's address of a channel. */
    async addressOf(who: string, channel = 'general', sender_id?: number): Promise<string> {
      const path = `/streams/${await w.streamId(channel)}/email_address`
      const { email } = await w.person(who).api.get(path, sender_id === undefined ? {} : { sender_id })
      return email
    },
    /** An email arrives. Returns what became of it. */
    async arrives(to: string, mail: Partial<Message> = {}, envelopeFrom?: string) {
      count++
      const [result] = await acceptMail(w.chat, {
        raw: Buffer.from(write({ 'message-id': `<${count}@elsewhere.example>`, ...mail })),
        recipients: [to],
        envelopeFrom,
      })
      return result!
    },
    /** The newest message that the person sees. */
    async newest(who: string) {
      const { messages } = await w.person(who).api.get('/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        apply_markdown: false,
        allow_empty_topic_name: true,
      })
      return messages[0]
    },
    /** Sends a missed-message email to the reader, and returns the address that answers it. */
    async replyAddress(reader: string, send: () => Promise<unknown>): Promise<string> {
      await send()
      await m.after(120)
      const mails = await m.sent()
      const mail = mails.find(({ to }) => to.name === reader)
      return mail?.headers['reply-to'] ?? ''
    },
    [Symbol.asyncDispose]: () => m[Symbol.asyncDispose](),
  }
}

export type MailInWorld = Awaited<ReturnType<typeof mailInWorld>>

/** Headers, and the body. */
export type Message = Record<string, string> & { body: string }

/** Writes an email. */
export function write({ body = 'Hello', ...headers }: Partial<Message>): string {
  const all: Record<string, string | undefined> = {
    from: 'Stranger <stranger@elsewhere.example>',
    to: 'chat@chat.example.com',
    subject: 'News',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Names what became of an email: its outcome, or the reply that rejects it. */
export const kindOf = (result: Awaited<ReturnType<MailInWorld['arrives']>>): string =>
  'outcome' in result ? result.outcome : `${result.responseCode} ${result.status}`
