import type { Person } from '../src/testing/person.ts'

/** Many members at once, as rows like a person's own: for tests of what happens to crowds. */
export const addCrowd = (like: Person, count: number): Promise<void> =>
  like.write(async ({ db }) => {
    const { id, ...row } = await db.selectFrom('user').selectAll().where('id', '=', like.id).executeTakeFirstOrThrow()
    for (let i = 0; i < count; i++) {
      const email = `user${i}@example.com`
      await db
        .insertInto('user')
        .values({ ...row, email, email_key: email, role: 400 })
        .execute()
    }
  })
