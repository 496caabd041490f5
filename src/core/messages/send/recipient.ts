import * as v from 'valibot'
import { after, type Soon } from '../../../storage/index.ts'
import { unknownAmong } from '../../access/user-visibility.ts'
import { lengthOf, MAX_DIRECT_PARTICIPANTS, MAX_TOPIC_LENGTH } from '../../kernel/base/limits.ts'
import { storedTopicName } from '../../kernel/base/topic-name.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { id, text } from '../../kernel/fields.ts'
import { requireChannel } from '../../kernel/scopes.ts'
import type { User } from '../../kernel/user.ts'
import { type AccessedStream, canReadStream, noStreamNamed, noStreamWithId, type Stream } from '../../streams/access.ts'
import { allowsInStream } from '../../streams/settings.ts'
import { findStreamToSendTo } from '../../streams/stored.ts'
import { requireAdmittedTopic } from '../../streams/topics-policy.ts'
import { findUsers } from '../../users/access.ts'
import { findUserByAddress } from '../../users/email.ts'
import { conversationFor } from './conversations.ts'
import { requireDirectPermission, requireInitiating } from './direct-permission.ts'
import { hasMessages } from './topics.ts'

export const to = v.union([v.array(v.union([id, text])), id, text])

/** Each type has an older and a newer name in the API. */
export const messageType = v.picklist(['stream', 'channel', 'direct', 'private'], 'Invalid type')

/** `to` as clients send it: a name, an id, or a list of ids, names or email addresses. */
export type To = string | number | readonly (string | number)[]

/** The destination of a message. */
export type Recipient =
  | { kind: 'stream'; conversation_id: number; stream: AccessedStream; topic: string }
  | { kind: 'direct'; conversation_id: number; people: readonly User[] }

/** Returns the stream that `to` names, if the caller may post in it. */
function resolveStream(caller: Caller, to: To): Soon<AccessedStream> {
  const which = typeof to === 'object' ? to[0] : to
  if (typeof to === 'object' && to.length !== 1) throw badRequest('Expected exactly one stream')
  return after(findStreamToSendTo(caller, which!), (stream) => {
    // A private stream without the caller's subscription gets the same error as one that doesn't exist.
    if (!stream || !canReadStream(stream, caller.user)) {
      throw typeof which === 'number' ? noStreamWithId(which) : noStreamNamed(which!)
    }
    return stream
  })
}

/** Throws unless the caller may post in this stream. */
export function requirePosting(caller: Caller, stream: AccessedStream): Soon<void> {
  if (caller.user.is_system_bot) return
  return after(allowsInStream(caller, stream, 'can_send_message_group'), (isAllowed) => {
    if (!isAllowed) throw badRequest('You do not have permission to post in this stream.')
  })
}

/**
 * Throws where the topic has no messages and the caller may not begin one. Whether it has some reveals nothing: where readers
 * do not see all topics, everyone may begin them.
 */
export function requireTopicCreation(caller: Caller, stream: Stream, topic: string): Soon<void> {
  if (caller.user.is_system_bot) return
  return after(allowsInStream(caller, stream, 'can_create_topic_group'), (isAllowed) =>
    isAllowed ? undefined : requireMessages(caller, stream, topic),
  )
}

async function requireMessages(caller: Caller, stream: Stream, topic: string): Promise<void> {
  if (await hasMessages(caller, stream.id, topic)) return
  throw badRequest('You do not have permission to create new topics in this channel.')
}

/** Returns a topic's name as it is stored. Throws if it is missing, too long or has control characters. */
export function resolveTopic(topic: string | null | undefined): string {
  if (topic === null || topic === undefined) throw badRequest('Missing topic')
  const name = topic.trim()
  if (/[\p{Cc}\p{Cs}\p{Cn}]/u.test(name)) throw badRequest('Invalid character in topic')
  if (lengthOf(name) > MAX_TOPIC_LENGTH) {
    throw badRequest(`Topic is too long: at most ${MAX_TOPIC_LENGTH} characters`)
  }
  return storedTopicName(name)
}

/** Returns the users that `to` names, and the caller. Throws for an unknown or deactivated one. */
export async function resolvePeople(caller: Caller, to: To): Promise<User[]> {
  const requested = typeof to === 'object' ? to : typeof to === 'string' ? to.split(',').map((who) => who.trim()) : [to]
  const named = requested.filter((who) => who !== '')
  if (named.length === 0) throw badRequest('Message must have recipients')
  const byId = await findUsers(
    caller,
    named.filter((who) => typeof who === 'number'),
  )
  const people = new Map<number, User>([[caller.user.id, caller.user]])
  for (const who of named) {
    const user = typeof who === 'number' ? byId.get(who) : await findUserByAddress(caller, who)
    if (!user) throw badRequest(typeof who === 'number' ? `Invalid user ID ${who}` : `Invalid email '${who}'`)
    if (!user.is_active) throw badRequest(`'${user.email}' is deactivated and receives no messages.`)
    people.set(user.id, user)
  }
  if (people.size > MAX_DIRECT_PARTICIPANTS) {
    throw badRequest(`Too many recipients: at most ${MAX_DIRECT_PARTICIPANTS} people in a direct conversation`)
  }
  if ((await unknownAmong(caller, people.keys())).size > 0) {
    throw badRequest('You do not have permission to access some of the recipients.')
  }
  await requireDirectPermission(caller, [...people.values()])
  return [...people.values()].sort((a, b) => a.id - b.id)
}

interface Requested {
  type: v.InferOutput<typeof messageType>
  to: To
  topic: string | null | undefined
}

/** Returns the recipient of a message. Throws unless the writer may send there. */
export async function resolveRecipient(tx: Tx, { type, to, topic }: Requested): Promise<Recipient> {
  if (type === 'stream' || type === 'channel') {
    const name = resolveTopic(topic)
    const finding = resolveStream(tx, to)
    const stream = finding instanceof Promise ? await finding : finding
    if (tx.grant) requireChannel(tx.grant, stream.id)
    for (const require of [requirePosting, requireAdmittedTopic, requireTopicCreation]) {
      const checking = require(tx, stream, name)
      if (checking) await checking
    }
    return { kind: 'stream', conversation_id: stream.id, stream, topic: name }
  }
  if (tx.grant) requireChannel(tx.grant, undefined)
  const people = await resolvePeople(tx, to)
  const conversation_id = await conversationFor(tx, people)
  await requireInitiating(tx, people, conversation_id)
  return { kind: 'direct', conversation_id, people }
}
