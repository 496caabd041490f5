import { groupBy } from '../../../kernel/base/lists.ts'
import type { Context } from '../../../kernel/context.ts'
import { dialectOf } from '../../../kernel/store.ts'

/** The data in an archive: public data, also private data of users who agreed, or everything. */
export const exportKinds = ['public', 'consent', 'full'] as const
export type ExportKind = (typeof exportKinds)[number]

/** Messages from the first id up to but not including the second. */
type Span = readonly [from: number, to: number]

/** Which data an archive includes. */
export interface ExportScope {
  readonly kind: ExportKind
  /** The newest message it may include. Newer ones are sent while the archive is written. */
  readonly last_message: number
  /** The one person whose messages and files it includes. */
  readonly author?: number | undefined
  /** Users whose private data it includes. */
  readonly consenting: ReadonlySet<number>
  /** Streams it includes. With protected history, only the messages that one of the consenting users received. */
  readonly streams: ReadonlyMap<number, 'all' | readonly Span[]>
  /** Direct conversations it includes, with all participants. */
  readonly directs: ReadonlyMap<number, readonly number[]>
  /** The server's own accounts, with the addresses of upstream's. */
  readonly bots: ReadonlyMap<number, string>
}

/** Returns whether an archive includes a message. The only place that decides. */
export function includes(
  { last_message, streams, directs }: ExportScope,
  message: { id: number; conversation_id: number; topic_id: number | null },
): boolean {
  if (message.id > last_message) return false
  if (message.topic_id === null) return directs.has(message.conversation_id)
  const spans = streams.get(message.conversation_id)
  if (spans === undefined || spans === 'all') return spans === 'all'
  return spans.some(([from, to]) => from <= message.id && message.id < to)
}

/** Returns the users who allow administrators to export their private data, and their bots. */
export async function consentingUsers({ db }: Pick<Context, 'db'>): Promise<Set<number>> {
  const agreed = await db
    .selectFrom('user_setting')
    .select('user_id')
    .where('name', '=', 'allow_private_data_export')
    .where('value', '=', 'true')
    .execute()
  const consenting = new Set(agreed.map((row) => row.user_id))
  const bots = await db
    .selectFrom('user')
    .select(['id', 'bot_owner_id'])
    .where('bot_owner_id', 'is not', null)
    .execute()
  const theirs = bots.filter((bot) => consenting.has(bot.bot_owner_id!))
  for (const bot of theirs) consenting.add(bot.id)
  return consenting
}

/** @param author limits it to one person's messages and files */
export async function scopeOf(reader: Context, kind: ExportKind, author?: number): Promise<ExportScope> {
  const consenting = author === undefined ? await privateDataOf(reader, kind) : new Set([author])
  const own = await reader.db.selectFrom('user').select(['id', 'email']).where('is_system_bot', '=', 1).execute()
  const bots = new Map(own.map(({ id, email }) => [id, `${email.split('@')[0]}@zulip.com`]))
  const newest = await reader.db
    .selectFrom('message')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  return {
    kind,
    author,
    last_message: newest?.id ?? 0,
    consenting,
    streams: await streamsFor(reader, kind, consenting),
    directs: await directsFor(reader, consenting, bots),
    bots,
  }
}

async function privateDataOf(reader: Context, kind: ExportKind): Promise<Set<number>> {
  if (kind === 'public') return new Set()
  if (kind === 'consent') return consentingUsers(reader)
  const users = await reader.db.selectFrom('user').select('id').execute()
  return new Set(users.map((user) => user.id))
}

async function streamsFor(reader: Context, kind: ExportKind, consenting: ReadonlySet<number>) {
  const { db, chat } = reader
  const rows = await db
    .selectFrom('stream')
    .select(['id', 'invite_only', 'history_public_to_subscribers'])
    .orderBy('id')
    .execute()
  const joined = await db
    .selectFrom('subscription')
    .innerJoin('stream', 'stream.id', 'subscription.stream_id')
    .select('subscription.stream_id')
    .distinct()
    .where('stream.invite_only', '=', 1)
    .where('subscription.is_active', '=', 1)
    .where('subscription.user_id', 'in', dialectOf(chat).idsIn([...consenting]))
    .execute()
  const read = new Set(joined.map((row) => row.stream_id))
  const streams = new Map<number, 'all' | readonly Span[]>()
  for (const { id, invite_only, history_public_to_subscribers } of rows) {
    if (kind === 'full' || !invite_only) streams.set(id, 'all')
    else if (read.has(id))
      streams.set(id, history_public_to_subscribers ? 'all' : await received(reader, id, consenting))
  }
  return streams
}

/** Returns the messages of a stream that one of these users received while subscribed. */
async function received({ db, chat }: Context, stream_id: number, users: ReadonlySet<number>): Promise<Span[]> {
  const periods = await db
    .selectFrom('subscription_period')
    .innerJoin('subscription', (join) =>
      join
        .onRef('subscription.user_id', '=', 'subscription_period.user_id')
        .onRef('subscription.stream_id', '=', 'subscription_period.stream_id'),
    )
    .select(['from_message_id as from', 'to_message_id as to'])
    .where('subscription_period.stream_id', '=', stream_id)
    .where('subscription.is_active', '=', 1)
    .where('subscription_period.user_id', 'in', dialectOf(chat).idsIn([...users]))
    .orderBy('from_message_id')
    .execute()
  const spans: [number, number][] = []
  for (const { from, to } of periods) {
    const end = to ?? Number.POSITIVE_INFINITY
    const last = spans.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], end)
    else spans.push([from, end])
  }
  return spans
}

/**
 * Returns the direct conversations of users who agreed. Groups with one of the server's own accounts are left out,
 * because other servers don't have such groups.
 */
async function directsFor({ db, chat }: Context, consenting: ReadonlySet<number>, bots: ReadonlyMap<number, string>) {
  const rows = await db
    .selectFrom('direct_participant')
    .select(['conversation_id', 'user_id'])
    .where('conversation_id', 'in', (eb) =>
      eb
        .selectFrom('direct_participant')
        .select('conversation_id')
        .where('user_id', 'in', dialectOf(chat).idsIn([...consenting])),
    )
    .orderBy('conversation_id')
    .orderBy('user_id')
    .execute()
  const directs = groupBy(
    rows,
    (row) => row.conversation_id,
    (row) => row.user_id,
  )
  for (const [id, people] of directs) if (people.length > 2 && people.some((one) => bots.has(one))) directs.delete(id)
  return directs
}
