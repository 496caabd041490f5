import type { Context } from '../kernel/context.ts'

/** The one organization of this database. */
export async function organizationOf({ db }: Pick<Context, 'db'>) {
  return db.selectFrom('organization').selectAll().executeTakeFirstOrThrow()
}
