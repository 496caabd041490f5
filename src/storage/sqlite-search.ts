import { sql } from 'kysely'
import { piecesOf, type SearchIndex, wantedPieces } from './search-index.ts'
import { statement } from './statement.ts'

/** Name of the SQL function behind `textOf`; the connection gets it when it is opened. */
export const SEARCH_TEXT_FUNCTION = 'search_text'

const insert = statement((db, p: { message_id: number; pieces: string }) => ({
  compile: () => sql`insert into message_search (rowid, pieces) values (${p.message_id}, ${p.pieces})`.compile(db),
}))

/**
 * FTS5 without the text (the messages have it) and without positions (`contains` decides): of all its forms this one
 * takes the least space.
 */
export const sqliteSearch: SearchIndex = {
  async create(db) {
    await sql`
      create virtual table message_search
      using fts5(pieces, content='', detail=none, columnsize=0, tokenize='ascii')`.execute(db)
  },
  async add(db, message_id, text) {
    await insert(db, { message_id, pieces: [...piecesOf(text)].join(' ') })
  },
  async remove(db, message_id, text) {
    const pieces = [...piecesOf(text)].join(' ')
    await sql`
      insert into message_search (message_search, rowid, pieces) values ('delete', ${message_id}, ${pieces})`.execute(
      db,
    )
  },
  candidates(parts) {
    const { whole, beginnings } = wantedPieces(parts)
    const wanted = [...whole.map((piece) => `"${piece}"`), ...beginnings.map((piece) => `"${piece}" *`)]
    if (wanted.length === 0) return undefined
    return sql<{ id: number }>`
      (select rowid as id from message_search where message_search match ${wanted.join(' AND ')})`
  },
  textOf: (rendered_content) => sql<string>`search_text(${rendered_content})`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
}
