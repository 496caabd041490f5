import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf, type SystemTx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { settingsOf } from '../../settings/organization.ts'

const DAY = 86_400
/** Whole addresses are kept this long. */
const ADDRESS_DAYS = 30
/** Rows removed or changed in one write, which keeps it short. */
const BATCH = 1000

/** Removes entries that are older than the organization keeps them, and cuts the addresses of older ones. */
export async function expireAudit(chat: Chat): Promise<void> {
  const context = contextOf(chat)
  const { audit_retention_days: days } = await settingsOf(context)
  const now = seconds(chat.clock)
  if (days !== null) while ((await context.write((tx) => removeSome(tx, now - days * DAY))) === BATCH);
  while ((await context.write((tx) => cutSome(tx, now - ADDRESS_DAYS * DAY))) === BATCH);
}

async function removeSome({ chat, db }: SystemTx, before: number): Promise<number> {
  const old = await db.selectFrom('audit').select('id').where('at', '<', before).orderBy('at').limit(BATCH).execute()
  const ids = dialectOf(chat).idsIn(old.map(({ id }) => id))
  await db.deleteFrom('audit').where('id', 'in', ids).execute()
  return old.length
}

/** Addresses are cut oldest first, so the entries before the newest cut one are not read again every day. */
async function cutSome({ db }: SystemTx, before: number): Promise<number> {
  const newest = await db
    .selectFrom('audit')
    .select('at')
    .where('at', '<', before)
    .where('address', 'like', '%/%')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const old = await db
    .selectFrom('audit')
    .select(['id', 'address'])
    .where('at', '>=', newest?.at ?? 0)
    .where('at', '<', before)
    .where((eb) => eb.or([eb('address', 'like', '%.%'), eb('address', 'like', '%:%')]))
    .where('address', 'not like', '%/%')
    .orderBy('at')
    .limit(BATCH)
    .execute()
  for (const { id, address } of old) {
    await db
      .updateTable('audit')
      .set({ address: networkOf(address!) })
      .where('id', '=', id)
      .execute()
  }
  return old.length
}

/** Returns the network of an address: the first 24 bits of IPv4, or 48 of IPv6. */
export function networkOf(address: string): string {
  const [, mapped] = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(address) ?? []
  if (mapped !== undefined) return `${mapped}.0/24`
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const groups = head === '' ? [] : head.split(':')
  // The omitted groups of a short form are zeros, wherever they are.
  const first = tail === undefined ? groups : [...groups, '0', '0', '0']
  return `${first.slice(0, 3).join(':')}::/48`
}
