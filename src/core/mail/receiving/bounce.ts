import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf, type SystemTx } from '../../kernel/context.ts'
import { BOUNCED } from '../bounce-address.ts'
import { inHeader } from '../letter.ts'
import type { MailRow } from '../outbox.ts'
import { tellOwners } from '../sending/tell-owners.ts'
import { isPolicy, suppress } from '../suppressed.ts'
import type { DeliveryStatus, ParsedMail } from './parse-protocol.ts'
import type { Received } from './receive.ts'
import { noteReceived, receivedKey } from './received.ts'
import { MailRefused } from './refused.ts'
import type { BounceTarget } from './target.ts'

const MAX_REASON = 300

/**
 * Reads a delivery status notification (RFC 3464). If the email was given up, it has failed, and its address gets no more. Nothing
 * is ever answered.
 *
 * @throws MailRefused while the email is still being sent
 */
export async function receiveBounce(chat: Chat, { key, mail }: BounceTarget, parsed: ParsedMail): Promise<Received> {
  const context = contextOf(chat)
  const note = { digest: receivedKey(chat, key, parsed.messageId || parsed.digest), address: key }
  const status = parsed.statuses.find(({ action }) => action === 'failed')
  if (!status) {
    const isNew = await context.write((tx) => noteReceived(tx, { ...note, outcome: 'ignored' }))
    return isNew ? { outcome: 'ignored', reason: 'it reports no failed delivery' } : { outcome: 'repeated' }
  }
  const reason = reasonOf(status)
  const ended = await context.write(async (tx) => {
    if (!(await noteReceived(tx, { ...note, outcome: 'bounced' }))) return undefined
    // An address that could not be reached for some time may work again (RFC 3463, class 4).
    return endDelivery(tx, mail, { reason, stops: !status.status.startsWith('4') && !isPolicy(reason) })
  })
  if (!ended) return { outcome: 'repeated' }
  await tellOwners(chat, ended.address, reason, ended.isSuppressed)
  return { outcome: 'bounced', reason }
}

const reasonOf = ({ status, diagnostic }: DeliveryStatus): string =>
  inHeader(`It came back: ${status} ${diagnostic.replace(/^\w+\s*;\s*/, '')}`.slice(0, MAX_REASON))

/** Marks an email that was sent as failed; undefined if that was known. Throws MailRefused while it is still being sent. */
async function endDelivery(
  tx: SystemTx,
  { id }: MailRow,
  { reason, stops }: { reason: string; stops: boolean },
): Promise<{ address: string; isSuppressed: boolean } | undefined> {
  const mail = await tx.db.selectFrom('mail').select('state').where('id', '=', id).executeTakeFirst()
  // A mail server nearby is faster than the write that the email was sent. It repeats the notification.
  if (mail?.state === 'sending') throw new MailRefused(451, '4.3.0', 'The email is still being sent. Try again later')
  const failed = await tx.db
    .updateTable('mail')
    .set({ state: 'failed', failure: reason, data: BOUNCED, ended_at: seconds(tx.chat.clock) })
    .where('id', '=', id)
    .where('state', '=', 'sent')
    .returning(['address', 'address_key'])
    .executeTakeFirst()
  if (failed?.address == null || failed.address_key === null) return undefined
  const { address, address_key } = failed
  if (stops) await suppress(tx, { address, address_key, reason })
  return { address, isSuppressed: stops }
}
