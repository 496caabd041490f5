import type { Selectable } from 'kysely'
import type { PasskeyTable } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Context, SystemTx } from '../../kernel/context.ts'
import { relyingPartyOf } from './relying-party.ts'

export type Passkey = Selectable<PasskeyTable>

/** Returns the passkeys of an account, oldest first. */
export const passkeysOf = ({ db }: Pick<Context, 'db'>, user_id: number): Promise<Passkey[]> =>
  db.selectFrom('passkey').selectAll().where('user_id', '=', user_id).orderBy('id').execute()

export const passkeyWith = ({ db }: Pick<Context, 'db'>, credential_id: string): Promise<Passkey | undefined> =>
  db.selectFrom('passkey').selectAll().where('credential_id', '=', credential_id).executeTakeFirst()

/** Returns how many passkeys belong to a host name that isn't the server's, so browsers don't offer them. */
export async function lostPasskeys({ chat, db }: Pick<Context, 'chat' | 'db'>): Promise<number> {
  const { count } = await db
    .selectFrom('passkey')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('host', '!=', relyingPartyOf(chat)?.id ?? '')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Records the use of a passkey. Returns false if it was removed, or used elsewhere, since it was read: then one of two uses is
 * a copy.
 */
export async function notePasskeyUse({ chat, db }: SystemTx, before: Passkey, counter: number): Promise<boolean> {
  const used = await db
    .updateTable('passkey')
    .set({ counter, last_used_at: seconds(chat.clock) })
    .where('id', '=', before.id)
    .where('counter', '=', before.counter)
    .returning('id')
    .executeTakeFirst()
  return used !== undefined
}
