import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { flag, type UserStatusTable } from '../../storage/index.ts'
import { requireVoice } from '../access/silence.ts'
import { knownTo, observersOf } from '../access/user-visibility.ts'
import type { Audience } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import { MAX_STATUS_TEXT_LENGTH } from '../kernel/base/limits.ts'
import type { Caller, SystemTx, Tx } from '../kernel/context.ts'
import { badRequest, notPermitted } from '../kernel/errors.ts'
import { bool, described, id, maxCharacters, text } from '../kernel/fields.ts'
import { isAdministrator } from '../kernel/roles.ts'
import type { User } from '../kernel/user.ts'
import { reactionType, resolveEmoji } from '../organization/emoji/resolve.ts'
import { requireAllowedFields } from '../review/filters/require.ts'
import { type StatusView, userStatusShape } from '../shapes/user.ts'
import { empty } from '../shapes/values.ts'
import { accessUser } from './access.ts'

const statusText = v.pipe(text, v.trim(), maxCharacters(MAX_STATUS_TEXT_LENGTH))

const statusParams = {
  status_text: described(v.nullish(statusText), 'Status text, at most 60 characters, or empty for none.'),
  emoji_name: described(v.nullish(text), 'Name of an emoji, or empty for none.'),
  emoji_code: described(v.nullish(text), 'Code of the emoji in the namespace of `reaction_type`.'),
  reaction_type: described(
    v.nullish(v.union([v.literal(''), reactionType])),
    'Namespace of `emoji_code`: unicode_emoji, realm_emoji or zulip_extra_emoji.',
  ),
}

/**
 * POST /users/me/status: changes the given parts of the status. An empty text removes it.
 *
 * @throws SILENCED while a moderator has silenced the caller
 * @throws BAD_REQUEST if nothing is given, or an emoji without its name
 * @example
 * await updateStatus(caller, { status_text: 'in a meeting', emoji_name: 'calendar' })
 */
export const updateStatus = action(
  {
    name: 'updateStatus',
    summary: 'Update your status',
    params: v.object({
      ...statusParams,
      away: described(v.nullish(bool), 'Whether you are away.'),
    }),
    result: empty,
    errors: ['SILENCED'],
  },
  (caller, changes) =>
    caller.write(async (tx) => {
      // Removing a status is always possible.
      if (changes.status_text || changes.emoji_name) await requireVoice(tx)
      await changeStatus(tx, tx.user, changes)
      return {}
    }),
)

/**
 * POST /users/{user_id}/status: changes a user's status, like `updateStatus`.
 *
 * @throws BAD_REQUEST "Insufficient permission" unless the caller is an administrator
 * @throws BAD_REQUEST "No such user"; when nothing is given, or an emoji without its name
 * @example
 * await updateStatusOf(admin, { user_id: 7, status_text: 'on leave' })
 */
export const updateStatusOf = action(
  {
    name: 'updateStatusOf',
    summary: "Update a user's status",
    audit: { subject: 'user', id: ({ user_id }) => user_id, details: () => ({ status: 'changed' }) },
    params: v.object({ user_id: described(id, 'ID of the user.'), ...statusParams }),
    result: empty,
  },
  (caller, { user_id, ...changes }) =>
    caller.write(async (tx) => {
      if (!isAdministrator(tx.user)) throw notPermitted()
      const user = await accessUser(tx, user_id)
      if (!user.is_active || user.is_system_bot) throw badRequest('No such user')
      await changeStatus(tx, user, changes)
      return {}
    }),
)

interface Change {
  status_text?: string | null | undefined
  away?: boolean | null | undefined
  emoji_name?: string | null | undefined
  emoji_code?: string | null | undefined
  reaction_type?: Status['reaction_type'] | null | undefined
}

async function changeStatus(tx: Tx, user: User, change: Change): Promise<void> {
  const { status_text, away, emoji_name, emoji_code, reaction_type } = change
  if (status_text == null && away == null && emoji_name == null) {
    if (emoji_code != null || reaction_type != null) {
      throw badRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.')
    }
    throw badRequest('Client did not pass any new values.')
  }
  const changes: Partial<Status> = {}
  await requireAllowedFields(tx, { status_text })
  if (status_text != null) changes.status_text = status_text
  if (away != null) changes.away = flag(away)
  if (emoji_name === '') Object.assign(changes, noEmoji)
  else if (emoji_name != null) {
    const requested = { emoji_name, emoji_code: emoji_code || null, reaction_type: reaction_type || null }
    const emoji = await resolveEmoji(tx, requested)
    Object.assign(changes, { ...emoji, emoji_name: emoji.emoji_name })
  }
  await putStatus(tx, user, changes)
}

/**
 * GET /users/{user_id}/status: returns a user's status.
 *
 * @throws BAD_REQUEST "No such user"
 */
export const getStatus = action(
  {
    name: 'getStatus',
    summary: "Get a user's status",
    params: v.object({ user_id: described(id, 'ID of the user.') }),
    result: v.strictObject({ status: userStatusShape }),
  },
  async (caller, { user_id }) => {
    await accessUser(caller, user_id)
    const row = await caller.db.selectFrom('user_status').selectAll().where('user_id', '=', user_id).executeTakeFirst()
    return { status: row ? statusView(row) : {} }
  },
)

type Status = Omit<Selectable<UserStatusTable>, 'user_id'>
const noEmoji = { emoji_name: '', emoji_code: '', reaction_type: '' } as const
const nothing: Status = { status_text: '', ...noEmoji, away: 0 }

async function putStatus(tx: Tx, user: User, change: Partial<Status>): Promise<void> {
  const { status_text, away, emoji_name, emoji_code, reaction_type } = change
  const user_id = user.id
  const changes = {
    ...(status_text !== undefined && { status_text }),
    ...(away !== undefined && { away }),
    ...(emoji_name !== undefined && {
      emoji_name,
      emoji_code: emoji_code ?? '',
      reaction_type: reaction_type ?? ('' as const),
    }),
  }
  const row = await tx.db
    .insertInto('user_status')
    .values({ user_id, ...nothing, ...changes })
    .onConflict((oc) => oc.column('user_id').doUpdateSet(changes))
    .returningAll()
    .executeTakeFirstOrThrow()
  if (Object.keys(statusView(row)).length === 0) {
    await tx.db.deleteFrom('user_status').where('user_id', '=', user_id).execute()
  }
  const event = {
    type: 'user_status' as const,
    user_id,
    ...(status_text !== undefined && { status_text }),
    ...(away !== undefined && { away: away === 1 }),
    // A removed emoji has no type. The API then sends the type of Unicode emoji.
    ...(emoji_name !== undefined && {
      emoji_name,
      emoji_code: emoji_code ?? '',
      reaction_type: reaction_type || ('unicode_emoji' as const),
    }),
  }
  await emit(tx, event, await observersOf(tx, user))
}

/** Notifies readers of a user's status, if there is one. */
export async function emitStatusTo(tx: SystemTx, user_id: number, readers: Audience): Promise<void> {
  const row = await tx.db.selectFrom('user_status').selectAll().where('user_id', '=', user_id).executeTakeFirst()
  if (row) await emit(tx, { type: 'user_status', user_id, ...statusView(row) }, readers)
}

/** A status without its empty members. */
function statusView({ status_text, emoji_name, emoji_code, reaction_type, away }: Status): StatusView {
  return {
    ...(away === 1 && { away: true }),
    ...(status_text !== '' && { status_text }),
    ...(reaction_type !== '' && { emoji_name, emoji_code, reaction_type }),
  }
}

/** Returns the statuses of users that the caller may see, by user id. Users without one are left out. */
export async function statuses(caller: Caller) {
  const rows = await caller.db
    .selectFrom('user_status')
    .innerJoin('user', 'user.id', 'user_status.user_id')
    .selectAll('user_status')
    .where(await knownTo(caller))
    .orderBy('user_id')
    .execute()
  return Object.fromEntries(rows.map((row) => [row.user_id, statusView(row)]))
}
