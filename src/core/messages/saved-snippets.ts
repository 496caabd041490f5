import type { Selectable } from 'kysely'
import * as v from 'valibot'
import type { SavedSnippetTable } from '../../storage/index.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import { MAX_MESSAGE_BYTES, MAX_SNIPPET_TITLE_LENGTH } from '../kernel/base/limits.ts'
import type { Caller } from '../kernel/context.ts'
import { absent, badRequest } from '../kernel/errors.ts'
import { described, id, maxCharacters, none, text } from '../kernel/fields.ts'
import { type SavedSnippet, savedSnippetShape } from '../shapes/draft.ts'
import { empty } from '../shapes/values.ts'

const filled = v.pipe(text, v.trim(), v.nonEmpty('{name} cannot be blank'))
const title = v.pipe(filled, maxCharacters(MAX_SNIPPET_TITLE_LENGTH))
const content = v.pipe(
  filled,
  v.check((s) => Buffer.byteLength(s) <= MAX_MESSAGE_BYTES, `{name} is too long (limit: ${MAX_MESSAGE_BYTES} bytes)`),
)
const saved_snippet_id = described(id, 'ID of the snippet.')
const doesNotExist = () => absent('Saved snippet does not exist.')

const viewOf = (row: Selectable<SavedSnippetTable>): SavedSnippet => ({
  id: row.id,
  title: row.title,
  content: row.content,
  date_created: row.created_at,
})

/** The caller's snippets, oldest first. */
export async function savedSnippetsOf({ db, user }: Caller): Promise<SavedSnippet[]> {
  const rows = await db.selectFrom('saved_snippet').selectAll().where('user_id', '=', user.id).orderBy('id').execute()
  return rows.map(viewOf)
}

/**
 * GET /saved_snippets: lists the caller's snippets.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 */
export const listSavedSnippets = action(
  {
    name: 'listSavedSnippets',
    summary: 'List saved snippets',
    params: none,
    result: v.strictObject({ saved_snippets: v.array(savedSnippetShape) }),
  },
  async (caller) => ({ saved_snippets: await savedSnippetsOf(caller) }),
)

/**
 * POST /saved_snippets: saves a text to reuse in messages.
 *
 * @throws BAD_REQUEST for an empty or too long title or content, or more than 1,000 snippets
 */
export const createSavedSnippet = action(
  {
    name: 'createSavedSnippet',
    summary: 'Create a saved snippet',
    params: v.object({
      title: described(title, 'Title of the snippet, at most 60 characters.'),
      content: described(content, 'The text, in Markdown, at most 10,000 bytes.'),
    }),
    result: v.strictObject({ saved_snippet_id: id }),
    idempotencyKey: 'one write',
  },
  (caller, { title, content }) =>
    caller.write(async (tx) => {
      const { snippetsPerUser } = tx.chat.options.limits
      const { count } = await tx.db
        .selectFrom('saved_snippet')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', tx.user.id)
        .executeTakeFirstOrThrow()
      if (count >= snippetsPerUser) {
        throw badRequest(`Too many saved snippets; at most ${snippetsPerUser} per user`)
      }
      const row = await tx.db
        .insertInto('saved_snippet')
        .values({ user_id: tx.user.id, title, content, created_at: seconds(tx.chat.clock) })
        .returningAll()
        .executeTakeFirstOrThrow()
      await emit(tx, { type: 'saved_snippets', op: 'add', saved_snippet: viewOf(row) }, only(tx.user.id))
      return { saved_snippet_id: row.id }
    }),
)

/**
 * PATCH /saved_snippets/{saved_snippet_id}: changes the title, the content, or both.
 *
 * @throws BAD_REQUEST (404) "Saved snippet does not exist."
 */
export const updateSavedSnippet = action(
  {
    name: 'updateSavedSnippet',
    summary: 'Edit a saved snippet',
    params: v.object({
      saved_snippet_id,
      title: described(v.optional(title), 'Title of the snippet, at most 60 characters.'),
      content: described(v.optional(content), 'The text, in Markdown, at most 10,000 bytes.'),
    }),
    result: empty,
  },
  (caller, { saved_snippet_id, ...params }) =>
    caller.write(async (tx) => {
      const own = await tx.db
        .selectFrom('saved_snippet')
        .selectAll()
        .where('id', '=', saved_snippet_id)
        .where('user_id', '=', tx.user.id)
        .executeTakeFirst()
      if (!own) throw doesNotExist()
      const changed = { ...own, title: params.title ?? own.title, content: params.content ?? own.content }
      if (changed.title === own.title && changed.content === own.content) return {}
      await tx.db
        .updateTable('saved_snippet')
        .set({ title: changed.title, content: changed.content })
        .where('id', '=', own.id)
        .execute()
      await emit(tx, { type: 'saved_snippets', op: 'update', saved_snippet: viewOf(changed) }, only(tx.user.id))
      return {}
    }),
)

/**
 * DELETE /saved_snippets/{saved_snippet_id}: deletes a snippet.
 *
 * @throws BAD_REQUEST (404) "Saved snippet does not exist."
 */
export const deleteSavedSnippet = action(
  {
    name: 'deleteSavedSnippet',
    summary: 'Delete a saved snippet',
    params: v.object({ saved_snippet_id }),
    result: empty,
  },
  (caller, { saved_snippet_id }) =>
    caller.write(async (tx) => {
      const deleted = await tx.db
        .deleteFrom('saved_snippet')
        .where('id', '=', saved_snippet_id)
        .where('user_id', '=', tx.user.id)
        .returning('id')
        .executeTakeFirst()
      if (!deleted) throw doesNotExist()
      await emit(tx, { type: 'saved_snippets', op: 'remove', saved_snippet_id }, only(tx.user.id))
      return {}
    }),
)
