import type { Selectable } from 'kysely'
import * as v from 'valibot'
import type { ChannelAddressTable } from '../../../storage/index.ts'
import { action } from '../../kernel/action.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { randomText } from '../../kernel/base/random.ts'
import type { Chat } from '../../kernel/chat.ts'
import type { Caller, Context, Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { bool, described, id } from '../../kernel/fields.ts'
import { findUser, type User } from '../../kernel/user.ts'
import { requirePosting } from '../../messages/send/recipient.ts'
import { empty } from '../../shapes/values.ts'
import { accessManagedStream, accessStream } from '../../streams/access.ts'
import { mailBot } from '../../users/system-bot.ts'
import { addressWith, decoration, digestOf, receivesMail, tokenFrom } from '../incoming-address.ts'

export type ChannelAddress = Selectable<ChannelAddressTable>

const stream_id = described(id, 'ID of the channel.')

/**
 * GET /streams/{stream_id}/email_address: returns an address whose email is posted in the channel. Each person has addresses of
 * their own, which stay the same until they are revoked.
 *
 * @throws BAD_REQUEST "Invalid stream ID" for a stream the caller may not know of; without the permission to post there; and if
 * the server receives no email
 * @throws BAD_REQUEST "Invalid sender ID" for a sender other than the caller, a bot of theirs and the Email Gateway bot
 * @example
 * const { email } = await getStreamEmail(ann, { stream_id })
 */
export const getStreamEmail = action(
  {
    name: 'getStreamEmail',
    summary: "Get a channel's email address",
    params: v.object({
      stream_id,
      sender_id: described(
        v.nullish(id),
        'The account that posts the email: the caller, a bot that they own, or the Email Gateway bot, which is the default.',
      ),
    }),
    result: v.strictObject({ email: v.string() }),
    secret: true,
  },
  async (caller, { stream_id, sender_id }) => {
    const stream = await accessStream(caller, stream_id)
    await requirePosting(caller, stream)
    if (!receivesMail(caller.chat))
      throw badRequest("This server doesn't receive email, so its channels have no email addresses.")
    const sender = sender_id == null ? await mailBot.get(caller) : await findUser(caller.db, sender_id)
    if (!sender || !(await maySendAs(caller, caller.user, sender))) throw badRequest('Invalid sender ID')
    const place = { stream_id, user_id: caller.user.id, sender_id: sender.id }
    // Most requests only read.
    const row = (await find(caller, place)) ?? (await caller.write((tx) => store(tx, place)))
    const token = tokenOf(caller.chat, row)
    return { email: addressWith(caller.chat, `${decoration(caller.chat, stream.name, token)}${token}`) }
  },
)

/**
 * DELETE /streams/{stream_id}/email_address: revokes the caller's addresses of a channel. A new request returns new ones.
 *
 * @throws BAD_REQUEST "Invalid stream ID"
 * @throws CANNOT_ADMINISTER_CHANNEL with `everyone`, unless the caller administers the channel
 * @example
 * await revokeStreamEmail(ann, { stream_id })
 */
export const revokeStreamEmail = action(
  {
    name: 'revokeStreamEmail',
    summary: "Revoke a channel's email addresses",
    audit: { subject: 'channel', id: ({ stream_id }) => stream_id, details: () => ({ email_address: 'revoked' }) },
    params: v.object({
      stream_id,
      everyone: described(
        v.nullish(bool),
        'Whether to revoke the addresses of all people, which channel administrators can.',
      ),
    }),
    result: empty,
    errors: ['CANNOT_ADMINISTER_CHANNEL'],
  },
  (caller, { stream_id, everyone }) =>
    caller.write(async (tx) => {
      if (everyone) await accessManagedStream(tx, stream_id)
      else await accessStream(tx, stream_id)
      let query = tx.db.deleteFrom('channel_address').where('stream_id', '=', stream_id)
      if (!everyone) query = query.where('user_id', '=', tx.user.id)
      await query.execute()
      return {}
    }),
)

/** Returns whether email to a person's address may be posted by this account. Bots may have got another owner. */
export const maySendAs = async (context: Context, owner: User, sender: User): Promise<boolean> =>
  sender.is_active === 1 &&
  (sender.id === owner.id ||
    sender.id === (await mailBot.get(context)).id ||
    (sender.bot_type !== null && sender.bot_owner_id === owner.id))

type Place = Pick<ChannelAddress, 'stream_id' | 'user_id' | 'sender_id'>

const find = ({ db }: Pick<Caller, 'db'>, { stream_id, user_id, sender_id }: Place) =>
  db
    .selectFrom('channel_address')
    .selectAll()
    .where('stream_id', '=', stream_id)
    .where('user_id', '=', user_id)
    .where('sender_id', '=', sender_id)
    .executeTakeFirst()

async function store(tx: Tx, place: Place): Promise<ChannelAddress> {
  const { chat, db } = tx
  const nonce = randomText(chat.random, 24)
  const row = { ...place, nonce, created_at: seconds(chat.clock) }
  const made = await db
    .insertInto('channel_address')
    .values({ ...row, digest: digestOf(chat, tokenOf(chat, row)) })
    .onConflict((oc) => oc.columns(['stream_id', 'user_id', 'sender_id']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return made ?? (await find(tx, place))!
}

const tokenOf = (chat: Chat, { nonce }: Pick<ChannelAddress, 'nonce'>): string =>
  tokenFrom(chat, `email to channel ${nonce}`)
