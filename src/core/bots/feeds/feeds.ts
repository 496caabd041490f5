import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { onBehalfOf } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, id, integer, isWebAddress, text } from '../../kernel/fields.ts'
import { resolveRecipient } from '../../messages/send/recipient.ts'
import { empty, id as idShape, integer as integerShape, unixTime } from '../../shapes/values.ts'
import { accessBot } from '../access.ts'
import { feedsOf } from './worker.ts'

const MAX_FEEDS_PER_BOT = 20
const MAX_FEEDS = 500
const MAX_URL_LENGTH = 2000
const DAY_MINUTES = 24 * 60

const kinds = { feed: 15, calendar: 60 }

const url = v.pipe(
  text,
  v.trim(),
  v.check((given) => isWebAddress(given) && given.length <= MAX_URL_LENGTH, '{name} is not a URL'),
  v.check((given) => !hasPassword(given), '{name} contains a user name or a password'),
)
const hasPassword = (given: string): boolean => {
  const { username, password } = URL.canParse(given) ? new URL(given) : { username: '', password: '' }
  return username !== '' || password !== ''
}
const minutes = (least: number, most: number) =>
  v.pipe(
    integer,
    v.minValue(least, `{name} must be at least ${least}`),
    v.maxValue(most, `{name} must be at most ${most}`),
  )
const bot_id = described(id, 'ID of the bot.')

const feedShape = v.strictObject({
  id: idShape,
  kind: v.picklist(['feed', 'calendar']),
  url: v.string(),
  stream_id: idShape,
  topic: v.string(),
  interval_minutes: integerShape,
  /** Only for a calendar. */
  minutes_before: v.nullable(integerShape),
  /** When it was last read, and when it will be read again. */
  checked_at: v.nullable(unixTime),
  next_at: unixTime,
  /** Why the last attempt failed; null if it didn't. */
  failure: v.nullable(v.string()),
})

/**
 * GET /bots/{bot_id}/feeds: lists the feeds and calendars that a bot announces.
 *
 * @throws BAD_REQUEST "No such bot"; "Insufficient permission" for another user's bot
 */
export const listFeeds = action(
  {
    name: 'listFeeds',
    summary: 'List the feeds of a bot',
    params: v.object({ bot_id }),
    result: v.strictObject({ feeds: v.array(feedShape) }),
    secret: true,
  },
  async (caller, { bot_id }) => {
    await accessBot(caller, bot_id)
    const rows = await caller.db
      .selectFrom('feed')
      .select(['id', 'kind', 'url', 'stream_id', 'topic', 'interval_minutes', 'minutes_before'])
      .select(['checked_at', 'next_at', 'failure'])
      .where('bot_id', '=', bot_id)
      .orderBy('id')
      .execute()
    return {
      feeds: rows.map(({ kind, ...row }) => ({
        ...row,
        kind: kind === 'calendar' ? ('calendar' as const) : ('feed' as const),
      })),
    }
  },
)

/**
 * POST /bots/{bot_id}/feeds: announces new entries of an RSS or Atom feed, or reminds of the events of an iCalendar file. What a
 * feed contains already is not announced.
 *
 * @throws BAD_REQUEST "No such bot"; "Insufficient permission" for another user's bot; for an invalid URL, a place where the bot
 * may not post, and a feed that it already announces there
 * @throws STREAM_DOES_NOT_EXIST for a channel that the bot can't access
 * @example
 * await addFeed(caller, { bot_id: user_id, url: 'https://example.com/feed.xml', stream: 'news', topic: 'blog' })
 */
export const addFeed = action(
  {
    name: 'addFeed',
    summary: 'Announce a feed or a calendar',
    audit: { subject: 'feed', made: ({ id }) => id },
    params: v.object({
      bot_id,
      kind: described(
        v.nullish(v.picklist(['feed', 'calendar']), 'feed'),
        '"feed" (RSS, Atom) or "calendar" (iCalendar).',
      ),
      url: described(url, 'Its address.'),
      stream: described(text, 'Name or ID of the channel.'),
      topic: described(text, 'The topic.'),
      interval_minutes: described(
        v.nullish(minutes(5, DAY_MINUTES)),
        'How often it is read: 5 to 1440 minutes. By default 15 for a feed and 60 for a calendar.',
      ),
      minutes_before: described(
        v.nullish(minutes(0, 7 * DAY_MINUTES)),
        'How long before an event of a calendar to send its reminder: 0 to 10080 minutes. By default 15.',
      ),
    }),
    result: v.strictObject({ id: idShape }),
    idempotencyKey: 'one write',
    errors: ['STREAM_DOES_NOT_EXIST'],
  },
  (caller, { bot_id, kind, url, stream, topic, interval_minutes, minutes_before }) =>
    caller.write(async (tx) => {
      const bot = await accessBot(tx, bot_id)
      if (!bot.is_active) throw badRequest('This bot is deactivated.')
      if (kind === 'feed' && minutes_before != null) throw badRequest('Only calendars have minutes_before.')
      const to = /^\d{1,15}$/.test(stream) ? Number(stream) : stream
      const place = await resolveRecipient(onBehalfOf(tx, bot), { type: 'stream', to, topic })
      if (place.kind !== 'stream') throw badRequest('Invalid stream')
      const all = await tx.db.selectFrom('feed').select(['bot_id', 'url', 'stream_id', 'topic']).execute()
      const own = all.filter((one) => one.bot_id === bot_id)
      if (own.some((one) => one.url === url && one.stream_id === place.conversation_id && one.topic === place.topic))
        throw badRequest('The bot already announces this address there.')
      if (own.length >= MAX_FEEDS_PER_BOT) throw badRequest(`A bot can have at most ${MAX_FEEDS_PER_BOT} feeds.`)
      if (all.length >= MAX_FEEDS) throw badRequest(`An organization can have at most ${MAX_FEEDS} feeds.`)
      const row = await tx.db
        .insertInto('feed')
        .values({
          ...{ bot_id, kind, url, stream_id: place.conversation_id, topic: place.topic },
          interval_minutes: interval_minutes ?? kinds[kind],
          minutes_before: kind === 'calendar' ? (minutes_before ?? 15) : null,
          ...{ next_at: seconds(tx.chat.clock), checked_at: null, etag: null, last_modified: null },
          ...{ expanded_to: null, failures: 0, failure: null },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      tx.afterCommit(() => feedsOf(tx.chat).wake())
      return row
    }),
)

/**
 * DELETE /bots/{bot_id}/feeds/{feed_id}: no longer reads a feed or a calendar. Its messages stay.
 *
 * @throws BAD_REQUEST "No such bot", "Invalid feed"; "Insufficient permission" for another user's bot
 */
export const removeFeed = action(
  {
    name: 'removeFeed',
    summary: 'Remove a feed of a bot',
    audit: { subject: 'feed', id: ({ feed_id }) => feed_id },
    params: v.object({ bot_id, feed_id: described(id, 'ID of the feed.') }),
    result: empty,
  },
  (caller, { bot_id, feed_id }) =>
    caller.write(async (tx) => {
      await accessBot(tx, bot_id)
      const gone = await tx.db
        .deleteFrom('feed')
        .where('id', '=', feed_id)
        .where('bot_id', '=', bot_id)
        .returning('id')
        .executeTakeFirst()
      if (!gone) throw badRequest('Invalid feed')
      return {}
    }),
)
