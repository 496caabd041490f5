import { invalidatePeople } from '../src/core/users/people.ts'
import type { Person } from '../src/testing/person.ts'

/** Adds many members as rows like one person's, for tests with crowds. Returns their ids. */
export const addCrowd = (like: Person, count: number): Promise<number[]> =>
  like.write(async (tx) => {
    const { db } = tx
    const { id, ...row } = await db.selectFrom('user').selectAll().where('id', '=', like.id).executeTakeFirstOrThrow()
    const ids: number[] = []
    for (let i = 0; i < count; i++) {
      const email = `user${i}@example.com`
      const values = { ...row, email, email_key: email, role: 400 }
      const added = await db.insertInto('user').values(values).returning('id').executeTakeFirstOrThrow()
      ids.push(added.id)
    }
    invalidatePeople(tx)
    return ids
  })
