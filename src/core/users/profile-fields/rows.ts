import { everyone } from '../../events/log/audience.ts'
import { emit } from '../../events/log/emit.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { dialectOf } from '../../kernel/store.ts'
import { people } from '../people-rows.ts'
import { kindOf } from '../profile-kinds.ts'
import { type ProfileField, profileFields, profileFieldViews } from '../profile-state.ts'

export async function accessField(tx: Tx, field_id: number): Promise<{ field: ProfileField; others: ProfileField[] }> {
  const fields = await profileFields(tx)
  const field = fields.find((field) => field.id === field_id)
  if (!field) throw badRequest(`Field id ${field_id} not found.`)
  return { field, others: fields.filter((other) => other !== field) }
}

/** Deletes values that are no longer an option. Returns the users who had them. */
export async function dropLostOptions(tx: Tx, field: ProfileField, field_data: string): Promise<number[]> {
  if (kindOf(field.type)?.key !== 'SELECT') return []
  people.invalidate(tx)
  const lost = await tx.db
    .deleteFrom('profile_value')
    .where('field_id', '=', field.id)
    .where('value', 'not in', dialectOf(tx.chat).textsIn(Object.keys(JSON.parse(field_data))))
    .returning('user_id')
    .execute()
  return lost.map((row) => row.user_id)
}

export const emitProfileFields = async (tx: Tx): Promise<number> =>
  emit(tx, { type: 'custom_profile_fields', fields: await profileFieldViews(tx) }, everyone)
