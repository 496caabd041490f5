import { sql } from 'kysely'
import { fold, type SearchText, statement } from '../../../storage/index.ts'
import type { SystemTx, Tx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { plainText } from '../../markup/plain-text.ts'

/** Texts and search words are compared in this form. */
export const searchForm = (text: string): string => fold(text).replace(/\s+/g, ' ').trim()

/** The text of a message that the search operator matches, besides its topic. */
export const searchText = (rendered_content: string): string => searchForm(plainText(rendered_content))

const progress = statement((db, _: object) => db.selectFrom('search_progress').select('indexed_up_to'))

/**
 * The oldest messages that aren't indexed yet: at most `limit`, and no more after `bytes` of HTML. One query, because
 * all other writes wait for each query to a remote database.
 */
const next = statement((db, p: { limit: number; bytes: number }) => ({
  compile: () =>
    sql<{
      id: number
      rendered_content: string
      newest: number
    }>`select "id", "rendered_content", (select max("id") from "message") as "newest" from "message"
      where "id" > (select "indexed_up_to" from "search_progress") and "id" <= (
        select max("id") from (
          select "id", sum("size") over (order by "id") - "size" as "before" from (
            select "id", octet_length("rendered_content") as "size" from "message"
            where "id" > (select "indexed_up_to" from "search_progress") order by "id" limit ${p.limit}
          ) as "oldest"
        ) as "sized" where "before" < ${p.bytes}
      ) order by "id"`.compile(db),
}))

/**
 * After so much HTML or text, a batch ends. All other work waits for it, and indexing a character takes up to two
 * microseconds.
 */
const BATCH_BYTES = 256 * 1024
const BATCH_CHARACTERS = 25_000

const setProgress = statement((db, p: { indexed_up_to: number }) =>
  db.updateTable('search_progress').set({ indexed_up_to: p.indexed_up_to }),
)

const indexedUpTo = async ({ db }: Pick<Tx, 'db'>): Promise<number> => (await progress(db, {}))[0]!.indexed_up_to

/** Indexes the oldest messages that are not indexed yet. Returns how many, and about how many are left. */
export async function indexNext(tx: SystemTx, limit: number): Promise<{ indexed: number; left: number }> {
  const messages = await next(tx.db, { limit, bytes: BATCH_BYTES })
  const texts: SearchText[] = []
  let characters = 0
  for (const { id, rendered_content } of messages) {
    const text = searchText(rendered_content)
    texts.push({ message_id: id, text })
    characters += text.length
    if (characters >= BATCH_CHARACTERS) break
  }
  const last = texts.at(-1)?.message_id
  if (last === undefined) return { indexed: 0, left: 0 }
  await dialectOf(tx.chat).search.add(tx.db, texts)
  await setProgress(tx.db, { indexed_up_to: last })
  return { indexed: texts.length, left: messages[0]!.newest - last }
}

/** Call it after a message's content changed. A message that isn't in the index yet is indexed later. */
export async function reindexMessage(tx: Tx, message_id: number, rendered_content: string): Promise<void> {
  const { search } = dialectOf(tx.chat)
  if (!(await search.remove(tx.db, message_id))) return
  await search.add(tx.db, [{ message_id, text: searchText(rendered_content) }])
}

/** Call it when a message is restored. Messages after the indexed ones are indexed with the new ones. */
export async function indexAgain(tx: SystemTx, message_id: number, rendered_content: string): Promise<void> {
  if (message_id > (await indexedUpTo(tx))) return
  await dialectOf(tx.chat).search.add(tx.db, [{ message_id, text: searchText(rendered_content) }])
}

/** Call it when messages are deleted. Moves change nothing, since topics aren't in the index. */
export async function unindexMessages(tx: Tx, ids: readonly number[]): Promise<void> {
  const { search } = dialectOf(tx.chat)
  for (const id of ids) await search.remove(tx.db, id)
}

/** Merges a few parts of the index. Returns whether more is left to merge. */
export const mergeSlice = (tx: SystemTx): Promise<boolean> => dialectOf(tx.chat).search.mergeSlice(tx.db)
