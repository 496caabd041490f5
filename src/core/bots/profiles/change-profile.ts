import { administratorsAnd } from '../../events/log/audience.ts'
import { emit } from '../../events/log/emit.ts'
import type { LoggedEvent } from '../../events/types/table.ts'
import type { SystemTx } from '../../kernel/context.ts'
import type { User } from '../../kernel/user.ts'
import { type BotProfile, storeBotProfile } from './profile.ts'
import { servicesView } from './view.ts'

type Owned = Pick<User, 'id' | 'bot_owner_id'>
type BotChange = Extract<LoggedEvent<'realm_bot'>, { op: 'update' }>['bot']

/** Stores the changed values of a bot's profile and announces them. */
export async function changeProfile(
  tx: SystemTx,
  bot: Owned,
  before: BotProfile,
  changes: Partial<BotProfile>,
): Promise<void> {
  const changed = (Object.keys(changes) as (keyof BotProfile)[]).filter(
    (name) => JSON.stringify(changes[name]) !== JSON.stringify(before[name]),
  )
  if (changed.length === 0) return
  await storeBotProfile(tx, bot.id, changes)
  for (const name of changed) {
    // The configuration of an integration is returned only to the user who changes it here.
    if (name === 'config_data') continue
    const value = name === 'service' ? { services: servicesView(changes.service ?? null) } : { [name]: changes[name] }
    const event = { user_id: bot.id, ...value } as BotChange
    await emit(tx, { type: 'realm_bot', op: 'update', bot: event }, administratorsAnd(bot.bot_owner_id!))
  }
}
