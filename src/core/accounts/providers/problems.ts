import type { Db } from '../../../storage/index.ts'

/** Returns a sentence for each identity provider that doesn't work now. */
export async function signOnProblems(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('sign_on_problem').selectAll().orderBy('provider').execute()
  return rows.map(
    ({ provider, since, problem }) => `${provider} since ${new Date(since * 1000).toISOString()}: ${problem}`,
  )
}
