import { issueKey } from '../accounts/keys.ts'
import type { Caller, SystemTx } from '../kernel/context.ts'
import { secretsOf } from '../kernel/secrets.ts'
import { dialectOf } from '../kernel/store.ts'

/**
 * Issues a key to a bot. It is also stored encrypted, because the bot's owner and administrators can read it again. Of
 * people's keys, only digests are stored.
 */
export async function issueBotKey(tx: SystemTx, bot_id: number, name: string): Promise<string> {
  const key = await issueKey(tx, bot_id, name)
  const { digest, seal } = secretsOf(tx.chat)
  await tx.db
    .updateTable('api_key')
    .set({ sealed: seal(key) })
    .where('digest', '=', digest(key))
    .execute()
  return key
}

/**
 * Returns the newest key of each of these bots. Bots are missing if they have none, or only keys that can't be shown:
 * keys from older versions and from the command line, and keys sealed with another secret of the server.
 */
export async function botKeys(
  { chat, db }: Pick<Caller, 'chat' | 'db'>,
  bot_ids: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('api_key')
    .select(['user_id', 'sealed'])
    .where('user_id', 'in', dialectOf(chat).idsIn(bot_ids))
    .where('sealed', 'is not', null)
    .orderBy('id')
    .execute()
  const { unseal } = secretsOf(chat)
  return new Map(
    rows.flatMap(({ user_id, sealed }) => {
      const key = unseal(sealed!)
      return key === undefined ? [] : [[user_id, key] as const]
    }),
  )
}
