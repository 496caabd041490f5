import type { Migration } from '../migration.ts'
import { createTables, int, ref, type TableList } from '../tables/table-list.ts'

/** Role changes leave the log for a table of their own; ids of events that are not stored are reserved in blocks. */
export const eventIds: Migration = {
  name: '2026-11-22-event-ids',
  async up(db, dialect) {
    await createTables(db, dialect, tables)
    const oldest = await db.selectFrom('event').select('id').orderBy('id').limit(1).executeTakeFirst()
    const pruned_up_to = oldest ? oldest.id - 1 : 0
    await db.insertInto('event_log_state').values({ reserved_up_to: 0, pruned_up_to }).execute()
    const logged = await db
      .selectFrom('event')
      .select(['id', 'payload'])
      .where('type', '=', 'realm_user')
      .where('payload', 'like', '%"role_before":%')
      .orderBy('id')
      .execute()
    for (const { id: event_id, payload } of logged) {
      const { role_before, ...event } = JSON.parse(payload)
      if (role_before === undefined) continue
      const { user_id } = event.person
      await db.insertInto('role_change').values({ event_id, user_id, role_before }).execute()
      await db
        .updateTable('event')
        .set({ payload: JSON.stringify(event) })
        .where('id', '=', event_id)
        .execute()
    }
  },
}

const tables: TableList = {
  role_change: {
    columns: { event_id: int, user_id: ref('user'), role_before: int },
    primaryKey: ['event_id'],
  },
  event_log_state: {
    columns: { reserved_up_to: int, pruned_up_to: int },
  },
}
