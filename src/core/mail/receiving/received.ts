import type { MailReceivedTable } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Context, contextOf, type SystemTx } from '../../kernel/context.ts'
import { secretDigest } from '../../kernel/digest.ts'
import { MailRefused } from './refused.ts'

/** Seconds, and emails in them, of all addresses and of one address. Zulip has the first column. */
const RATES = [
  [60, 50, 20],
  [300, 120, 60],
  [3600, 600, 200],
] as const

/** As long as a mail server may deliver a second copy. Answers to an email find its topic as long. */
const KEPT_SECONDS = 30 * 86_400

const DAY = 86_400

/** Returns the key by which a second copy is known. A mail server repeats an email whose acknowledgment was lost. */
export const receivedKey = (chat: Chat, address: string, messageId: string): string =>
  secretDigest(chat, ['received', address, messageId])

/** Throws MailRefused if too many emails arrived recently. */
export async function requireRate({ chat, db }: Context, address: string): Promise<void> {
  const now = seconds(chat.clock)
  for (const [period, ofAll, ofOne] of RATES) {
    const recent = db
      .selectFrom('mail_received')
      .select((eb) => eb.fn.countAll<number | string>().as('count'))
      .where('received_at', '>', now - period)
    const { count: all } = await recent.executeTakeFirstOrThrow()
    if (Number(all) < ofOne) continue
    const { count: one } = await recent.where('address', '=', address).executeTakeFirstOrThrow()
    if (Number(all) >= ofAll || Number(one) >= ofOne)
      throw new MailRefused(451, '4.7.1', 'Too many emails have arrived. Try again later')
  }
}

/** Stores that an email has arrived. Returns false if it had arrived before; the caller then changes nothing. */
export async function noteReceived(
  { chat, db }: SystemTx,
  row: Pick<MailReceivedTable, 'digest' | 'address' | 'outcome'>,
): Promise<boolean> {
  const stored = await db
    .insertInto('mail_received')
    .values({ ...row, message_id: null, received_at: seconds(chat.clock) })
    .onConflict((oc) => oc.column('digest').doNothing())
    .returning('digest')
    .executeTakeFirst()
  return stored !== undefined
}

export const notePosted = async ({ db }: SystemTx, digest: string, message_id: number): Promise<void> =>
  void (await db.updateTable('mail_received').set({ message_id }).where('digest', '=', digest).execute())

/** Returns whether an email has arrived before. */
export const hasArrived = async ({ db }: Context, digest: string): Promise<boolean> =>
  (await db.selectFrom('mail_received').select('digest').where('digest', '=', digest).executeTakeFirst()) !== undefined

/** Removes what is needed no longer: addresses that have ended, and emails that nobody will deliver again. */
export const removeOldMailIn = (chat: Chat): Promise<void> =>
  contextOf(chat).write(async ({ db }) => {
    const now = seconds(chat.clock)
    await db.deleteFrom('reply_address').where('expires_at', '<=', now).execute()
    await db
      .deleteFrom('mail_received')
      .where('received_at', '<', now - KEPT_SECONDS)
      .execute()
    // Nobody reads the mailbox anymore.
    await db
      .deleteFrom('mailbox_failure')
      .where('tried_at', '<', now - DAY)
      .execute()
  })
