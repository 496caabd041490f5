import { fold } from '../../../storage/index.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { ChatError, notPermitted } from '../../kernel/errors.ts'
import { inSlices, isWriting, pacer } from '../../kernel/slices.ts'
import type { User } from '../../kernel/user.ts'
import { sayCreated } from '../../messages/notices/stream-changes.ts'
import { saySubscribed } from '../../messages/notices/subscribed.ts'
import { listed, silentMention, streamLink } from '../../messages/notices/words.ts'
import { sendToTopic } from '../../messages/send/post-message.ts'
import { settingsOf } from '../../settings/organization.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import type { AccessedStream } from '../access.ts'
import { addSubscribers } from '../join.ts'
import { createPlanned, type Plan, planFor } from './plan.ts'
import { peopleAtATime, STREAMS_AT_FIRST } from './principals.ts'
import type { SubscribeParams } from './subscribe-params.ts'

/**
 * Subscribes users to streams, creating new ones, without sending notices.
 *
 * @param options.allNew - whether names of existing streams are rejected
 */
export async function joinStreams(
  caller: Caller,
  requested: SubscribeParams,
  users: readonly User[],
  { allNew = false } = {},
) {
  await checkSubscribing(caller, requested, users)
  const joining: Joining = { requested, users, allNew, ...nothing() }
  for (const people of users.length === 0 ? [users] : peopleAtATime(users)) {
    const work = (tx: Tx, slice: readonly Entry[]) => join(tx, joining, slice, people)
    await inSlices(caller, requested.subscriptions, STREAMS_AT_FIRST, work, { done: (joined) => add(joining, joined) })
  }
  return joining
}

type Entry = SubscribeParams['subscriptions'][number]

/** Where several writes are needed, everything is checked before the first. */
export async function checkSubscribing(
  caller: Caller,
  requested: SubscribeParams,
  users: readonly User[],
): Promise<void> {
  if (isWriting(caller) || requested.subscriptions.length <= STREAMS_AT_FIRST) return
  const turn = pacer(caller)
  for (const entry of requested.subscriptions) {
    const plan = await planFor(caller, entry, users, requested)
    if (plan.kind === 'refused' && (requested.authorization_errors_fatal ?? true)) throw unable(entry.name)
    await turn()
  }
}

interface Joining extends Joined {
  requested: SubscribeParams
  users: readonly User[]
  allNew: boolean
}

interface Joined {
  /** Streams created by this request, by folded name: their creator may add users to them. */
  created: Map<string, AccessedStream>
  /** Streams that users were subscribed to, by name. */
  joined: Map<string, AccessedStream>
  outcome: ReturnType<typeof newOutcome>
}

const newOutcome = () => ({
  subscribed: new Map<string, string[]>(),
  already_subscribed: new Map<string, string[]>(),
  unauthorized: new Set<string>(),
})

const nothing = (): Joined => ({ created: new Map(), joined: new Map(), outcome: newOutcome() })

function add({ created, joined, outcome }: Joining, more: Joined): void {
  for (const [key, stream] of more.created) created.set(key, stream)
  for (const [name, stream] of more.joined) joined.set(name, stream)
  for (const name of more.outcome.unauthorized) outcome.unauthorized.add(name)
  for (const kind of ['subscribed', 'already_subscribed'] as const) {
    for (const [user_id, names] of more.outcome[kind]) {
      outcome[kind].set(user_id, [...(outcome[kind].get(user_id) ?? []), ...names])
    }
  }
}

/** Changes nothing but the database, because the write may run again. */
async function join(
  tx: Tx,
  { requested, allNew, created: createdBefore }: Joining,
  slice: readonly Entry[],
  users: readonly User[],
): Promise<Joined> {
  const { created, joined, outcome } = nothing()
  const streams: AccessedStream[] = []
  for (const entry of slice) {
    const own = created.get(fold(entry.name)) ?? createdBefore.get(fold(entry.name))
    const plan: Plan = own ? { kind: 'join', stream: own } : await planFor(tx, entry, users, requested)
    if (allNew && !own && plan.kind !== 'create') throw alreadyExists(entry.name)
    if (plan.kind === 'refused') {
      if (requested.authorization_errors_fatal ?? true) throw unable(entry.name)
      outcome.unauthorized.add(entry.name)
      continue
    }
    const stream = plan.kind === 'join' ? plan.stream : await createPlanned(tx, entry, requested)
    if (plan.kind === 'create') created.set(fold(entry.name), stream)
    streams.push(stream)
    joined.set(stream.name, stream)
  }
  const added = await addSubscribers(tx, [...new Map(streams.map((stream) => [stream.id, stream])).values()], users)
  const sets = new Map([...added].map(([id, user_ids]) => [id, new Set(user_ids)]))
  for (const { id, name } of streams) {
    for (const user of users) {
      // A name that is given twice was joined the first time.
      const list = sets.get(id)?.delete(user.id) ? outcome.subscribed : outcome.already_subscribed
      const names = list.get(String(user.id))
      if (names) names.push(name)
      else list.set(String(user.id), [name])
    }
  }
  return { created, joined, outcome }
}

const alreadyExists = (name: string) =>
  new ChatError('CHANNEL_ALREADY_EXISTS', `Channel '${name}' already exists`, { channel_name: name })

const unable = (name: string) => notPermitted(`Unable to access stream (${name}).`)

/** Notices in new streams and in the stream for announcements. */
export async function sayNew(caller: Caller, { requested, created }: Joining): Promise<void> {
  const news = [...created.values()]
  await inSlices(caller, news, STREAMS_AT_FIRST, async (tx, slice) => {
    for (const stream of slice) await sayCreated(tx, stream)
  })
  if (requested.announce && news.length > 0) await caller.write((tx) => announceNew(tx, news))
}

/** Tells people by direct message to which streams, other than new ones, the caller subscribed them. */
export async function sayJoined(caller: Caller, { users, created, joined, outcome }: Joining): Promise<void> {
  const isNew = new Set([...created.values()].map((stream) => stream.name))
  const toExisting = (user: User) =>
    (outcome.subscribed.get(String(user.id)) ?? []).filter((name) => !isNew.has(name)).map((name) => joined.get(name)!)
  await saySubscribed(caller, new Map(users.map((user) => [user, toExisting(user)])))
}

async function announceNew(tx: Tx, created: readonly AccessedStream[]): Promise<void> {
  const { new_stream_announcements_stream_id } = await settingsOf(tx)
  const open = created.filter((stream) => !stream.invite_only)
  if (new_stream_announcements_stream_id < 0 || open.length === 0) return
  const names = listed(open.map(streamLink), ', ')
  const what = open.length === 1 ? `a new channel ${names}` : `the following channels: ${names}`
  const content = `${silentMention(tx.user)} created ${what}.`
  const options = { streams: open }
  await sendToTopic(await asSystemBot(tx), new_stream_announcements_stream_id, 'new channels', content, options)
}
