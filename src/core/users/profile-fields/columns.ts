import * as v from 'valibot'
import { flag, fold } from '../../../storage/index.ts'
import { badRequest } from '../../kernel/errors.ts'
import { bool, described, line, maxCharacters, text } from '../../kernel/fields.ts'
import type { FieldKind } from '../profile-kinds.ts'
import type { ProfileField } from '../profile-state.ts'

const MAX_IN_SUMMARY = 2

export const fieldParams = {
  name: described(
    v.nullish(v.pipe(line, maxCharacters(40), v.nonEmpty('Label cannot be blank.'))),
    'Label of the field, at most 40 characters.',
  ),
  hint: described(v.nullish(v.pipe(line, maxCharacters(80))), 'Help for filling in, at most 80 characters.'),
  field_data: described(
    v.nullish(v.record(text, v.unknown())),
    'What defines a field of its type, such as the options of a list.',
  ),
  display_in_profile_summary: described(v.nullish(bool), 'Whether the summary of a profile shows it.'),
  required: described(v.nullish(bool), 'Whether clients ask for a value.'),
  editable_by_user: described(v.nullish(bool), 'Whether users may change their own value; administrators always may.'),
}

type FieldParams = v.InferOutput<v.ObjectSchema<typeof fieldParams, undefined>>

export const definitionOf = (kind: FieldKind, data: object): string =>
  kind.definition ? JSON.stringify(kind.definition(data)) : ''

/** The columns these parameters set, checked against the field's type and the other fields. */
export function columnsOf(kind: FieldKind, params: FieldParams, others: readonly ProfileField[]) {
  const { name, hint, field_data, display_in_profile_summary: summary, required, editable_by_user } = params
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
  }
}
