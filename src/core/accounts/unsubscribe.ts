import { isSet } from '../../storage/index.ts'
import { type Context, onBehalfOf } from '../kernel/context.ts'
import { accountDeactivated, ChatError } from '../kernel/errors.ts'
import { findUser, type User } from '../kernel/user.ts'
import { type Subscription, userOfToken } from '../mail/unsubscribe-link.ts'
import type { UserSettingName } from '../settings/user.ts'
import { updateProperties } from '../streams/subscriptions/properties.ts'
import { setSetting } from './set-setting.ts'

const settings = {
  missed_messages: [
    'enable_offline_email_notifications',
    'enable_followed_topic_email_notifications',
    'enable_stream_email_notifications',
  ],
  digest: ['enable_digest_emails'],
} as const satisfies Record<Subscription, readonly UserSettingName[]>

interface UnsubscribeLink {
  kind: Subscription
  token: string
}

/** Returns the account of an unsubscribe link. Throws BAD_EMAIL_LINK, USER_DEACTIVATED. */
export async function subscriberOf(
  { chat, db }: Pick<Context, 'chat' | 'db'>,
  { kind, token }: UnsubscribeLink,
): Promise<User> {
  const id = userOfToken(chat, token, kind)
  const user = id === undefined ? undefined : await findUser(db, id)
  if (!user) throw new ChatError('BAD_EMAIL_LINK', 'This link is not valid')
  if (!user.is_active) throw accountDeactivated()
  return user
}

/** Switches off the emails of a link; for missed messages, in all streams too. Throws like `subscriberOf`. */
export const unsubscribe = (visitor: Context, link: UnsubscribeLink): Promise<void> =>
  visitor.write(async (start) => {
    const tx = onBehalfOf(start, await subscriberOf(start, link))
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
