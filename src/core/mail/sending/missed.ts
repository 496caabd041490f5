import type { Selectable } from 'kysely'
import type { MailCandidateTable } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Caller, type Context, callerOf } from '../../kernel/context.ts'
import { publicUrlOf } from '../../kernel/public-url.ts'
import { secretsOf } from '../../kernel/secrets.ts'
import { unreadMessages } from '../../push/deliver.ts'
import { presentUntil } from '../../push/note-messages.ts'
import { settingsOf } from '../../settings/organization.ts'
import { settingsOfUser, type UserSettings } from '../../settings/user.ts'
import type { MessageView } from '../../shapes/message.ts'
import { visibility } from '../../streams/user-topics.ts'
import type { Letter, Part } from '../letter.ts'
import { type Reader, readerOf } from '../reader.ts'
import { replyAddressFor } from '../reply-address.ts'
import { unsubscribeUrl } from '../unsubscribe-link.ts'
import { excerpt, withContext } from './excerpt.ts'
import { listHeaders } from './list-headers.ts'
import { placeOf } from './place.ts'
import type { WriteLetter } from './write-letter.ts'

/** Messages in one email. The others are counted. */
const MAX_MESSAGES = 50

/** An email considers this many messages of a conversation at most. */
const MAX_CANDIDATES = 1000

/** The value of `realm_name_in_email_notifications_policy` for "always". Automatic is never, with one organization. */
const ALWAYS = 2

/** Emails a reader who is away the unread messages of a conversation. */
export const missedLetter: WriteLetter = async (context, { id, message_id, user }) => {
  if (!user?.is_active) return { pointless: 'the account is deactivated' }
  const until = (await presentUntil(context, [user.id])).get(user.id) ?? 0
  // If they leave without reading, they get the email afterwards.
  if (seconds(context.chat.clock) < until) return { later: until }
  const reader = callerOf(context.chat, user, { client: 'email' })
  const settings = await settingsOfUser(context, user.id)
  const wanted = await wantedAmong(reader, settings, await candidatesOf(context, id))
  const missed = await unreadMessages(
    reader,
    wanted.map((candidate) => candidate.message_id),
  )
  if (missed.length === 0) return { pointless: 'the messages were read or deleted, or the notifications switched off' }
  const organization = await settingsOf(context)
  const showsContent =
    organization.message_content_allowed_in_email_notifications && settings.message_content_in_email_notifications
  const form = await readerOf(context, user)
  const { missed: texts, common } = form.texts
  const letter = showsContent ? await withContent(reader, form, missed) : withoutContent(reader, form, missed)
  const named = settings.realm_name_in_email_notifications_policy === ALWAYS
  const { hostname } = new URL(context.chat.options.publicUrl)
  const thread = `<c.${await threadOf(reader, missed[0]!)}@${hostname}>`
  const { chat } = context
  const list = listHeaders(chat, { user_id: user.id, kind: 'missed_messages', organization: organization.name })
  const topic = showsContent ? topicLinkOf(chat, user.id, wanted) : undefined
  const newest = { user_id: user.id, message_id: missed.at(-1)!.id }
  const replyTo = await replyAddressFor(context, { message_id }, newest)
  return {
    ...letter,
    to: user,
    reader: form,
    subject: named ? `${letter.subject} [${organization.name}]` : letter.subject,
    footer: [
      { text: replyTo === undefined ? texts.footer(organization.name) : texts.footerReply(organization.name) },
      ...(topic === undefined ? [] : [{ link: texts.muteTopic, url: topic.url }]),
      { link: common.stop, url: list.stop },
    ],
    headers: {
      ...(replyTo !== undefined && { 'reply-to': replyTo }),
      'in-reply-to': thread,
      references: thread,
      ...list.headers,
      ...(topic?.isCause && { 'list-unsubscribe': `<${topic.url}>` }),
    },
  }
}

/** Returns the newest candidates, oldest first. */
async function candidatesOf({ db }: Context, mail_id: number): Promise<Selectable<MailCandidateTable>[]> {
  const newest = await db
    .selectFrom('mail_candidate')
    .selectAll()
    .where('mail_id', '=', mail_id)
    .orderBy('message_id', 'desc')
    .limit(MAX_CANDIDATES)
    .execute()
  return newest.reverse()
}

type Candidates = readonly Selectable<MailCandidateTable>[]

/** The setting for direct messages and mentions, which also arrive from muted topics. */
const DIRECT = 'enable_offline_email_notifications'

/** Returns the messages that the reader wants emails about. */
async function wantedAmong(reader: Caller, settings: UserSettings, candidates: Candidates): Promise<Candidates> {
  const wanted = candidates.filter(({ setting }) => setting === null || settings[setting as keyof UserSettings])
  const topic_id = wanted[0]?.topic_id ?? null
  if (topic_id === null || !(await hasMutedTopic(reader, topic_id))) return wanted
  return wanted.filter(({ setting }) => setting === DIRECT)
}

async function hasMutedTopic({ db, user }: Caller, topic_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('topic')
    .innerJoin('user_topic', (join) =>
      join.onRef('user_topic.stream_id', '=', 'topic.stream_id').onRef('user_topic.topic_key', '=', 'topic.name_key'),
    )
    .select('user_topic.visibility_policy')
    .where('topic.id', '=', topic_id)
    .where('user_topic.user_id', '=', user.id)
    .executeTakeFirst()
  return row?.visibility_policy === visibility.muted
}

/**
 * Returns the link that mutes the topic of an email; undefined for direct messages. It ends all emails of this kind if the
 * topic caused it. A mention would cause another one.
 */
function topicLinkOf(chat: Chat, user_id: number, wanted: Candidates): { url: string; isCause: boolean } | undefined {
  const topic_id = wanted[0]?.topic_id ?? null
  if (topic_id === null) return undefined
  const isCause = wanted.every(({ setting }) => setting !== DIRECT)
  return { url: unsubscribeUrl(chat, { kind: 'topic', user_id, topic_id }), isCause }
}

/** Identifies a conversation in mail programs. A topic keeps it when it is renamed. Others can't compute it. */
async function threadOf({ chat, db, user }: Caller, { id }: MessageView): Promise<string> {
  const { conversation_id, topic_id } = await db
    .selectFrom('message')
    .select(['conversation_id', 'topic_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return secretsOf(chat).digest(`thread of ${user.id} in ${conversation_id} ${topic_id}`).slice(0, 24)
}

function withoutContent({ chat }: Caller, { texts }: Reader, missed: readonly MessageView[]): Letter {
  return {
    subject: texts.missed.hiddenSubject,
    parts: [
      { text: texts.missed.hiddenText(missed.length) },
      { button: texts.common.openChat, url: `${publicUrlOf(chat)}/` },
    ],
  }
}

async function withContent(reader: Caller, form: Reader, missed: readonly MessageView[]): Promise<Letter> {
  const { texts } = form
  const shown = missed.slice(0, MAX_MESSAGES)
  const more = missed.length - shown.length
  const parts: Part[] = (await withContext(reader, shown)).map((message) => excerpt(message, form))
  if (more > 0) parts.push({ text: texts.missed.more(more) })
  const { subject, path } = placeOf(reader, form, missed[0]!)
  parts.push({ button: texts.missed.open, url: publicUrlOf(reader.chat) + path })
  return { subject, parts }
}
