import type { RawBuilder } from 'kysely'
import type { Db } from '../../../../storage/index.ts'
import { dialectOf } from '../../../kernel/store.ts'
import { directRecipient, recipientOfConversation, recipientOfUser } from './recipients.ts'
import { byUser, clientId, mapped, paged, REALM, type Row, type Rows, type Source } from './source.ts'

/** Rows that belong to one user, included for users who agreed. */

const own = <R>(
  { db, scope, reader }: Source,
  fetch: (db: Db, user_ids: RawBuilder<number>) => Promise<readonly R[]>,
  toRow: (row: R) => Row | undefined,
): Rows =>
  byUser(
    [...scope.consenting].sort((a, b) => a - b),
    (user_ids) => fetch(db, dialectOf(reader.chat).idsIn(user_ids)),
    toRow,
  )

export const alertWords = (source: Source): Rows =>
  own(
    source,
    (db, ids) =>
      db
        .selectFrom('alert_word')
        .selectAll()
        .where('user_id', 'in', ids)
        .orderBy('user_id')
        .orderBy('word_key')
        .execute(),
    ({ user_id, word }) => ({ realm: REALM, user_profile: user_id, word }),
  )

export const mutedUsers = (source: Source): Rows =>
  own(
    source,
    (db, ids) =>
      db
        .selectFrom('muted_user')
        .selectAll()
        .where('user_id', 'in', ids)
        .orderBy('user_id')
        .orderBy('muted_user_id')
        .execute(),
    ({ user_id, muted_user_id, muted_at }) => ({
      user_profile: user_id,
      muted_user: muted_user_id,
      date_muted: muted_at,
    }),
  )

export const onboardingSteps = (source: Source): Rows =>
  own(
    source,
    (db, ids) =>
      db
        .selectFrom('onboarding_step')
        .selectAll()
        .where('user_id', 'in', ids)
        .orderBy('user_id')
        .orderBy('step')
        .execute(),
    ({ user_id, step, seen_at }) => ({ user: user_id, onboarding_step: step, timestamp: seen_at }),
  )

export const drafts = (source: Source): Rows =>
  own(
    source,
    (db, ids) =>
      db.selectFrom('draft').selectAll().where('user_id', 'in', ids).orderBy('user_id').orderBy('id').execute(),
    ({ user_id, type, recipients, topic, content, edited_at }) => ({
      user_profile: user_id,
      type,
      to: JSON.parse(recipients),
      topic,
      content,
      last_edit_time: edited_at,
    }),
  )

export const statuses = (source: Source): Rows =>
  own(
    source,
    (db, ids) => db.selectFrom('user_status').selectAll().where('user_id', 'in', ids).orderBy('user_id').execute(),
    ({ user_id, status_text, emoji_name, emoji_code, reaction_type }) => ({
      user_profile: user_id,
      timestamp: source.now,
      client: clientId(source, 'website'),
      status_text,
      emoji_name,
      emoji_code,
      reaction_type: reaction_type === '' ? 'unicode_emoji' : reaction_type,
    }),
  )

export const userTopics = (source: Source): Rows =>
  own(
    source,
    (db, ids) =>
      db
        .selectFrom('user_topic')
        .selectAll()
        .where('user_id', 'in', ids)
        .orderBy('user_id')
        .orderBy('stream_id')
        .execute(),
    ({ user_id, stream_id, topic_name, last_updated, visibility_policy }) =>
      source.scope.streams.has(stream_id)
        ? {
            user_profile: user_id,
            stream: stream_id,
            recipient: recipientOfConversation(stream_id),
            topic_name,
            last_updated,
            visibility_policy,
          }
        : undefined,
  )

export const savedSnippets = (source: Source): Rows =>
  own(
    source,
    (db, ids) =>
      db.selectFrom('saved_snippet').selectAll().where('user_id', 'in', ids).orderBy('user_id').orderBy('id').execute(),
    ({ user_id, title, content, created_at }) => ({
      realm: REALM,
      user_profile: user_id,
      title,
      content,
      date_created: created_at,
    }),
  )

export const navigationViews = (source: Source): Rows =>
  own(
    source,
    (db, ids) =>
      db
        .selectFrom('navigation_view')
        .selectAll()
        .where('user_id', 'in', ids)
        .orderBy('user_id')
        .orderBy('id')
        .execute(),
    ({ user_id, fragment, name, is_pinned }) => ({ user: user_id, fragment, name, is_pinned: is_pinned === 1 }),
  )

export const botStorage = (source: Source): Rows =>
  own(
    source,
    (db, ids) =>
      db.selectFrom('bot_storage').selectAll().where('user_id', 'in', ids).orderBy('user_id').orderBy('key').execute(),
    ({ user_id, key, value, size }) => ({ bot_profile: user_id, key, value, size }),
  )

export async function* botConfig({ db, scope }: Source): AsyncGenerator<Row[]> {
  let id = 0
  const bots = await db.selectFrom('bot').select(['user_id', 'config_data']).orderBy('user_id').execute()
  for (const { user_id, config_data } of bots) {
    if (!scope.consenting.has(user_id)) continue
    const entries = Object.entries(JSON.parse(config_data) as Record<string, string>)
    yield entries.map(([key, value]) => ({ id: ++id, bot_profile: user_id, key, value }))
  }
}

/** Endpoints of outgoing webhooks. Their tokens are secrets, so an import makes new ones. */
export async function services({ db, scope }: Source): Promise<Rows> {
  const rows = await db
    .selectFrom('bot')
    .innerJoin('user', 'user.id', 'bot.user_id')
    .select(['user_id', 'full_name', 'payload_url', 'interface'])
    .where('payload_url', 'is not', null)
    .orderBy('user_id')
    .execute()
  const theirs = rows.filter((row) => scope.consenting.has(row.user_id))
  return theirs.map((row, i) => [
    {
      id: i + 1,
      name: row.full_name,
      user_profile: row.user_id,
      base_url: row.payload_url,
      interface: row.interface ?? 1,
      token: '',
    },
  ])
}

/** Messages to be sent later. Reminders are among them there, with ids of their own. */
export async function* scheduledMessages(source: Source): AsyncGenerator<readonly Row[]> {
  yield* scheduled(source)
  const newest = await source.db.selectFrom('scheduled_message').select('id').orderBy('id', 'desc').executeTakeFirst()
  yield* reminders(source, newest?.id ?? 0)
}

const scheduled = (source: Source) =>
  mapped(
    paged((after, limit) =>
      source.db
        .selectFrom('scheduled_message')
        .selectAll()
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    ),
    (message) => {
      const { scope } = source
      const { id, sender_id, conversation_id, topic, content, rendered_content, deliver_at } = message
      const people = scope.directs.get(conversation_id)
      const isThere = topic === null ? people !== undefined : scope.streams.has(conversation_id)
      if (!scope.consenting.has(sender_id) || !isThere) return undefined
      return {
        id,
        sender: sender_id,
        recipient: people
          ? directRecipient(conversation_id, people, sender_id)
          : recipientOfConversation(conversation_id),
        subject: topic ?? DIRECT_TOPIC,
        content,
        rendered_content,
        sending_client: clientId(source, message.client),
        stream: people ? null : conversation_id,
        realm: REALM,
        scheduled_timestamp: deliver_at,
        request_timestamp: source.now,
        read_by_sender: message.read_by_sender !== 0,
        delivered: false,
        delivered_message: null,
        delivery_type: 1,
        has_attachment: content.includes('/user_uploads/'),
        failed: message.failed === 1,
        failure_message: message.failure_message,
      }
    },
  )

/** Upstream's type of a scheduled message that is a reminder: a direct message to oneself about another message. */
const REMIND = 2

const reminders = (source: Source, after: number) =>
  mapped(
    paged((after, limit) =>
      source.db.selectFrom('reminder').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute(),
    ),
    ({ id, user_id, message_id, note, content, rendered_content, deliver_at, failed }) =>
      source.scope.consenting.has(user_id)
        ? {
            id: after + id,
            sender: user_id,
            recipient: recipientOfUser(user_id),
            subject: DIRECT_TOPIC,
            content,
            rendered_content,
            sending_client: clientId(source, 'website'),
            stream: null,
            realm: REALM,
            scheduled_timestamp: deliver_at,
            request_timestamp: source.now,
            read_by_sender: false,
            delivered: false,
            delivered_message: null,
            delivery_type: REMIND,
            has_attachment: content.includes('/user_uploads/'),
            failed: failed === 1,
            failure_message: null,
            reminder_target_message_id: message_id,
            reminder_note: note,
          }
        : undefined,
  )

/** The topic of direct messages. */
export const DIRECT_TOPIC = '\u0007'
