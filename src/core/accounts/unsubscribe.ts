import { isSet } from '../../storage/index.ts'
import { type Context, onBehalfOf, type Tx } from '../kernel/context.ts'
import { accountDeactivated, ChatError } from '../kernel/errors.ts'
import { findUser, type User } from '../kernel/user.ts'
import { linkOfToken, type subscriptions, type Unsubscribing } from '../mail/unsubscribe-link.ts'
import type { UserSettingName } from '../settings/user.ts'
import { accessStream } from '../streams/access.ts'
import { updateProperties } from '../streams/subscriptions/properties.ts'
import { setVisibility, visibility } from '../streams/user-topics.ts'
import { setSetting } from './set-setting.ts'

const settings = {
  missed_messages: [
    'enable_offline_email_notifications',
    'enable_followed_topic_email_notifications',
    'enable_stream_email_notifications',
  ],
  digest: ['enable_digest_emails'],
} as const satisfies Readonly<Record<string, readonly UserSettingName[]>>

interface UnsubscribeLink {
  kind: (typeof subscriptions)[number]
  token: string
}

const badLink = () => new ChatError('BAD_EMAIL_LINK', 'This link is not valid')

/** Returns the account of an unsubscribe link, and what the link ends. Throws BAD_EMAIL_LINK, USER_DEACTIVATED. */
export async function subscriberOf(
  { chat, db }: Pick<Context, 'chat' | 'db'>,
  { kind, token }: UnsubscribeLink,
): Promise<{ user: User; link: Unsubscribing }> {
  const link = linkOfToken(chat, token, kind)
  const user = link && (await findUser(db, link.user_id))
  if (!user) throw badLink()
  if (!user.is_active) throw accountDeactivated()
  return { user, link }
}

/**
 * Switches off the emails of a link; for missed messages, in all streams too. A topic is muted. Throws like `subscriberOf`,
 * and for a topic that the account can't see anymore.
 */
export const unsubscribe = (visitor: Context, given: UnsubscribeLink): Promise<void> =>
  visitor.write(async (start) => {
    const { user, link } = await subscriberOf(start, given)
    const tx = onBehalfOf(start, user)
    if (link.kind === 'topic') return void (await stopTopic(tx, link.topic_id))
    for (const name of settings[link.kind]) await setSetting(tx, name, false, 'own')
    if (link.kind !== 'missed_messages') return
    const streams = await tx.db
      .selectFrom('subscription')
      .select('stream_id')
      .where('user_id', '=', tx.user.id)
      .where('is_active', '=', isSet)
      .where('email_notifications', '=', isSet)
      .execute()
    const subscription_data = streams.map(({ stream_id }) => ({
      stream_id,
      property: 'email_notifications',
      value: false,
    }))
    if (subscription_data.length > 0) await updateProperties(tx, { subscription_data })
  })

async function stopTopic(tx: Tx, topic_id: number): Promise<void> {
  const topic = await tx.db
    .selectFrom('topic')
    .select(['stream_id', 'name'])
    .where('id', '=', topic_id)
    .executeTakeFirst()
  if (!topic) throw badLink()
  await setVisibility(tx, await accessStream(tx, topic.stream_id), topic.name, visibility.muted)
}
