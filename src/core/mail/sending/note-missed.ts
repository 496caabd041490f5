import { seconds } from '../../kernel/base/clock.ts'
import type { SystemTx } from '../../kernel/context.ts'
import type { Following } from '../../push/note-messages.ts'
import { settingsOfUser } from '../../settings/user.ts'
import { systemBot, welcomeBot } from '../../users/system-bot.ts'
import { enqueueMail } from '../outbox.ts'

const DAY = 86_400

/** Messages that people get emails about, if they don't read them. Like notifications, without the rules of devices. */
export const ofMail: Following = {
  table: 'user',
  direct: 'enable_offline_email_notifications',
  followed: 'enable_followed_topic_email_notifications',
  stream: 'enable_stream_email_notifications',
  chosen: 'email_notifications',
  from: async () => 0,
  progress: 'mail_progress',
  async store(tx, user_id, { message_id }, { message, setting = null }) {
    const { conversation_id, topic_id, sender_id } = message
    // A notice about an email that failed must not cause another email.
    if (sender_id === (await systemBot.get(tx)).id || sender_id === (await welcomeBot.get(tx)).id) return
    const known = await tx.db
      .selectFrom('mail_candidate')
      .select('id')
      .where('user_id', '=', user_id)
      .where('message_id', '=', message_id)
      .executeTakeFirst()
    // A mention in a followed topic is one message.
    if (known) return
    const waiting = await waitingFor(tx, user_id, conversation_id, topic_id)
    const mail_id = waiting ?? (await begin(tx, user_id, message_id))
    if (mail_id === undefined) return
    await tx.db
      .insertInto('mail_candidate')
      .values({ mail_id, user_id, message_id, conversation_id, topic_id, setting })
      .execute()
  },
}

/** Returns the email about a conversation that was not sent yet. Later messages join it. */
async function waitingFor({ db }: SystemTx, user_id: number, conversation_id: number, topic_id: number | null) {
  const row = await db
    .selectFrom('mail')
    .innerJoin('mail_candidate', 'mail_candidate.mail_id', 'mail.id')
    .select('mail.id')
    .where('mail.user_id', '=', user_id)
    .where('mail.state', '=', 'queued')
    .where('mail_candidate.conversation_id', '=', conversation_id)
    .where('mail_candidate.topic_id', topic_id === null ? 'is' : '=', topic_id)
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Starts the wait for an email with its first message. */
async function begin(tx: SystemTx, user_id: number, message_id: number): Promise<number | undefined> {
  const { email_notifications_batching_period_seconds: after } = await settingsOfUser(tx, user_id)
  return enqueueMail(tx, { kind: 'missed', once: `missed ${user_id} ${message_id}`, user_id, after })
}

/** Skips the messages from before the server began to send email, or from a day in which it sent none. */
export async function startNoting({ db, chat }: SystemTx): Promise<void> {
  const progress = await db.selectFrom('mail_progress').select('message_id').executeTakeFirst()
  if (progress) {
    const next = await db
      .selectFrom('message')
      .select('sent_at')
      .where('id', '>', progress.message_id)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!next || next.sent_at > seconds(chat.clock) - DAY) return
  }
  const newest = await db.selectFrom('message').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  await db.deleteFrom('mail_progress').execute()
  await db
    .insertInto('mail_progress')
    .values({ message_id: newest?.id ?? 0 })
    .execute()
}
