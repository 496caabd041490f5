import * as v from 'valibot'
import { fold, isUnset } from '../../storage/index.ts'
import { MAX_GROUP_NAME_LENGTH } from '../kernel/base/limits.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { line, maxCharacters, text } from '../kernel/fields.ts'

/** Prefixes reserved for other uses; `role:` is for system groups. */
const reserved = ['@', 'role:', 'user:', 'stream:', 'channel:']
const MAX_DESCRIPTION_LENGTH = 1024

export const groupName = v.pipe(
  line,
  v.nonEmpty("User group name can't be empty!"),
  maxCharacters(MAX_GROUP_NAME_LENGTH, `User group name cannot exceed ${MAX_GROUP_NAME_LENGTH} characters.`),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const prefix = reserved.find((prefix) => fold(dataset.value).startsWith(prefix))
    if (prefix) addIssue({ message: `User group name cannot start with '${prefix}'.` })
  }),
)

export const groupDescription = v.pipe(text, v.trim(), maxCharacters(MAX_DESCRIPTION_LENGTH))

/** Throws if another active group has this name, ignoring case. */
export async function requireFreeName({ db }: Tx, name: string, except = 0): Promise<void> {
  const taken = await db
    .selectFrom('user_group')
    .select('id')
    .where('name_key', '=', fold(name))
    .where('is_deactivated', '=', isUnset)
    .where('id', '!=', except)
    .executeTakeFirst()
  if (taken) throw badRequest(`User group '${name}' already exists.`)
}
