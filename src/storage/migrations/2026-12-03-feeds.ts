import type { Migration } from '../migration.ts'
import { createTables, id, int, maybe, partOf, text, time } from '../tables/table-list.ts'

/** Feeds and calendars that bots announce. */
export const feeds: Migration = {
  name: '2026-12-03-feeds',
  up: (db, dialect) =>
    createTables(db, dialect, {
      feed: {
        columns: {
          id,
          bot_id: partOf('user'),
          kind: text,
          url: text,
          stream_id: partOf('stream'),
          topic: text,
          interval_minutes: int,
          minutes_before: maybe(int),
          next_at: time,
          checked_at: maybe(time),
          etag: maybe(text),
          last_modified: maybe(text),
          expanded_to: maybe(time),
          failures: int,
          failure: maybe(text),
        },
        indexes: {
          feed_bot: { on: ['bot_id'] },
          feed_stream: { on: ['stream_id'] },
          feed_next: { on: ['next_at'] },
        },
      },
      feed_entry: {
        columns: { feed_id: partOf('feed'), entry_key: text, seen_at: time, due_at: maybe(time), content: maybe(text) },
        primaryKey: ['feed_id', 'entry_key'],
        indexes: { feed_entry_due: { on: ['due_at'], where: ['due_at', 'not null'] } },
      },
    }),
}
