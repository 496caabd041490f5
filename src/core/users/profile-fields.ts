import * as v from 'valibot'
import { flag, fold } from '../../storage/index.ts'
import { everyone } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import { MAX_PROFILE_FIELDS } from '../kernel/base/limits.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { bool, described, id, ids, integer, line, maxCharacters, text } from '../kernel/fields.ts'
import { dialectOf } from '../kernel/store.ts'
import { profileFieldShape } from '../shapes/user.ts'
import { empty } from '../shapes/values.ts'
import { people } from './people.ts'
import { emitProfileValue } from './profile-data.ts'
import { type FieldKind, kindOf, knownAccount } from './profile-kinds.ts'
import { type ProfileField, profileFields, profileFieldViews } from './profile-state.ts'

async function accessField(tx: Tx, field_id: number): Promise<{ field: ProfileField; others: ProfileField[] }> {
  const fields = await profileFields(tx)
  const field = fields.find((field) => field.id === field_id)
  if (!field) throw badRequest(`Field id ${field_id} not found.`)
  return { field, others: fields.filter((other) => other !== field) }
}

/** Deletes values that are no longer an option. Returns the users who had them. */
async function dropLostOptions(tx: Tx, field: ProfileField, field_data: string): Promise<number[]> {
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

const emitProfileFields = async (tx: Tx): Promise<number> =>
  emit(tx, { type: 'custom_profile_fields', fields: await profileFieldViews(tx) }, everyone)

const MAX_IN_SUMMARY = 2

const fieldParams = {
  name: described(
    v.nullish(v.pipe(line, maxCharacters(40), v.nonEmpty('Label cannot be blank.'))),
    'Label of the field, at most 40 characters.',
  ),
  hint: described(v.nullish(v.pipe(line, maxCharacters(80))), 'Help for filling in the field, at most 80 characters.'),
  field_data: described(
    v.nullish(v.record(text, v.unknown())),
    'Data that its type needs, such as the options of a list.',
  ),
  display_in_profile_summary: described(v.nullish(bool), 'Whether profile cards show it.'),
  required: described(v.nullish(bool), 'Whether clients ask users for a value.'),
  use_for_user_matching: described(
    v.nullish(bool),
    'Whether clients can find people by it. Only for short text and external account fields.',
  ),
  editable_by_user: described(v.nullish(bool), 'Whether users can change their own value. Administrators always can.'),
}

type FieldParams = v.InferOutput<v.ObjectSchema<typeof fieldParams, undefined>>

const definitionOf = (kind: FieldKind, data: object): string =>
  kind.definition ? JSON.stringify(kind.definition(data)) : ''

/** The columns these parameters set, checked against the field's type and the other fields. */
function columnsOf(kind: FieldKind, params: FieldParams, others: readonly ProfileField[]) {
  const { name, hint, field_data, display_in_profile_summary: summary, required, editable_by_user } = params
  const { use_for_user_matching: matching } = params
  if (matching && !kind.matching) throw badRequest('Field type not supported for user matching.')
  if (name != null && others.some((other) => fold(other.name) === fold(name))) {
    throw badRequest('A field with that label already exists.')
  }
  if (summary) {
    if (!kind.summary) throw badRequest('Field type not supported for display in profile summary.')
    if (others.filter((other) => other.display_in_profile_summary).length >= MAX_IN_SUMMARY) {
      throw badRequest(`Only ${MAX_IN_SUMMARY} custom profile fields can be displayed in the profile summary.`)
    }
  }
  return {
    ...(name != null && { name }),
    ...(hint != null && { hint }),
    ...(field_data != null && { field_data: definitionOf(kind, field_data) }),
    ...(summary != null && { display_in_profile_summary: flag(summary) }),
    ...(required != null && { required: flag(required) }),
    ...(editable_by_user != null && { editable_by_user: flag(editable_by_user) }),
    ...(matching != null && { use_for_user_matching: flag(matching) }),
  }
}

/**
 * GET /realm/profile_fields: lists the custom profile fields.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 */
export const listProfileFields = action(
  {
    name: 'listProfileFields',
    summary: 'Get all custom profile fields',
    params: v.object({}),
    result: v.strictObject({ custom_fields: v.array(profileFieldShape) }),
  },
  async (caller) => ({ custom_fields: await profileFieldViews(caller) }),
)

/**
 * POST /realm/profile_fields: creates a custom profile field.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST for a label that is taken or blank, or settings that don't fit the type
 */
export const createProfileField = action(
  {
    name: 'createProfileField',
    summary: 'Create a custom profile field',
    audit: { subject: 'profile_field', made: ({ id }) => id },
    params: v.object({
      ...fieldParams,
      field_type: described(integer, 'The type: a number from `custom_profile_field_types`.'),
    }),
    result: v.strictObject({ id }),
    idempotencyKey: 'one write',
    role: 'administrator',
  },
  (caller, { field_type, ...given }) =>
    caller.write(async (tx) => {
      const kind = kindOf(field_type)
      if (!kind) throw badRequest('Invalid field type.')
      const account = kind.key === 'EXTERNAL_ACCOUNT' ? knownAccount(given.field_data ?? {}) : undefined
      // Accounts that clients know have a name and a hint of their own.
      const params = account ? { ...given, name: account.name, hint: account.hint } : given
      if (params.name == null) throw badRequest('Label cannot be blank.')
      const others = await profileFields(tx)
      if (others.length >= MAX_PROFILE_FIELDS)
        throw badRequest(`An organization can have at most ${MAX_PROFILE_FIELDS} profile fields.`)
      const { id } = await tx.db
        .insertInto('profile_field')
        .values({
          hint: '',
          field_data: definitionOf(kind, params.field_data ?? {}),
          display_in_profile_summary: 0,
          required: 0,
          editable_by_user: 1,
          use_for_user_matching: 0,
          position: Math.max(0, ...others.map((other) => other.position)) + 1,
          type: kind.id,
          name: params.name,
          ...columnsOf(kind, params, others),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await emitProfileFields(tx)
      return { id }
    }),
)

/**
 * PATCH /realm/profile_fields/{field_id}: changes a custom profile field.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "Field id … not found.", for a label that is taken, or settings that don't fit the type
 */
export const updateProfileField = action(
  {
    name: 'updateProfileField',
    summary: 'Update a custom profile field',
    audit: { subject: 'profile_field', id: ({ field_id }) => field_id },
    params: v.object({ field_id: described(id, 'ID of the custom profile field.'), ...fieldParams }),
    result: empty,
    role: 'administrator',
  },
  async (caller, { field_id, ...params }) => {
    await caller.write(async (tx) => {
      const { field, others } = await accessField(tx, field_id)
      const columns = columnsOf(kindOf(field.type)!, params, others)
      if (Object.keys(columns).length === 0) return
      await tx.db.updateTable('profile_field').set(columns).where('id', '=', field_id).execute()
      const emptied = columns.field_data === undefined ? [] : await dropLostOptions(tx, field, columns.field_data)
      await emitProfileFields(tx)
      for (const user_id of emptied) await emitProfileValue(tx, user_id, field_id)
    })
    return {}
  },
)

/**
 * DELETE /realm/profile_fields/{field_id}: deletes a custom profile field and all its values.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "Field id … not found."
 */
export const removeProfileField = action(
  {
    name: 'removeProfileField',
    summary: 'Delete a custom profile field',
    audit: { subject: 'profile_field', id: ({ field_id }) => field_id },
    params: v.object({ field_id: described(id, 'ID of the custom profile field.') }),
    result: empty,
    role: 'administrator',
  },
  async (caller, { field_id }) => {
    await caller.write(async (tx) => {
      await accessField(tx, field_id)
      await tx.db.deleteFrom('profile_field').where('id', '=', field_id).execute()
      people.invalidate(tx)
      await emitProfileFields(tx)
    })
    return {}
  },
)

/**
 * PATCH /realm/profile_fields: reorders the custom profile fields.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "Invalid order mapping." unless every field is named once
 */
export const reorderProfileFields = action(
  {
    name: 'reorderProfileFields',
    summary: 'Reorder custom profile fields',
    audit: { subject: 'profile_field', details: ({ order }) => ({ order }) },
    params: v.object({ order: described(ids, 'IDs of all fields, in the new order.') }),
    result: empty,
    role: 'administrator',
  },
  async (caller, { order }) => {
    await caller.write(async (tx) => {
      const known = (await profileFields(tx)).map((field) => field.id)
      const complete = order.length === known.length && known.every((field_id) => order.includes(field_id))
      if (!complete) throw badRequest('Invalid order mapping.')
      for (const [i, field_id] of order.entries()) {
        await tx.db
          .updateTable('profile_field')
          .set({ position: i + 1 })
          .where('id', '=', field_id)
          .execute()
      }
      await emitProfileFields(tx)
    })
    return {}
  },
)
