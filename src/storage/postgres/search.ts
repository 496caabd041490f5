import { sql } from 'kysely'
import { beginningsOf, piecesOf, wantedPieces } from '../search/pieces.ts'
import type { SearchIndex } from '../search/search-index.ts'
import { statement } from '../statement.ts'

const addText = statement((db, p: { message_id: number; text: string }) =>
  db.insertInto('search_text').values({ message_id: p.message_id, text: p.text }),
)
const addPieces = statement((db, p: { message_id: number; pieces: string }) => ({
  compile: () =>
    sql`insert into "message_search" ("message_id", "pieces") values (${p.message_id}, ${p.pieces})`.compile(db),
}))
const takeText = statement((db, p: { message_id: number }) =>
  db.deleteFrom('search_text').where('message_id', '=', p.message_id).returning('message_id'),
)

/** The marker for the beginning of a piece, among the pieces themselves. */
const asBeginning = (letters: string): string => `^${letters}`

/** Formats an array for PostgreSQL. Pieces contain nothing that needs quotes. */
const stored = (text: string): string => `{${[...piecesOf(text), ...[...beginningsOf(text)].map(asBeginning)]}}`

/**
 * An inverted index (GIN) of arrays of pieces, the same pieces as on SQLite. Searches therefore find the same, in any
 * language and without an extension. The arrays also contain the beginnings of pieces, because GIN finds only whole
 * elements.
 */
export const postgresSearch: SearchIndex = {
  async create(db) {
    await sql`drop table if exists message_search`.execute(db)
    await sql`
      create table message_search (
        message_id bigint primary key references message (id) on delete cascade,
        pieces text[] collate "C" not null
      )`.execute(db)
    await sql`create index message_search_pieces on message_search using gin (pieces)`.execute(db)
  },
  // GIN merges pending entries automatically.
  async mergeOnlyInSlices() {},
  mergeSlice: async () => false,
  async clear(db) {
    await sql`delete from message_search`.execute(db)
    await db.deleteFrom('search_text').execute()
  },
  async add(db, messages) {
    for (const { message_id, text } of messages) {
      await addText(db, { message_id, text })
      await addPieces(db, { message_id, pieces: stored(text) })
    }
  },
  async remove(db, message_id) {
    const [row] = await takeText(db, { message_id })
    await sql`delete from message_search where message_id = ${message_id}`.execute(db)
    return row !== undefined
  },
  candidates(parts) {
    const { whole, beginnings } = wantedPieces(parts)
    const wanted = [...whole, ...beginnings.map(asBeginning)]
    if (wanted.length === 0) return undefined
    return sql<{ id: number }>`
      (select message_id as id from message_search where pieces @> string_to_array(${wanted.join(' ')}, ' ') collate "C")`
  },
  textOf: (message_id) => sql<string>`coalesce((select text from search_text where message_id = ${message_id}), '')`,
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
}
