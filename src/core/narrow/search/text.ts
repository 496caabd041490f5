import { fold, statement } from '../../../storage/index.ts'
import type { SystemTx, Tx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { plainText } from '../../markup/plain-text.ts'

/** Texts and search words are compared in this form. */
export const searchForm = (text: string): string => fold(text).replace(/\s+/g, ' ').trim()

/** The text of a message that the search operator matches, besides its topic. */
export const searchText = (rendered_content: string): string => searchForm(plainText(rendered_content))

const progress = statement((db, _: object) => db.selectFrom('search_progress').select('indexed_up_to'))
/** One query, because all other writes wait for each query to a remote database. */
const next = statement((db, p: { limit: number }) =>
  db
    .selectFrom('message')
    .select((eb) => [
      'id',
      'rendered_content',
      eb
        .selectFrom('message as last')
        .select((e) => e.fn.max('last.id').as('id'))
        .as('newest'),
    ])
    .where('id', '>', (eb) => eb.selectFrom('search_progress').select('indexed_up_to'))
    .orderBy('id')
    .limit(p.limit),
)

const setProgress = statement((db, p: { indexed_up_to: number }) =>
  db.updateTable('search_progress').set({ indexed_up_to: p.indexed_up_to }),
)

const indexedUpTo = async ({ db }: Pick<Tx, 'db'>): Promise<number> => (await progress(db, {}))[0]!.indexed_up_to

/** Characters of the messages of a batch, since other writes wait for it. A longer message is a batch of its own. */
const MOST_CHARACTERS = 400_000

/** Returns the first of these messages, so that they have few characters in total. */
function firstOf<M extends { rendered_content: string }>(messages: readonly M[]): readonly M[] {
  let characters = 0
  const after = messages.findIndex(({ rendered_content }, at) => {
    characters += rendered_content.length
    return at > 0 && characters > MOST_CHARACTERS
  })
  return after === -1 ? messages : messages.slice(0, after)
}

/** Indexes the oldest messages that are not indexed yet. Returns how many, and about how many are left. */
export async function indexNext(tx: SystemTx, limit: number): Promise<{ indexed: number; left: number }> {
  const messages = firstOf(await next(tx.db, { limit }))
  const last = messages.at(-1)
  if (!last) return { indexed: 0, left: 0 }
  await dialectOf(tx.chat).search.add(
    tx.db,
    messages.map(({ id, rendered_content }) => ({ message_id: id, text: searchText(rendered_content) })),
  )
  await setProgress(tx.db, { indexed_up_to: last.id })
  return { indexed: messages.length, left: last.newest! - last.id }
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
