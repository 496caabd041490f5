import type { Visitor } from '../context.ts'

/** The one organization of this database. */
export async function organizationOf({ db }: Pick<Visitor, 'db'>) {
  return db.selectFrom('organization').selectAll().executeTakeFirstOrThrow()
}

export const findOrganization = ({ db }: Pick<Visitor, 'db'>) =>
  db.selectFrom('organization').selectAll().executeTakeFirst()
