import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { MAX_PROFILE_FIELDS } from '../../kernel/base/limits.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, id, ids, integer } from '../../kernel/fields.ts'
import { profileFieldShape } from '../../shapes/user.ts'
import { empty } from '../../shapes/values.ts'
import { people } from '../people-rows.ts'
import { emitProfileValue } from '../profile-data.ts'
import { kindOf, knownAccount } from '../profile-kinds.ts'
import { profileFields, profileFieldViews } from '../profile-state.ts'
import { columnsOf, definitionOf, fieldParams } from './columns.ts'
import { accessField, dropLostOptions, emitProfileFields } from './rows.ts'

/**
 * GET /realm/profile_fields
 *
 * @throws USER_DEACTIVATED when the caller's account is deactivated
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
 * POST /realm/profile_fields
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST for a label that is taken or blank, or settings that do not fit the type
 */
export const createProfileField = action(
  {
    name: 'createProfileField',
    summary: 'Create a custom profile field',
    params: v.object({ ...fieldParams, field_type: described(integer, 'A number of `custom_profile_field_types`.') }),
    result: v.strictObject({ id }),
    idempotencyKey: 'one write',
    role: 'administrator',
  },
  (caller, { field_type, ...given }) =>
    caller.write(async (tx) => {
      const kind = kindOf(field_type)
      if (!kind) throw badRequest('Invalid field type.')
      const account = kind.key === 'EXTERNAL_ACCOUNT' ? knownAccount(given.field_data ?? {}) : undefined
      // What clients know brings its own words.
      const params = account ? { ...given, name: account.name, hint: account.hint } : given
      if (params.name == null) throw badRequest('Label cannot be blank.')
      const others = await profileFields(tx)
      if (others.length >= MAX_PROFILE_FIELDS)
        throw badRequest(`There may be at most ${MAX_PROFILE_FIELDS} profile fields.`)
      const { id } = await tx.db
        .insertInto('profile_field')
        .values({
          hint: '',
          field_data: definitionOf(kind, params.field_data ?? {}),
          display_in_profile_summary: 0,
          required: 0,
          editable_by_user: 1,
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
 * PATCH /realm/profile_fields/{field_id}
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "Field id … not found.", for a label that is taken, or settings that do not fit the type
 */
export const updateProfileField = action(
  {
    name: 'updateProfileField',
    summary: 'Update a custom profile field',
    params: v.object({ field_id: described(id, 'Id of the custom profile field.'), ...fieldParams }),
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
 * DELETE /realm/profile_fields/{field_id}: everybody's values are deleted with it.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "Field id … not found."
 */
export const removeProfileField = action(
  {
    name: 'removeProfileField',
    summary: 'Delete a custom profile field',
    params: v.object({ field_id: described(id, 'Id of the custom profile field.') }),
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
 * PATCH /realm/profile_fields: every field, in the new order.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "Invalid order mapping." unless every field is named once
 */
export const reorderProfileFields = action(
  {
    name: 'reorderProfileFields',
    summary: 'Reorder custom profile fields',
    params: v.object({ order: described(ids, 'Ids of all fields, in the new order.') }),
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
