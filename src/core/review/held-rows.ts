import type { Selectable } from 'kysely'
import type { Db, HeldMessageTable } from '../../storage/index.ts'
import { participantsOf } from '../access/messages.ts'
import { emit } from '../events/log/emit.ts'
import type { Caller, SystemTx } from '../kernel/context.ts'
import { roles } from '../kernel/roles.ts'
import type { HeldMessageView } from '../shapes/held-message.ts'
import { textsIn } from './texts-in.ts'

export type HeldMessage = Selectable<HeldMessageTable>

export async function heldView({ db }: Pick<Caller, 'db'>, row: HeldMessage): Promise<HeldMessageView> {
  const { id, user_id, conversation_id, topic, reason, matched, created_at } = row
  // Moderators must see all that the message shows before they approve it.
  const content = [row.content, ...(row.widget === null ? [] : textsIn(JSON.parse(row.widget)))].join('\n')
  const place =
    topic === null ? { user_ids: await participantsOf(db, conversation_id) } : { stream_id: conversation_id, topic }
  return { id, user_id, place, content, reason: reason as HeldMessageView['reason'], matched, created_at }
}

/** Announces to the author and to the moderators what became of a held message. */
export async function emitHeld(
  tx: SystemTx,
  { id: held_message_id, user_id }: Pick<HeldMessage, 'id' | 'user_id'>,
  state: 'waiting' | 'approved' | 'rejected' | 'dropped',
): Promise<void> {
  const audience = { role: roles.moderator, users: [user_id] }
  await emit(tx, { type: 'held_message', held_message_id, user_id, state }, audience)
}

/** Drops what waits, because its author is deactivated or its channel archived. */
export async function dropHeld(tx: SystemTx, of: { user_id: number } | { conversation_id: number }): Promise<void> {
  const gone = await tx.db
    .deleteFrom('held_message')
    .where((eb) => ('user_id' in of ? eb('user_id', '=', of.user_id) : eb('conversation_id', '=', of.conversation_id)))
    .where('state', '=', 'waiting')
    .returning(['id', 'user_id'])
    .execute()
  for (const row of gone) await emitHeld(tx, row, 'dropped')
}

export const waitingRows = (db: Db) => db.selectFrom('held_message').selectAll().where('state', '=', 'waiting')
