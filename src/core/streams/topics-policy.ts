import * as v from 'valibot'
import { after, type Soon } from '../../storage/index.ts'
import { requirePermission } from '../access/permissions.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../kernel/base/limits.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { ChatError } from '../kernel/errors.ts'
import { quoted } from '../kernel/fields.ts'
import { settingsOf } from '../settings/organization.ts'
import { topicsPolicies } from '../shapes/stream.ts'
import type { Stream } from './access.ts'

/** @NOTE clients send it in quotes where they create a stream, and plain where they change one */
export const topicsPolicy = v.pipe(quoted, v.picklist(topicsPolicies, 'Invalid {name}'))
export type TopicsPolicy = (typeof topicsPolicies)[number]

const refused = (message: string) =>
  new ChatError('BAD_REQUEST', message, { empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME })

/** The only place that decides which topics a stream admits. Throws for a topic that it does not. */
export function requireAdmittedTopic(caller: Caller, stream: Stream, topic: string): Soon<void> {
  const { topics_policy: own } = stream
  if (topic !== '') {
    if (own === 'empty_topic_only') throw refused('Only the general chat topic is allowed in this channel.')
    return
  }
  return after(settingsOf(caller), (settings) => {
    const policy = own === 'inherit' ? settings.topics_policy : own
    if (policy !== 'disable_empty_topic') return
    throw refused('Sending messages to the general chat is not allowed in this channel.')
  })
}

/** The topic of this name, or general chat in a stream that has only that: the server's own notices are sent there too. */
export const admittedTopic = ({ topics_policy }: Pick<Stream, 'topics_policy'>, topic: string): string =>
  topics_policy === 'empty_topic_only' ? '' : topic

/** Throws unless the caller, who administers the stream, may choose this policy. */
export async function requireChoosing(caller: Caller, policy: TopicsPolicy): Promise<void> {
  if (policy !== 'inherit') await requirePermission(caller, 'can_set_topics_policy_group')
}

/** Throws where there are messages in named topics. */
export async function requireOnlyGeneralChat({ db }: Tx, stream_id: number): Promise<void> {
  const named = await db
    .selectFrom('topic')
    .select('id')
    .where('stream_id', '=', stream_id)
    .where('name_key', '!=', '')
    .where((eb) =>
      eb.exists(eb.selectFrom('message').select('message.id').whereRef('message.topic_id', '=', 'topic.id')),
    )
    .limit(1)
    .executeTakeFirst()
  if (!named) return
  throw refused(
    'To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming or deleting other topics.',
  )
}
