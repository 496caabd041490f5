import type { Migration } from '../migration.ts'
import { createTables, id, partOf, text, time } from '../tables/table-list.ts'

/** Moves of messages in progress, so that a restarted server can finish them. */
export const unfinishedMoves: Migration = {
  name: '2026-12-05-unfinished-moves',
  up: (db, dialect) =>
    createTables(db, dialect, {
      unfinished_move: {
        columns: { id, user_id: partOf('user'), touched_at: time, rest: text },
        indexes: { unfinished_move_user: { on: ['user_id'] } },
      },
    }),
}
