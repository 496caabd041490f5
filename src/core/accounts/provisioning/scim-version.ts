import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { scimRefusal } from './scim-error.ts'

/** Returns the version of a resource as `meta.version` and ETag have it: a weak one, made of what clients see. */
export const versionOf = (...parts: readonly unknown[]): string =>
  `W/"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16)}"`

/**
 * Returns the version of a group. The members count by sums that the database computes, because reading ten thousand of them for
 * each group of a list would take long. Only an exchange of at least three members for others can leave all sums equal.
 */
export async function groupVersion(
  { db }: Pick<Context, 'db'>,
  { id, name }: { id: number; name: string },
): Promise<string> {
  const user = sql`cast(user_id as bigint)`
  const members = await db
    .selectFrom('user_group_member')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<string | null>`cast(sum(${user}) as text)`.as('sum'),
      sql<string | null>`cast(sum(${user} * ${user}) as text)`.as('squares'),
    ])
    .where('group_id', '=', id)
    .executeTakeFirstOrThrow()
  return versionOf(name, Number(members.count), members.sum, members.squares)
}

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')

/**
 * Throws 412 if a request demands other versions than the present one.
 *
 * @param ifMatch - the header If-Match: versions, separated by commas, or `*`
 */
export function requireVersion(version: string, ifMatch: string | null | undefined): void {
  if (ifMatch == null || ifMatch.trim() === '*') return
  if (!ifMatch.split(',').some((tag) => opaque(tag) === opaque(version)))
    throw scimRefusal('precondition', 'It has changed since. Read it again')
}
