import type { Context } from '../kernel/context.ts'
import { invalidField } from '../kernel/errors.ts'
import { settingsOf } from '../settings/organization.ts'
import { isAbout, type Surroundings } from './password-rules.ts'

export const EASY_TO_GUESS = 'This password is easy to guess. Choose another one, such as a few random words.'

/**
 * Throws if a password is little more than the address or name of the account, or the name of the organization.
 *
 * @param surroundings - with the name that the organization is about to get, if it isn't the present one
 * @param given - the password, by the name of its field
 * @throws ChatError BAD_REQUEST
 */
export async function requireUnpredictable(
  context: Context,
  { email, full_name, organization }: Partial<Surroundings> & Omit<Surroundings, 'organization'>,
  given: Readonly<Record<string, string>>,
): Promise<void> {
  const surroundings = { email, full_name, organization: organization ?? (await settingsOf(context)).name }
  for (const [field, password] of Object.entries(given))
    if (isAbout(password, surroundings)) throw invalidField(field, EASY_TO_GUESS)
}
