import type { Selectable } from 'kysely'
import * as v from 'valibot'
import type { ProfileFieldTable } from '../../storage/index.ts'
import { statePart } from '../events/log/state-part.ts'
import type { Caller } from '../kernel/context.ts'
import { type ProfileFieldView, profileFieldShape } from '../shapes/user.ts'
import { integer } from '../shapes/values.ts'
import { fieldKinds } from './profile-kinds.ts'

export type ProfileField = Selectable<ProfileFieldTable>

/** A custom profile field as the API shows it. */
const fieldView = (field: ProfileField): ProfileFieldView => ({
  id: field.id,
  name: field.name,
  type: field.type,
  hint: field.hint,
  field_data: field.field_data,
  order: field.position,
  required: field.required === 1,
  editable_by_user: field.editable_by_user === 1,
  ...(field.display_in_profile_summary === 1 && { display_in_profile_summary: true as const }),
  ...(field.use_for_user_matching === 1 && { use_for_user_matching: true as const }),
})

export const profileFields = ({ db }: Pick<Caller, 'db'>): Promise<ProfileField[]> =>
  db.selectFrom('profile_field').selectAll().orderBy('position').orderBy('id').execute()

/** All fields, in the organization's order. */
export const profileFieldViews = async (caller: Pick<Caller, 'db'>): Promise<ProfileFieldView[]> =>
  (await profileFields(caller)).map(fieldView)

/** The profile field part of register's state. */
export const profileFieldState = statePart(
  {
    custom_profile_fields: v.array(profileFieldShape),
    custom_profile_field_types: v.record(v.string(), v.strictObject({ id: integer, name: v.string() })),
  },
  async (tx) => ({
    custom_profile_fields: await profileFieldViews(tx),
    custom_profile_field_types: Object.fromEntries(fieldKinds.map(({ key, id, name }) => [key, { id, name }])),
  }),
)
