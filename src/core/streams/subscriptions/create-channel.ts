import * as v from 'valibot'
import { fold } from '../../../storage/index.ts'
import { action } from '../../kernel/action.ts'
import { described, ids } from '../../kernel/fields.ts'
import { id } from '../../shapes/values.ts'
import { streamDescription, streamName } from '../create.ts'
import { joinStreams, sayNew } from './join-streams.ts'
import { requireFewPairs, resolvePrincipals } from './principals.ts'
import { newStreamParams } from './subscribe-params.ts'

/**
 * POST /channels/create: creates one stream. The creator is subscribed only if listed, and nobody gets a direct
 * message.
 *
 * @throws CHANNEL_ALREADY_EXISTS
 * @throws SILENCED while a moderator has silenced the caller
 * @throws UNAUTHORIZED_PRINCIPAL for an unknown subscriber, and for what only owners or administrators choose
 * @throws BAD_REQUEST without the permission to create such a stream, and for contradictory properties
 * @example
 * const { id } = await createChannel(caller, { name: 'verona', subscribers: [caller.user.id] })
 */
export const createChannel = action(
  {
    name: 'createChannel',
    summary: 'Create a channel',
    audit: {
      subject: 'channel',
      // The new channel has a row of its own.
      when: ({ subscribers }) => subscribers.length > 0,
      details: ({ name, subscribers }) => ({ channels: [name], subscribed: subscribers }),
    },
    params: v.object({
      name: described(streamName, 'Name of the channel.'),
      subscribers: described(ids, 'IDs of its initial subscribers.'),
      description: described(v.nullish(streamDescription), 'Description, at most 1,024 characters.'),
      ...newStreamParams,
    }),
    result: v.strictObject({ id }),
    role: 'member',
    idempotencyKey: 'one write',
    errors: ['CHANNEL_ALREADY_EXISTS', 'UNAUTHORIZED_PRINCIPAL', 'SILENCED'],
  },
  async (caller, { name, description, subscribers, ...properties }) => {
    const users = subscribers.length === 0 ? [] : await resolvePrincipals(caller, subscribers)
    const requested = { ...properties, subscriptions: [{ name, description }], authorization_errors_fatal: true }
    requireFewPairs(requested.subscriptions, users)
    return caller.write(async (tx) => {
      const joining = await joinStreams(tx, requested, users, { allNew: true })
      if (users.length > 0) await sayNew(tx, joining)
      return { id: joining.created.get(fold(name))!.id }
    })
  },
)
