import * as v from 'valibot'
import { fold } from '../../../storage/index.ts'
import { MAX_FULL_NAME_LENGTH } from '../../kernel/base/limits.ts'
import type { SystemTx } from '../../kernel/context.ts'
import type { User } from '../../kernel/user.ts'
import { nameProblem } from '../../review/filters/require.ts'
import { settingsOf } from '../../settings/organization.ts'
import { fullName } from '../create.ts'

const MOST_TRIES = 100
const LAST_RESORT = 'New member'

/** Returns a name that an account may have: the given one without what names must not contain, or one made of the address. */
export function cleanName(given: string | undefined, address: string): string {
  return possibleNames(given, address)[0]!
}

/** Returns the first name of a new person that content filters accept. Many providers let people choose theirs. */
export async function acceptedName(tx: SystemTx, given: string | undefined, address: string): Promise<string> {
  for (const name of possibleNames(given, address)) if ((await nameProblem(tx, name)) === undefined) return name
  return LAST_RESORT
}

function possibleNames(given: string | undefined, address: string): string[] {
  const candidates = [given ?? '', address.slice(0, address.indexOf('@')), LAST_RESORT]
  return candidates.flatMap((candidate) => {
    const cleaned = candidate
      .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
      .replace(/[*`\\>"@|]/g, '')
      .replace(/\s+/g, ' ')
      .trim()
    const short = [...cleaned]
      .slice(0, MAX_FULL_NAME_LENGTH - 4)
      .join('')
      .trim()
    return v.is(fullName, short) ? [short] : []
  })
}

/** Returns the name, with a number if names must be unique here and somebody else has it. */
export async function availableName(tx: SystemTx, given: string, user?: User): Promise<string> {
  const name = cleanName(given, user?.delivery_email ?? '')
  if (!(await settingsOf(tx)).require_unique_names) return name
  for (let number = 1; number < MOST_TRIES; number++) {
    const candidate = number === 1 ? name : `${name} ${number}`
    let others = tx.db.selectFrom('user').select('id').where('name_key', '=', fold(candidate))
    if (user) others = others.where('id', '!=', user.id)
    if (!(await others.executeTakeFirst())) return candidate
  }
  return name
}
