import * as v from 'valibot'
import { action } from '../action.ts'
import type { Caller } from '../caller.ts'
import { badRequest } from '../errors.ts'
import { bool, count, id, text } from '../fields.ts'
import { MAX_MESSAGES_PER_FETCH } from '../limits.ts'
import { accessMessage } from './access.ts'
import { isUnreadBy } from './read-ranges.ts'
import { messageViews } from './view.ts'
import { visibleTo } from './visible.ts'

/** "The newest there is", and the anchor's value when nothing is unread; exact in a double. */
export const NEWEST = 10_000_000_000_000_000

export const viewParams = {
  apply_markdown: v.nullish(bool, true),
  client_gravatar: v.nullish(bool, true),
  allow_empty_topic_name: v.nullish(bool, false),
}

/** GET /messages: a window of messages around an anchor. */
export const getMessages = action(
  {
    summary: 'Get messages',
    params: v.object({
      anchor: v.nullish(v.union([id, text])),
      include_anchor: v.nullish(bool, true),
      num_before: count,
      num_after: count,
      use_first_unread_anchor: v.nullish(bool, false),
      ...viewParams,
    }),
  },
  async (caller, wanted) => {
    const { num_before, num_after } = wanted
    if (num_before + num_after > MAX_MESSAGES_PER_FETCH) {
      throw badRequest(`Too many messages requested (maximum ${MAX_MESSAGES_PER_FETCH}).`)
    }
    const anchor = await resolveAnchor(caller, wanted.use_first_unread_anchor ? 'first_unread' : wanted.anchor)
    const before = await idsBefore(caller, anchor, num_before)
    // The anchor itself belongs to neither side.
    const after = await idsFrom(caller, anchor, num_after + 1)
    const found_anchor = after[0] === anchor
    const rest = found_anchor ? after.slice(1) : after.slice(0, num_after)
    const ids = [...before.reverse(), ...(found_anchor && wanted.include_anchor ? [anchor] : []), ...rest]
    return {
      messages: await messageViews(caller, ids, {
        apply_markdown: wanted.apply_markdown ?? true,
        client_gravatar: wanted.client_gravatar ?? true,
        allow_empty_topic_name: wanted.allow_empty_topic_name ?? false,
      }),
      anchor,
      found_anchor: found_anchor && (wanted.include_anchor ?? true),
      found_oldest: before.length < num_before || anchor === 0,
      found_newest: rest.length < num_after || anchor >= NEWEST,
      history_limited: false,
    }
  },
)

async function resolveAnchor(caller: Caller, anchor: string | number | null | undefined): Promise<number> {
  if (anchor === undefined || anchor === null) throw badRequest("Missing 'anchor' argument.")
  if (anchor === 'newest') return NEWEST
  if (anchor === 'oldest') return 0
  if (anchor === 'first_unread') return (await firstUnread(caller)) ?? NEWEST
  const number = Number(anchor)
  if (!Number.isSafeInteger(number) && number < NEWEST) throw badRequest('Invalid anchor')
  if (Number.isNaN(number) || number < 0) throw badRequest('Invalid anchor')
  return Math.min(number, NEWEST)
}

async function firstUnread(caller: Caller): Promise<number | undefined> {
  const row = await caller.db
    .selectFrom('message')
    .select('id')
    .where((eb) => isUnreadBy(eb, caller.user.id))
    .where((eb) => visibleTo(eb, caller.user))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

async function idsBefore(caller: Caller, anchor: number, limit: number): Promise<number[]> {
  if (limit === 0) return []
  const rows = await caller.db
    .selectFrom('message')
    .select('id')
    .where('id', '<', anchor)
    .where((eb) => visibleTo(eb, caller.user))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

async function idsFrom(caller: Caller, anchor: number, limit: number): Promise<number[]> {
  const rows = await caller.db
    .selectFrom('message')
    .select('id')
    .where('id', '>=', anchor)
    .where((eb) => visibleTo(eb, caller.user))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** GET /messages/{id} */
export const getMessage = action(
  { summary: 'Get a message', params: v.object({ message_id: id, ...viewParams }) },
  async (caller, { message_id, ...options }) => {
    const message = await accessMessage(caller, message_id)
    const [view] = await messageViews(caller, [message_id], {
      apply_markdown: options.apply_markdown ?? true,
      client_gravatar: options.client_gravatar ?? true,
      allow_empty_topic_name: options.allow_empty_topic_name ?? false,
    })
    return { message: view!, raw_content: message.content }
  },
)
