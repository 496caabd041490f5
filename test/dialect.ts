/** Whether the tests run on PostgreSQL: `npm run test:postgres`. */
export const onPostgres = process.env.DATABASE_URL !== undefined

/** For a test of something that only SQLite has, or that is measured there. */
export const onlyOnSqlite = (reason: string) => ({ skip: onPostgres ? `only on SQLite: ${reason}` : false })

/** So many random steps; on PostgreSQL fewer, as each of their statements is a trip to the server. */
export const randomSteps = (count: number): number => (onPostgres ? Math.ceil(count / 8) : count)
