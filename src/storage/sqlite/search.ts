import { sql } from 'kysely'
import type { TxDb } from '../handle.ts'
import { joinedPieces, piecesOf, wantedPieces } from '../search/pieces.ts'
import type { SearchIndex } from '../search/search-index.ts'
import { statement } from '../statement.ts'

type IdAndText = readonly [message_id: number, text: string]

// One statement for many messages: running one takes as long as indexing a short text.
const addTexts = statement((db, p: { texts: readonly IdAndText[] }) => ({
  compile: () =>
    sql`insert into search_text (message_id, text) select value ->> 0, value ->> 1 from json_each(${p.texts})`.compile(
      db,
    ),
}))
const addPieces = statement((db, p: { pieces: readonly IdAndText[] }) => ({
  compile: () =>
    sql`insert into message_search (rowid, pieces) select value ->> 0, value ->> 1 from json_each(${p.pieces})`.compile(
      db,
    ),
}))
const takeText = statement((db, p: { message_id: number }) =>
  db.deleteFrom('search_text').where('message_id', '=', p.message_id).returning('text'),
)
const removePieces = statement((db, p: { message_id: number; pieces: string }) => ({
  compile: () =>
    sql`insert into message_search (message_search, rowid, pieces) values ('delete', ${p.message_id}, ${p.pieces})`.compile(
      db,
    ),
}))

/** Pages merged in one write. */
const SLICE_PAGES = 32
/** Parts of one size are merged once there are this many, FTS5's most. With its usual 4, merging takes twice as long. */
const MERGED_TOGETHER = 16
/** So many parts of the index are merged inside a commit, however long it takes. FTS5 allows at most 2,000. */
const CRISIS = 1000

async function totalChanges(db: TxDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(db)
  return rows[0]!.count
}

/**
 * FTS5 without the text, which is in a table of its own, and without positions, because `contains` decides. Of all
 * variants, this one takes the least space.
 */
export const sqliteSearch: SearchIndex = {
  async create(db) {
    await sql`drop table if exists message_search`.execute(db)
    // Lists of two letters take 49 bytes per message, and all pieces take 84. Without these lists, a search for two
    // letters would merge the lists of all pieces that begin with them.
    await sql`
      create virtual table message_search
      using fts5(pieces, content='', detail=none, columnsize=0, prefix='2', tokenize='ascii')`.execute(db)
  },
  async mergeOnlyInSlices(db) {
    await sql`insert into message_search (message_search, rank) values ('automerge', 0)`.execute(db)
    await sql`insert into message_search (message_search, rank) values ('crisismerge', ${sql.lit(CRISIS)})`.execute(db)
    await sql`insert into message_search (message_search, rank) values ('usermerge', ${sql.lit(MERGED_TOGETHER)})`.execute(
      db,
    )
  },
  async mergeSlice(db) {
    const before = await totalChanges(db)
    await sql`insert into message_search (message_search, rank) values ('merge', ${sql.lit(SLICE_PAGES)})`.execute(db)
    // @NOTE by FTS5's manual, a merge that finds nothing to do makes fewer than two changes.
    return (await totalChanges(db)) - before >= 2
  },
  async clear(db) {
    await sql`insert into message_search (message_search) values ('delete-all')`.execute(db)
    await db.deleteFrom('search_text').execute()
  },
  async add(db, messages) {
    await addTexts(db, { texts: messages.map(({ message_id, text }) => [message_id, text.toWellFormed()]) })
    await addPieces(db, { pieces: messages.map(({ message_id, text }) => [message_id, joinedPieces(text)]) })
  },
  async remove(db, message_id) {
    const [row] = await takeText(db, { message_id })
    // Each piece once: earlier versions inserted it once, and FTS5 reports a damaged database if more words are deleted
    // than there are.
    if (row) await removePieces(db, { message_id, pieces: [...piecesOf(row.text)].join(' ') })
    return row !== undefined
  },
  candidates(parts) {
    const { whole, beginnings } = wantedPieces(parts)
    const wanted = [...whole.map((piece) => `"${piece}"`), ...beginnings.map((piece) => `"${piece}" *`)]
    if (wanted.length === 0) return undefined
    return sql<{ id: number }>`
      (select rowid as id from message_search where message_search match ${wanted.join(' AND ')})`
  },
  textOf: (message_id) => sql<string>`coalesce((select text from search_text where message_id = ${message_id}), '')`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
}
