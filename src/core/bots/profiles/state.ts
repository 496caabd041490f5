import * as v from 'valibot'
import type { Db } from '../../../storage/index.ts'
import { isManagedBy } from '../../access/bots.ts'
import { only } from '../../events/log/audience.ts'
import { emit } from '../../events/log/emit.ts'
import { statePart } from '../../events/log/state-part.ts'
import type { Tx } from '../../kernel/context.ts'
import { isAdministrator } from '../../kernel/roles.ts'
import type { User } from '../../kernel/user.ts'
import { type BotView, botShape } from '../../shapes/user.ts'
import { emptyList } from '../../shapes/values.ts'
import { botViews } from './view.ts'

const entries = {
  realm_bots: v.array(botShape),
  realm_embedded_bots: emptyList,
}

const bots = (db: Db) =>
  db.selectFrom('user').select('id').where('bot_type', 'is not', null).where('is_system_bot', '=', 0).orderBy('id')

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

/** The user's own bots, or all of them for administrators. */
export const botState = statePart(entries, async (reader) => {
  const { db, user, grant } = reader
  const views = await botViews(reader, idsOf(await bots(db).where(isManagedBy(user)).execute()))
  return {
    // With the token of an outgoing webhook, a limited key could speak as the server.
    realm_bots: grant ? views.map(withoutTokens) : views,
    realm_embedded_bots: [],
  }
})

const withoutTokens = ({ services, ...bot }: BotView): BotView => ({
  ...bot,
  services: services.map((service) => ({ ...service, token: '' })),
})

/** Emits other users' bots to a user who became an administrator, or their removal to one who no longer is. */
export async function emitOthersBots(tx: Tx, user: User): Promise<void> {
  const others = await bots(tx.db).where('bot_owner_id', '!=', user.id).execute()
  const views = await botViews(tx, idsOf(others))
  for (const bot of views) {
    if (isAdministrator(user)) await emit(tx, { type: 'realm_bot', op: 'add', bot }, only(user.id))
    else await emit(tx, { type: 'realm_bot', op: 'delete', bot: { user_id: bot.user_id } }, only(user.id))
  }
}
