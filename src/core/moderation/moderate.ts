import * as v from 'valibot'
import { silenceOf } from '../access/silence.ts'
import { deleteProfile, deleteSome } from '../accounts/erase.ts'
import { botsOf, deactivate } from '../accounts/set-active.ts'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import { MAX_REPORT_LENGTH } from '../kernel/base/limits.ts'
import { type Caller, callerOf, inSnapshot, type Tx } from '../kernel/context.ts'
import { badRequest, ChatError } from '../kernel/errors.ts'
import { count, described, id, integer, maxCharacters, text } from '../kernel/fields.ts'
import { isBot } from '../kernel/roles.ts'
import { isWriting, pacer, whileMore } from '../kernel/slices.ts'
import type { User } from '../kernel/user.ts'
import { quoted } from '../messages/notices/words.ts'
import { sendPrepared } from '../messages/send/post-message.ts'
import { type Prepared, prepare } from '../messages/send/prepare.ts'
import { asSystemBot } from '../users/system-bot.ts'
import { accessModerated } from './rights.ts'
import { endSilence, silence } from './silencing.ts'

const acts = ['warn', 'silence', 'end_silence', 'delete_messages', 'deactivate', 'clear_profile'] as const
type Act = (typeof acts)[number]

const MAX_MINUTES = 366 * 24 * 60

const since = described(
  v.nullish(count, 0),
  'Only messages sent at this Unix time in seconds or later. All messages by default.',
)

/**
 * POST /users/{user_id}/moderate: acts against a user who breaks the rules. One request can combine several actions.
 * Messages are deleted in steps after the others, for everyone; after an interruption, the same request deletes the rest.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is a moderator, for moderators and administrators unless the caller is an
 * administrator, and for owners unless the caller is an owner
 * @throws CANNOT_DEACTIVATE_LAST_USER for the last user or owner
 * @throws BAD_REQUEST "No such user", for the caller's own account, and for contradictory actions
 * @example
 * await moderateUser(admin, { user_id, actions: ['silence', 'delete_messages'], minutes: 60, reason: 'Spam' })
 */
export const moderateUser = action(
  {
    name: 'moderateUser',
    summary: 'Moderate a user',
    audit: {
      subject: 'user',
      id: ({ user_id }) => user_id,
      details: ({ actions, minutes, since, reason }, result: { messages: number }) => ({
        actions: [...new Set(actions)],
        reason,
        ...(actions.includes('silence') && { minutes }),
        ...(actions.includes('delete_messages') && { since, messages: result.messages }),
      }),
    },
    params: v.object({
      user_id: described(id, 'ID of the user.'),
      actions: described(
        v.pipe(v.array(v.picklist(acts, 'Invalid {name}')), v.nonEmpty('Choose at least one action'), v.maxLength(20)),
        '`warn` sends the reason as a direct message. `silence` keeps the user from sending, editing, reacting and uploading for `minutes`, and `end_silence` lifts that. `delete_messages` deletes what the user and their bots sent. `deactivate` deactivates the account. `clear_profile` removes the name and picture of a deactivated account.',
      ),
      minutes: described(
        v.nullish(v.pipe(integer, v.minValue(1, 'Invalid {name}'), v.maxValue(MAX_MINUTES, 'Invalid {name}'))),
        'How long `silence` lasts, up to 366 days.',
      ),
      since,
      reason: described(
        v.pipe(text, v.trim(), v.nonEmpty('{name} cannot be blank'), maxCharacters(MAX_REPORT_LENGTH)),
        'Why: the user reads it with a warning and a silence, and it is in the audit log. At most 1,000 characters.',
      ),
    }),
    result: v.strictObject({
      /** Messages that `delete_messages` deletes. */
      messages: integer,
    }),
    role: 'moderator',
    idempotencyKey: 'one write',
    errors: ['CANNOT_DEACTIVATE_LAST_USER'],
  },
  async (caller, { user_id, actions, minutes, since, reason }) => {
    const chosen = new Set<Act>(actions)
    const until = checkedEnd(caller, chosen, minutes ?? undefined)
    const notice = await noticeOf(caller, chosen, until, reason)
    const from = since ?? 0
    // Counted before the write, because others would wait for it.
    const messages = chosen.has('delete_messages')
      ? await messagesOf(caller, await writersOf(caller, user_id), from)
      : 0
    let senders: readonly number[] = []
    let up_to = 0
    const result = await caller.write(async (tx) => {
      const user = await accessModerated(tx, user_id)
      const all = [user, ...(await botsOf(tx, user))]
      if (until !== undefined) await silence(tx, user, { until, reason })
      if (chosen.has('end_silence')) await endSilence(tx, user)
      if (chosen.has('deactivate') && user.is_active) await deactivate(tx, user)
      if (chosen.has('clear_profile')) await clearProfiles(tx, all, chosen.has('deactivate'))
      if (notice && user.is_active && !isBot(user) && !chosen.has('deactivate'))
        await sendPrepared(await asSystemBot(tx), [user], notice)
      if (!chosen.has('delete_messages')) return { messages: 0 }
      senders = all.map(({ id }) => id)
      up_to = await newestOf(tx, senders)
      return { messages }
    })
    // Without the request's Idempotency-Key, which belongs to the first write.
    const { chat, user, client } = caller
    const by = isWriting(caller) ? caller : callerOf(chat, user, { client })
    for (const sender_id of senders) await whileMore(by, (tx) => deleteSome(tx, sender_id, { since: from, up_to }))
    return result
  },
)

/** Returns when the silence ends; undefined without one. Throws for contradictory actions. */
function checkedEnd({ chat }: Caller, chosen: ReadonlySet<Act>, minutes: number | undefined): number | undefined {
  if (!chosen.has('silence')) return undefined
  if (chosen.has('end_silence')) throw badRequest('A user is either silenced or not: choose one of the two actions.')
  if (minutes === undefined) {
    throw new ChatError('REQUEST_VARIABLE_MISSING', "Missing 'minutes' argument", { var_name: 'minutes' })
  }
  return seconds(chat.clock) + minutes * 60
}

async function noticeOf(
  caller: Caller,
  chosen: ReadonlySet<Act>,
  until: number | undefined,
  reason: string,
): Promise<Prepared | undefined> {
  const end = until === undefined ? '' : `<time:${new Date(until * 1000).toISOString().replace('.000', '')}>`
  const first =
    until !== undefined
      ? `A moderator has silenced you until ${end}. Until then you can read, but not write, react or upload.`
      : chosen.has('warn')
        ? 'A moderator has sent you a warning.'
        : chosen.has('end_silence')
          ? 'A moderator has lifted your silence. You can write again.'
          : undefined
  return first === undefined ? undefined : prepare(await asSystemBot(caller), `${first}\n\n${quoted(reason)}`)
}

async function clearProfiles(tx: Tx, all: readonly User[], areDeactivated: boolean): Promise<void> {
  for (const user of all) {
    if (user.is_active && !areDeactivated) throw badRequest('Deactivate the account to clear its profile.')
    await deleteProfile(tx, user)
  }
}

/** Returns the accounts whose messages are a user's: their own, and their bots. */
async function writersOf(caller: Caller, user_id: number): Promise<number[]> {
  const user = await accessModerated(caller, user_id)
  return [user, ...(await botsOf(caller, user))].map(({ id }) => id)
}

/** Messages that one statement counts. */
const SLICE = 10_000

/** Returns how many messages these accounts sent since a time, in many short statements. */
async function messagesOf(caller: Caller, senders: readonly number[], since: number): Promise<number> {
  const pace = pacer(caller)
  let total = 0
  for (const sender_id of senders) {
    for (let after = 0, isMore = true; isMore; await pace()) {
      const slice = caller.db
        .selectFrom('message')
        .select(['id', 'sent_at'])
        .where('sender_id', '=', sender_id)
        .where('id', '>', after)
        .orderBy('id')
        .limit(SLICE)
      const { read, counted, last } = await caller.db
        .selectFrom(slice.as('slice'))
        .select((eb) => [
          eb.fn.countAll<number>().as('read'),
          eb.fn.countAll<number>().filterWhere('sent_at', '>=', since).as('counted'),
          eb.fn.max('id').as('last'),
        ])
        .executeTakeFirstOrThrow()
      total += Number(counted)
      after = Number(last ?? 0)
      isMore = Number(read) === SLICE
    }
  }
  return total
}

/** Returns the ID of the newest message of these accounts. */
async function newestOf({ db }: Pick<Caller, 'db'>, senders: readonly number[]): Promise<number> {
  let newest = 0
  for (const sender_id of senders) {
    const row = await db
      .selectFrom('message')
      .select('id')
      .where('sender_id', '=', sender_id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    newest = Math.max(newest, row?.id ?? 0)
  }
  return newest
}

/**
 * GET /users/{user_id}/moderation: returns what a moderator needs to know before acting: whether the user is silenced, and how
 * many messages `delete_messages` would delete.
 *
 * @throws UNAUTHORIZED_PRINCIPAL and BAD_REQUEST like `moderateUser`
 */
export const getModeration = action(
  {
    name: 'getModeration',
    summary: "Get a user's moderation status",
    params: v.object({ user_id: described(id, 'ID of the user.'), since }),
    result: v.strictObject({
      /** Messages that the user and their bots sent. */
      messages: integer,
      silenced: v.nullable(v.strictObject({ until: integer, reason: v.string() })),
    }),
    role: 'moderator',
  },
  (caller, { user_id, since }) =>
    inSnapshot(caller, async (reader) => {
      const messages = await messagesOf(reader, await writersOf(reader, user_id), since ?? 0)
      return { messages, silenced: await silenceOf(reader, { id: user_id, bot_owner_id: null }) }
    }),
)
