import { seconds } from '../../kernel/base/clock.ts'
import { type Context, onBehalfOf, organizationIsOpen } from '../../kernel/context.ts'
import { isChatError } from '../../kernel/errors.ts'
import { findUser, type User } from '../../kernel/user.ts'
import { requirePosting } from '../../messages/send/recipient.ts'
import { accessStream } from '../../streams/access.ts'
import { bouncedMail } from '../bounce-address.ts'
import { digestOf, readAddress } from '../incoming-address.ts'
import type { MailRow } from '../outbox.ts'
import type { ReplyAddress } from '../reply-address.ts'
import { type ChannelAddress, maySendAs } from './channel-address.ts'
import { MailRefused } from './refused.ts'

/** Where email to an address goes: to the conversation of a message, or to a channel. */
export type Target = {
  address: string
  /** Names the address in `mail_received`. */
  key: string
  /** Whose address it is. This account is notified of failures. */
  owner: User
  /** Who posts. */
  sender: User
  options: ReadonlySet<string>
} & ({ kind: 'reply'; reply: ReplyAddress } | { kind: 'channel'; channel: ChannelAddress })

/** Where an email of this server comes back to. */
export interface BounceTarget {
  kind: 'bounce'
  /** Names the address in `mail_received`. */
  key: string
  mail: MailRow
}

const unknown = () => new MailRefused(550, '5.1.1', 'Unknown recipient')
const closed = (reason: string) => new MailRefused(550, '5.7.1', reason)

/** Like `findTarget`, also for the addresses to which emails of this server come back. */
export async function findArrival(context: Context, address: string): Promise<Target | BounceTarget> {
  const read = readAddress(address)
  if (read?.kind !== 'bounce') return findTarget(context, address)
  const mail = await bouncedMail(context, read)
  if (!mail) throw unknown()
  return { kind: 'bounce', key: digestOf(context.chat, read.token), mail }
}

/**
 * Returns where email to an address goes at this moment.
 *
 * @throws MailRefused if the address is unknown, has ended or was revoked; and if its owner may not post anymore
 */
export async function findTarget(context: Context, address: string): Promise<Target> {
  const read = readAddress(address)
  if (!read || read.kind === 'bounce') throw unknown()
  if (!(await organizationIsOpen.get(context))) throw closed('This organization is deactivated')
  const rest = { address, options: read.options }
  const digest = digestOf(context.chat, read.token)
  return read.kind === 'reply' ? replyTarget(context, digest, rest) : channelTarget(context, digest, rest)
}

type Rest = Pick<Target, 'address' | 'options'>

async function replyTarget(context: Context, digest: string, rest: Rest): Promise<Target> {
  const reply = await context.db
    .selectFrom('reply_address')
    .selectAll()
    .where('digest', '=', digest)
    .where('expires_at', '>', seconds(context.chat.clock))
    .executeTakeFirst()
  const owner = reply && (await findUser(context.db, reply.user_id))
  if (!reply || !owner) throw unknown()
  if (!owner.is_active) throw closed('This account is deactivated')
  return { kind: 'reply', key: reply.digest, owner, sender: owner, ...rest, reply }
}

async function channelTarget(context: Context, digest: string, rest: Rest): Promise<Target> {
  const channel = await context.db
    .selectFrom('channel_address')
    .selectAll()
    .where('digest', '=', digest)
    .executeTakeFirst()
  const owner = channel && (await findUser(context.db, channel.user_id))
  const sender = channel && (await findUser(context.db, channel.sender_id))
  if (!channel || !owner || !sender) throw unknown()
  if (!owner.is_active || !(await maySendAs(context, owner, sender))) throw closed('This account is deactivated')
  try {
    const caller = onBehalfOf(context, owner)
    await requirePosting(caller, await accessStream(caller, channel.stream_id))
  } catch (error) {
    throw isChatError(error) ? closed('This address can no longer post in its channel') : error
  }
  return { kind: 'channel', key: channel.digest, owner, sender, ...rest, channel }
}
