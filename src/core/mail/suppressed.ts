import { addressKey } from '../../storage/index.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Context, SystemTx } from '../kernel/context.ts'

/** Stops emails to an address, because a mail server rejected one for good. */
export async function suppress(
  { db, chat }: SystemTx,
  row: { address: string; address_key: string; reason: string },
): Promise<void> {
  await db
    .insertInto('mail_suppressed')
    .values({ ...row, since: seconds(chat.clock) })
    .onConflict((oc) => oc.column('address_key').doNothing())
    .execute()
}

export const isSuppressed = async ({ db }: Pick<Context, 'db'>, address_key: string): Promise<boolean> =>
  (await db
    .selectFrom('mail_suppressed')
    .select('address_key')
    .where('address_key', '=', address_key)
    .executeTakeFirst()) !== undefined

/** Lets emails go to an address again. Returns whether they were stopped. */
export async function liftSuppression({ db }: Pick<SystemTx, 'db'>, address: string): Promise<boolean> {
  const lifted = await db
    .deleteFrom('mail_suppressed')
    .where('address_key', '=', addressKey(address.trim()))
    .returning('address')
    .executeTakeFirst()
  return lifted !== undefined
}

/** Returns whether a reply is about rights and policies, such as relaying, and not about the address (RFC 3463). */
export const isPolicy = (reply: string): boolean => /\b5\.7\.\d/.test(reply)
