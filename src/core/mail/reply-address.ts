import type { Selectable } from 'kysely'
import type { ReplyAddressTable } from '../../storage/index.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Context, SystemTx } from '../kernel/context.ts'
import { addressWith, digestOf, receivesMail, tokenFrom } from './incoming-address.ts'
import type { MailRow } from './outbox.ts'

export type ReplyAddress = Selectable<ReplyAddressTable>

/** How long a missed-message email can be answered. */
const REPLY_SECONDS = 30 * 86_400

/**
 * Returns the address that answers an email; undefined if the server receives none. It is the same each time the email is
 * sent, because the first attempt may have arrived.
 */
export async function replyAddressFor(
  context: Context,
  { message_id }: Pick<MailRow, 'message_id'>,
  about: Pick<ReplyAddress, 'user_id' | 'message_id'>,
): Promise<string | undefined> {
  const { chat } = context
  if (!receivesMail(chat)) return undefined
  const token = tokenFrom(chat, `reply to ${message_id}`)
  await context.write(async ({ db }) => {
    const place = await db
      .selectFrom('message')
      .select(['conversation_id', 'topic_id'])
      .where('id', '=', about.message_id)
      .executeTakeFirst()
    if (!place) return
    await db
      .insertInto('reply_address')
      .values({
        digest: digestOf(chat, token),
        ...about,
        ...place,
        expires_at: seconds(chat.clock) + REPLY_SECONDS,
      })
      .onConflict((oc) => oc.column('digest').doNothing())
      .execute()
  })
  return addressWith(chat, `mm${token}`)
}

/** Ends the addresses by which an account, or others in its name, can write. A reactivation doesn't bring them back. */
export async function endMailAddresses({ db }: SystemTx, user_id: number): Promise<void> {
  await db.deleteFrom('reply_address').where('user_id', '=', user_id).execute()
  await db
    .deleteFrom('channel_address')
    .where((eb) => eb.or([eb('user_id', '=', user_id), eb('sender_id', '=', user_id)]))
    .execute()
}
