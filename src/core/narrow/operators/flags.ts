import { sql } from 'kysely'
import { RESOLVED_PREFIX } from '../../kernel/base/topic-name.ts'
import type { Caller } from '../../kernel/context.ts'
import { isReadBy, isUnreadBy, receivedBy } from '../../read-state/conditions.ts'
import { bits, type StoredFlag } from '../../read-state/flag-bits.ts'
import { isFollowed, isMuted } from './mutes.ts'
import { column, type MessageRow, type Predicate } from './predicate.ts'

/** Condition: the caller's row of message_flag for this message has one of these bits. */
const flaggedWith = (row: MessageRow, user_id: number, requested: number) =>
  row.exists(
    row
      .selectFrom('message_flag')
      .select('message_flag.user_id')
      .where('message_flag.user_id', '=', user_id)
      .whereRef('message_flag.message_id', '=', 'message.id')
      .where(sql<number>`message_flag.flags & ${sql.lit(requested)}`, '!=', 0),
  )

const marked =
  (flag: StoredFlag) =>
  ({ user }: Caller): Predicate => ({
    sql: (row) => flaggedWith(row, user.id, bits[flag]),
    matches: (message) => message.flags.includes(flag),
    sources: [{ by: 'flags', bits: bits[flag] }],
  })

const MENTIONS = bits.mentioned | bits.topic_wildcard_mentioned
const mentionFlags = ['mentioned', 'topic_wildcard_mentioned', 'stream_wildcard_mentioned']

/** Mentioned by name, through a group, or by a wildcard. */
const mentioned = ({ user }: Caller): Predicate => ({
  sql: (row) =>
    row.or([
      flaggedWith(row, user.id, MENTIONS),
      row.and([row('message.stream_wildcard', '=', row.lit(1)), receivedBy(row, user.id)]),
    ]),
  matches: (message) => message.flags.some((flag) => mentionFlags.includes(flag)),
  sources: [
    { by: 'flags', bits: MENTIONS },
    { by: 'mark', mark: 'stream_wildcard' },
  ],
})

const direct = ({ user, db }: Caller): Promise<Predicate> =>
  db
    .selectFrom('direct_participant')
    .select('conversation_id')
    .where('user_id', '=', user.id)
    .execute()
    .then((rows) => ({
      sql: (row) => row(column(row, 'topic_id'), '=', 0),
      matches: (message) => message.stream_id === null,
      sources: [{ by: 'conversation_id', values: rows.map((r) => r.conversation_id), direct: true }],
    }))

async function resolved({ db }: Caller): Promise<Predicate> {
  // All names that begin with the mark, by the index of names.
  const topics = await db
    .selectFrom('topic')
    .select(['id', 'stream_id'])
    .where('name_key', '>=', RESOLVED_PREFIX)
    .where('name_key', '<', `${RESOLVED_PREFIX}\u{10ffff}`)
    .execute()
  return {
    sql: (row) =>
      row.exists(
        row
          .selectFrom('topic')
          .select('topic.id')
          .whereRef('topic.id', '=', 'message.topic_id')
          .where('topic.name_key', 'like', `${RESOLVED_PREFIX}%`),
      ),
    matches: (message) => message.topic_key?.startsWith(RESOLVED_PREFIX) === true,
    sources: [{ by: 'topic_id', topics }],
  }
}

/** Operands of `is`. */
export const isOperands: Readonly<Record<string, (caller: Caller) => Predicate | Promise<Predicate>>> = {
  dm: direct,
  private: direct,
  alerted: marked('has_alert_word'),
  mentioned,
  starred: marked('starred'),
  collapsed: marked('collapsed'),
  unread: ({ user }) => ({
    sql: (row) => isUnreadBy(row, user.id),
    matches: (message) => !message.flags.includes('read'),
    sources: [{ by: 'unread' }],
  }),
  read: ({ user }) => ({
    sql: (row) => isReadBy(row, user.id),
    matches: (message) => message.flags.includes('read'),
    sources: [{ by: 'read' }],
  }),
  resolved,
  followed: isFollowed,
  muted: isMuted,
}

const holding = (mark: 'has_link' | 'has_image' | 'has_attachment'): Predicate => ({
  // A literal, not a bound value: only then is the partial index used.
  sql: (row) => row(`message.${mark}`, '=', row.lit(1)),
  matches: (message) => message[mark],
  ...(mark !== 'has_link' && { sources: [{ by: 'mark', mark }] }),
})

/** Operands of `has`. */
export const hasOperands: Readonly<Record<string, Predicate>> = {
  link: holding('has_link'),
  image: holding('has_image'),
  attachment: holding('has_attachment'),
  reaction: {
    sql: (row) =>
      row.exists(row.selectFrom('reaction').select('reaction.id').whereRef('reaction.message_id', '=', 'message.id')),
    matches: (message) => message.has_reaction,
    sources: [{ by: 'reactions' }],
  },
}
