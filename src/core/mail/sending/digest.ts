import { type Caller, callerOf } from '../../kernel/context.ts'
import { publicUrlOf } from '../../kernel/public-url.ts'
import { escapeAttribute, escapeText } from '../../markup/html.ts'
import { narrowUrl } from '../../markup/narrow-link.ts'
import { settingsOf } from '../../settings/organization.ts'
import { settingsOfUser } from '../../settings/user.ts'
import type { Part } from '../letter.ts'
import { type Reader, readerOf } from '../reader.ts'
import { isAway } from './away.ts'
import { listHeaders } from './list-headers.ts'
import { placeOf } from './place.ts'
import { type LiveTopic, type Week, weekOf } from './week.ts'
import type { WriteLetter } from './write-letter.ts'

/** Sends a summary of the last week to people who were away for days. */
export const digestLetter: WriteLetter = async (context, { user }) => {
  if (!user?.is_active) return { pointless: 'the account is deactivated' }
  const organization = await settingsOf(context)
  const settings = await settingsOfUser(context, user.id)
  if (!organization.digest_emails_enabled || !settings.enable_digest_emails)
    return { pointless: 'weekly emails were switched off' }
  if (!(await isAway(context, user))) return { pointless: 'the person has been there since' }
  const caller = callerOf(context.chat, user, { client: 'email' })
  const week = await weekOf(caller)
  const { unread, messages, channels } = week
  if (unread === 0 && messages === 0 && channels.length === 0) return { pointless: 'nothing happened' }
  const showsContent =
    organization.message_content_allowed_in_email_notifications && settings.message_content_in_email_notifications
  const reader = await readerOf(context, user)
  const { digest, common } = reader.texts
  const parts: Part[] = [
    { text: common.hello(user.full_name) },
    { text: digest.text(organization.name) },
    ...(unread > 0 ? [{ text: digest.unread(unread) }] : []),
    ...(messages > 0 ? [{ text: digest.messages(messages) }] : []),
    ...(showsContent ? names(caller, reader, week) : []),
    { button: common.openChat, url: `${publicUrlOf(context.chat)}/` },
  ]
  // Without names, a new channel is nothing to tell.
  if (!showsContent && unread === 0 && messages === 0) return { pointless: 'nothing happened' }
  const list = listHeaders(context.chat, { user_id: user.id, kind: 'digest', organization: organization.name })
  return {
    to: user,
    reader,
    subject: digest.subject(organization.name),
    parts,
    footer: [{ text: digest.footer(organization.name) }, { link: common.stop, url: list.stop }],
    headers: list.headers,
  }
}

/** The parts with names of topics, people and channels. */
function names(caller: Caller, reader: Reader, { topics, channels }: Week): Part[] {
  const { digest } = reader.texts
  const base = publicUrlOf(caller.chat)
  return [
    ...(topics.length > 0
      ? [{ heading: digest.topics }, ...topics.map((topic) => topicPart(caller, reader, topic))]
      : []),
    ...(channels.length > 0 ? [{ heading: digest.channels }] : []),
    ...channels.map((channel) => linked(`#${channel.name}`, base + narrowUrl(channel))),
  ]
}

function topicPart(caller: Caller, reader: Reader, { count, newest }: LiveTopic): Part {
  const { digest, common } = reader.texts
  const people = newest.map(({ sender_full_name }) => sender_full_name).join(common.comma)
  const { subject, path } = placeOf(caller, reader, newest[0]!)
  return linked(subject, publicUrlOf(caller.chat) + path, digest.topic(count, people))
}

/** A name with its link, and a line about it. */
const linked = (name: string, url: string, about = ''): Part => ({
  plain: [name, about, url]
    .filter(Boolean)
    .map((line, i) => (i === 0 ? line : `  ${line}`))
    .join('\n'),
  html: `<p style="margin:0 0 12px"><a href="${escapeAttribute(url)}" style="color:inherit"><bdi>${escapeText(name)}</bdi></a>${about && `<br>${escapeText(about)}`}</p>`,
})
