import assert from 'node:assert/strict'
import type { ClientState } from '../client/state/client-state.ts'

/** Members that identify one registration or its time. */
const ofTheMoment = [
  'queue_id',
  'last_event_id',
  'server_timestamp',
  'presence_last_update_id',
  'deleted_messages',
  'with_subscribers',
  'with_all_users',
]

/** A state in the form in which it is compared: parsed JSON. */
// biome-ignore lint/suspicious/noExplicitAny: members of all kinds.
type Comparable = Record<string, any>

/** Lists without a meaningful order, and the keys of their members. */
// biome-ignore lint/suspicious/noExplicitAny: members of lists of all kinds.
const keys: Readonly<Record<string, (member: any) => string | number>> = {
  streams: (stream) => stream.stream_id,
  subscriptions: (stream) => stream.stream_id,
  unsubscribed: (stream) => stream.stream_id,
  never_subscribed: (stream) => stream.stream_id,
  realm_users: (user) => user.user_id,
  realm_non_active_users: (user) => user.user_id,
  cross_realm_bots: (user) => user.user_id,
  realm_bots: (bot) => bot.user_id,
  realm_user_groups: (group) => group.id,
  user_topics: (topic) => `${topic.stream_id} ${topic.topic_name.toLowerCase()}`,
  muted_topics: ([stream, topic]) => `${stream} ${topic.toLowerCase()}`,
  channel_folders: (folder) => folder.id,
  scheduled_messages: (message) => message.scheduled_message_id,
  drafts: (draft) => draft.id,
  reminders: (reminder) => reminder.reminder_id,
  navigation_views: (view) => view.fragment,
  saved_snippets: (snippet) => snippet.id,
}

/**
 * Requires that a client's state equals what register returns now. Three things may differ because no event announces
 * them:
 * - the newest message after the newest one was deleted
 * - when a user was last online, which clients poll for
 * - members that identify the registration itself
 */
export function assertSameState(applied: ClientState, fresh: ClientState, message?: string): void {
  const deleted = new Set<number>(applied.deleted_messages)
  const conversations = conversationsOf(applied.recent_private_conversations)
  const freshConversations = conversationsOf(fresh.recent_private_conversations)
  for (const [people, newest] of conversations) {
    if (deleted.has(newest)) {
      const now = freshConversations.get(people)
      if (now === undefined) conversations.delete(people)
      else conversations.set(people, now)
    }
  }
  const max_message_id = deleted.has(applied.max_message_id) ? fresh.max_message_id : applied.max_message_id
  const a = { ...comparable(applied), max_message_id, recent_private_conversations: conversations }
  const b = { ...comparable(fresh), recent_private_conversations: freshConversations }
  assert.deepEqual(Object.keys(a).sort(), Object.keys(b).sort(), message)
  for (const name of Object.keys(b)) {
    // Compared one by one because a diff of two entire states is unreadable.
    assert.deepEqual(
      { [name]: (a as Comparable)[name] },
      { [name]: (b as Comparable)[name] },
      message && `${message}: ${name}\n${difference((a as Comparable)[name], (b as Comparable)[name])}`,
    )
  }
}

function difference(applied: unknown, fresh: unknown): string {
  if (!Array.isArray(applied) || !Array.isArray(fresh)) {
    return `applied ${JSON.stringify(applied)}\nfresh   ${JSON.stringify(fresh)}`
  }
  const texts = (list: unknown[]) => new Set(list.map((one) => JSON.stringify(one)))
  const [a, b] = [texts(applied), texts(fresh)]
  const only = (x: Set<string>, y: Set<string>) => [...x].filter((one) => !y.has(one)).join('\n        ')
  return `applied ${only(a, b)}\nfresh   ${only(b, a)}`
}

const conversationsOf = (list: { user_ids: number[]; max_message_id: number }[]): Map<string, number> =>
  new Map(list.map(({ user_ids, max_message_id }) => [user_ids.join(), max_message_id]))

function comparable(state: ClientState): Comparable {
  const shown: Comparable = structuredClone(state)
  for (const name of ofTheMoment) delete shown[name]
  for (const [name, key] of Object.entries(keys)) shown[name] = bySorted(shown[name], key)
  shown.presences = Object.keys(state.presences).sort()
  for (const name of ['avatar_url', 'avatar_url_medium']) {
    // Clients that compute these addresses do so for their own user too.
    if (shown[name]?.startsWith('https://secure.gravatar.com/')) shown[name] = 'gravatar'
  }
  const { streams, pms, huddles } = shown.unread_msgs
  // Topic names that differ only in case are one topic.
  const folded = streams.map((one: { topic: string }) => ({ ...one, topic: one.topic.toLowerCase() }))
  shown.unread_msgs.streams = bySorted(folded, (one) => `${one.stream_id} ${one.topic}`)
  shown.unread_msgs.pms = bySorted(pms, (one) => one.other_user_id)
  shown.unread_msgs.huddles = bySorted(huddles, (one) => one.user_ids_string)
  // The order of an object's keys doesn't matter, so sorted texts are compared.
  return JSON.parse(JSON.stringify(shown, inOrder))
}

const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

// biome-ignore lint/suspicious/noExplicitAny: members of lists of all kinds.
const bySorted = (list: any[], key: (member: any) => string | number): any[] =>
  [...list].sort((a, b) => (key(a) < key(b) ? -1 : 1))
