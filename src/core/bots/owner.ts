import { type Audience, administratorsAnd, everyone, only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { isAdministrator, isBot } from '../kernel/roles.ts'
import { findUser, type User } from '../kernel/user.ts'
import { changeUser } from '../users/user-row.ts'
import { botView } from './profiles/view.ts'

/** Gives a bot to another person. Only for callers who may. */
export async function setOwner(tx: Tx, bot: User, owner_id: number): Promise<void> {
  const owner = await findUser(tx.db, owner_id)
  if (!owner) throw badRequest('Failed to change owner, no such user')
  if (!owner.is_active) throw badRequest('Failed to change owner, user is deactivated')
  if (isBot(owner)) throw badRequest("Failed to change owner, bots can't own other bots")
  const former = bot.bot_owner_id === null ? undefined : await findUser(tx.db, bot.bot_owner_id)
  await changeUser(tx, bot.id, { bot_owner_id: owner_id })
  const user_id = bot.id
  if (former && !isAdministrator(former)) {
    await emit(tx, { type: 'realm_bot', op: 'delete', bot: { user_id } }, only(former.id))
  }
  let others: Audience = administratorsAnd(owner_id)
  if (!isAdministrator(owner)) {
    const view = await botView(tx, {
      ...bot,
      bot_owner_id: owner_id,
      full_name: (await findUser(tx.db, user_id))!.full_name,
    })
    await emit(tx, { type: 'realm_bot', op: 'add', bot: view }, only(owner_id))
    others = { ...others, except: [owner_id] }
  }
  await emit(tx, { type: 'realm_bot', op: 'update', bot: { user_id, owner_id } }, others)
  await emit(tx, { type: 'realm_user', op: 'update', person: { user_id, bot_owner_id: owner_id } }, everyone)
}
