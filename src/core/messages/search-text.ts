import { fold } from '../../storage/columns.ts'
import type { Tx } from '../caller.ts'
import { plainText } from '../markup/plain-text.ts'

/** Texts and what is sought in them are compared in this form. */
export const searchForm = (text: string): string => fold(text).replace(/\s+/g, ' ').trim()

/** What of a message the search operator looks into, besides its topic. */
export const searchText = (rendered_content: string): string => searchForm(plainText(rendered_content))

interface Indexed {
  id: number
  rendered_content: string
}

/** Makes a new message findable; in the write that stores it. */
export async function indexMessage(tx: Tx, message: Indexed): Promise<void> {
  await tx.chat.store.dialect.search.add(tx.db, message.id, searchText(message.rendered_content))
}

/** A message's content changed: `before` as it was indexed, `rendered_content` as it is now. */
export async function reindexMessage(tx: Tx, before: Indexed, rendered_content: string): Promise<void> {
  await unindexMessages(tx, [before])
  await indexMessage(tx, { id: before.id, rendered_content })
}

/** These messages are going: they are found no more. Moving messages needs nothing, topics are not in the index. */
export async function unindexMessages(tx: Tx, messages: readonly Indexed[]): Promise<void> {
  const { search } = tx.chat.store.dialect
  for (const message of messages) await search.remove(tx.db, message.id, searchText(message.rendered_content))
}
