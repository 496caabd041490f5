import type { Tx } from '../../kernel/context.ts'

/** Replaced texts that are kept of each message, besides the original text. */
const KEPT_TEXTS = 100

/** Drops the texts between the original and the newest edits, so that the history stays bounded. */
export async function dropOldTexts({ db }: Tx, message_id: number): Promise<void> {
  const withText = db
    .selectFrom('message_edit')
    .select('id')
    .where('message_id', '=', message_id)
    .where('prev_content', 'is not', null)
  const due = await withText.orderBy('id', 'desc').offset(KEPT_TEXTS).limit(1).executeTakeFirst()
  if (!due) return
  const first = await withText.orderBy('id').limit(1).executeTakeFirstOrThrow()
  await db
    .updateTable('message_edit')
    .set({ prev_content: null, prev_rendered_content: null })
    .where('message_id', '=', message_id)
    .where('id', '>', first.id)
    .where('id', '<=', due.id)
    .execute()
}
