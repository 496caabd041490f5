import type { Insertable } from 'kysely'
import * as v from 'valibot'
import { type DraftTable, statement } from '../../storage/index.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { keepForDraft } from '../files/unsent.ts'
import { action } from '../kernel/action.ts'
import { MAX_DRAFTS_PER_REQUEST } from '../kernel/base/limits.ts'
import type { Caller } from '../kernel/context.ts'
import { absent, badRequest } from '../kernel/errors.ts'
import { described, id, none } from '../kernel/fields.ts'
import { userSettingOf } from '../settings/user.ts'
import { type Draft, draftShape } from '../shapes/draft.ts'
import { empty } from '../shapes/values.ts'
import { draft, draftsOf, draftValues, draftView } from './draft-rows.ts'

const insertDraft = statement((db, p: Insertable<DraftTable>) =>
  db
    .insertInto('draft')
    .values({
      user_id: p.user_id,
      type: p.type,
      recipients: p.recipients,
      topic: p.topic,
      content: p.content,
      edited_at: p.edited_at,
    })
    .returningAll(),
)

const draft_id = described(id, 'ID of the draft.')

const doesNotExist = () => absent('Draft does not exist')

/**
 * GET /drafts: lists the caller's drafts.
 *
 * @throws BAD_REQUEST if the user has turned off the synchronization of drafts
 */
export const listDrafts = action(
  {
    name: 'listDrafts',
    summary: 'List drafts',
    params: none,
    result: v.strictObject({ count: id, drafts: v.array(draftShape) }),
  },
  async (caller) => {
    await requireSynchronizing(caller)
    const drafts = await draftsOf(caller)
    return { count: drafts.length, drafts }
  },
)

/**
 * POST /drafts: stores unsent messages for the user's other clients.
 *
 * @throws BAD_REQUEST for an empty text, an unknown recipient, or more than 10,000 drafts; then none is stored
 */
export const createDrafts = action(
  {
    name: 'createDrafts',
    summary: 'Create drafts',
    params: v.object({
      drafts: described(
        v.optional(
          v.pipe(
            v.array(draft),
            v.maxLength(MAX_DRAFTS_PER_REQUEST, `{name} has too many entries; at most ${MAX_DRAFTS_PER_REQUEST}`),
          ),
          [],
        ),
        'The drafts, each with `type` ("", "private" or "stream"), `to` (a list of IDs), `topic`, `content` and `timestamp`.',
      ),
    }),
    result: v.strictObject({ ids: v.array(id) }),
    idempotencyKey: 'one write',
  },
  (caller, { drafts }) =>
    caller.write(async (tx) => {
      await requireSynchronizing(tx)
      const { count } = await tx.db
        .selectFrom('draft')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', tx.user.id)
        .executeTakeFirstOrThrow()
      const { draftsPerUser } = tx.chat.options.limits
      if (count + drafts.length > draftsPerUser) {
        throw badRequest(`Too many drafts; at most ${draftsPerUser} per user`)
      }
      const made: Draft[] = []
      for (const input of drafts) {
        const [row] = await insertDraft(tx.db, { user_id: tx.user.id, ...(await draftValues(tx, input)) })
        await keepForDraft(tx, row!.id, row!.content)
        made.push(draftView(row!))
      }
      if (made.length > 0) await emit(tx, { type: 'drafts', op: 'add', drafts: made }, only(tx.user.id))
      return { ids: made.map((one) => one.id) }
    }),
)

/**
 * PATCH /drafts/{draft_id}: replaces a draft.
 *
 * @throws BAD_REQUEST (404) "Draft does not exist"
 */
export const updateDraft = action(
  {
    name: 'updateDraft',
    summary: 'Edit a draft',
    params: v.object({ draft_id, draft: described(draft, 'The entire draft.') }),
    result: empty,
  },
  (caller, { draft_id, draft }) =>
    caller.write(async (tx) => {
      await requireSynchronizing(tx)
      const row = await tx.db
        .updateTable('draft')
        .set(await draftValues(tx, draft))
        .where('id', '=', draft_id)
        .where('user_id', '=', tx.user.id)
        .returningAll()
        .executeTakeFirst()
      if (!row) throw doesNotExist()
      await keepForDraft(tx, row.id, row.content)
      await emit(tx, { type: 'drafts', op: 'update', draft: draftView(row) }, only(tx.user.id))
      return {}
    }),
)

/**
 * DELETE /drafts/{draft_id}: deletes a draft.
 *
 * @throws BAD_REQUEST (404) "Draft does not exist"
 */
export const deleteDraft = action(
  { name: 'deleteDraft', summary: 'Delete a draft', params: v.object({ draft_id }), result: empty },
  (caller, { draft_id }) =>
    caller.write(async (tx) => {
      await requireSynchronizing(tx)
      const deleted = await tx.db
        .deleteFrom('draft')
        .where('id', '=', draft_id)
        .where('user_id', '=', tx.user.id)
        .returning('id')
        .executeTakeFirst()
      if (!deleted) throw doesNotExist()
      await emit(tx, { type: 'drafts', op: 'remove', draft_id }, only(tx.user.id))
      return {}
    }),
)

async function requireSynchronizing(caller: Caller): Promise<void> {
  if (!(await userSettingOf(caller, 'enable_drafts_synchronization'))) {
    throw badRequest('User has disabled synchronizing drafts.')
  }
}
