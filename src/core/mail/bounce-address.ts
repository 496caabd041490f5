import { isSameSecret } from '../kernel/base/same-secret.ts'
import type { Chat } from '../kernel/chat.ts'
import type { Context } from '../kernel/context.ts'
import { addressWith, type IncomingAddress, receivesMail, tokenFrom } from './incoming-address.ts'
import type { MailRow } from './outbox.ts'

/** The data of an email that came back. The ids of its cause are gone since it was sent. */
export const BOUNCED = JSON.stringify({ bounced: true })

type Sent = Pick<MailRow, 'id' | 'message_id'>

/** Only mail servers that took the email know it, so nobody else can stop email to its address. */
const tokenOf = (chat: Chat, { id, message_id }: Sent): string => tokenFrom(chat, `bounce of ${id} ${message_id}`)

/** Returns the address to which an email comes back if it can't be delivered; undefined if the server receives none. */
export const bounceAddressOf = (chat: Chat, mail: Sent): string | undefined =>
  receivesMail(chat) ? addressWith(chat, `mb${mail.id}-${tokenOf(chat, mail)}`) : undefined

/** Returns the email that came back to an address; undefined if it never was the address of one, or was long ago. */
export async function bouncedMail(
  { chat, db }: Pick<Context, 'chat' | 'db'>,
  { mail_id, token }: Extract<IncomingAddress, { kind: 'bounce' }>,
): Promise<MailRow | undefined> {
  const mail = await db.selectFrom('mail').selectAll().where('id', '=', mail_id).executeTakeFirst()
  return mail && isSameSecret(token, tokenOf(chat, mail)) ? mail : undefined
}
