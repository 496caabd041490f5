import type { Selectable } from 'kysely'
import type { MailCandidateTable } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { type Caller, type Context, callerOf } from '../../kernel/context.ts'
import { publicUrlOf } from '../../kernel/public-url.ts'
import { secretsOf } from '../../kernel/secrets.ts'
import { unreadMessages } from '../../push/deliver.ts'
import { presentUntil } from '../../push/note-messages.ts'
import { settingsOf } from '../../settings/organization.ts'
import { settingsOfUser, type UserSettings } from '../../settings/user.ts'
import type { MessageView } from '../../shapes/message.ts'
import type { Letter, Part } from '../letter.ts'
import { type Reader, readerOf } from '../reader.ts'
import { replyAddressFor } from '../reply-address.ts'
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
  const missed = await unreadAmong(reader, settings, await candidatesOf(context, id))
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
  const list = listHeaders(context.chat, {
    user_id: user.id,
    kind: 'missed_messages',
    organization: organization.name,
  })
  const newest = { user_id: user.id, message_id: missed.at(-1)!.id }
  const replyTo = await replyAddressFor(context, { message_id }, newest)
  return {
    ...letter,
    to: user,
    reader: form,
    subject: named ? `${letter.subject} [${organization.name}]` : letter.subject,
    footer: [
      { text: replyTo === undefined ? texts.footer(organization.name) : texts.footerReply(organization.name) },
      { link: common.stop, url: list.stop },
    ],
    headers: {
      ...(replyTo !== undefined && { 'reply-to': replyTo }),
      'in-reply-to': thread,
      references: thread,
      ...list.headers,
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

/** Returns the messages that the reader may still read, has not read, and wants emails about. */
async function unreadAmong(
  reader: Caller,
  settings: UserSettings,
  candidates: readonly Selectable<MailCandidateTable>[],
): Promise<MessageView[]> {
  const wanted = candidates.filter(({ setting }) => setting === null || settings[setting as keyof UserSettings])
  return unreadMessages(
    reader,
    wanted.map(({ message_id }) => message_id),
  )
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
