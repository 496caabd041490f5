import * as v from 'valibot'
import { participantsOf } from '../access/messages.ts'
import { action, requireRole } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import { MAX_REPORT_LENGTH } from '../kernel/base/limits.ts'
import { type Caller, inSnapshot, onBehalfOf, type Tx } from '../kernel/context.ts'
import { badRequest, ChatError } from '../kernel/errors.ts'
import { bool, described, id, integer, maxCharacters, text } from '../kernel/fields.ts'
import { isBot } from '../kernel/roles.ts'
import type { User } from '../kernel/user.ts'
import { cut } from '../messages/notices/quoted-message.ts'
import { quoted } from '../messages/notices/words.ts'
import { postMessage, sendPrepared } from '../messages/send/post-message.ts'
import { type Prepared, prepare, withWidget } from '../messages/send/prepare.ts'
import { type Recipient, resolveRecipient } from '../messages/send/recipient.ts'
import { noteSent } from '../messages/send/send-receipts.ts'
import { emitHeld, type HeldMessage, heldView, waitingRows } from '../review/held-rows.ts'
import { trust } from '../review/newcomers.ts'
import { heldMessageShape } from '../shapes/held-message.ts'
import { asSystemBot } from '../users/system-bot.ts'
import { accessModerated } from './rights.ts'

const PAGE = 50

/**
 * GET /held_messages: lists messages that wait for a moderator's approval, oldest first: other people's, or the caller's own.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for other people's messages, unless the caller is a moderator
 */
export const listHeldMessages = action(
  {
    name: 'listHeldMessages',
    summary: 'List messages that wait for approval',
    params: v.object({
      own: described(v.nullish(bool, false), "Whether to list the caller's own messages."),
      after: described(v.nullish(id), 'Only messages after this one: `next` of the previous page.'),
    }),
    result: v.strictObject({
      /** At most 50. */
      held_messages: v.array(heldMessageShape),
      /** The `after` of the next page; null on the last. */
      next: v.nullable(integer),
      /** How many wait. */
      count: integer,
    }),
    errors: ['UNAUTHORIZED_PRINCIPAL'],
  },
  (caller, { own, after }) =>
    inSnapshot(caller, async (reader) => {
      if (!own) requireRole(reader, 'moderator')
      const waiting = own ? waitingRows(reader.db).where('user_id', '=', reader.user.id) : ofOthers(reader)
      const found = await waiting
        .where('id', '>', after ?? 0)
        .orderBy('id')
        .limit(PAGE + 1)
        .execute()
      const { count } = await waiting
        .clearSelect()
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      const shown = found.slice(0, PAGE)
      return {
        // What the filters look for is for moderators only.
        held_messages: await Promise.all(shown.map((row) => heldView(reader, own ? { ...row, matched: '' } : row))),
        next: found.length > PAGE ? shown.at(-1)!.id : null,
        count: Number(count),
      }
    }),
)

/** A bot counts as its owner. */
function ofOthers({ db, user }: Pick<Caller, 'db' | 'user'>) {
  const own = user.bot_owner_id ?? user.id
  return waitingRows(db).where('user_id', 'not in', (eb) =>
    eb
      .selectFrom('user')
      .select('user.id')
      .where((or) => or.or([or('user.id', '=', own), or('user.bot_owner_id', '=', own)])),
  )
}

const decisions = ['approve', 'trust', 'reject'] as const

/**
 * PATCH /held_messages/{held_message_id}: sends a held message in its author's name, or rejects it. Repeating a decision changes
 * nothing. The author reads the rejected text, and why, in a direct message.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller may moderate the author
 * @throws STREAM_DOES_NOT_EXIST if the author can no longer see the channel
 * @throws BAD_REQUEST "No such held message"; with status 409 if another moderator decided otherwise; and like `sendMessage` if
 * the author may no longer send it
 * @example
 * const { message_id } = await decideHeldMessage(admin, { held_message_id: 3, decision: 'trust' })
 */
export const decideHeldMessage = action(
  {
    name: 'decideHeldMessage',
    summary: 'Approve or reject a held message',
    audit: {
      subject: 'held_message',
      id: ({ held_message_id }) => held_message_id,
      details: ({ decision, reason }) => ({ decision, ...(reason && { reason }) }),
    },
    params: v.object({
      held_message_id: described(id, 'ID of the held message.'),
      decision: described(
        v.picklist(decisions, 'Invalid {name}'),
        '`approve` sends the message. `trust` sends it, and the later messages of its author without approval. `reject` drops it.',
      ),
      reason: described(
        v.nullish(v.pipe(text, v.trim(), maxCharacters(MAX_REPORT_LENGTH)), ''),
        'Why it is rejected: the author reads it. At most 1,000 characters.',
      ),
    }),
    result: v.strictObject({
      /** The message that was sent; null for a rejected one. */
      message_id: v.nullable(id),
    }),
    role: 'moderator',
    errors: ['STREAM_DOES_NOT_EXIST'],
  },
  async (caller, { held_message_id, decision, reason }) => {
    // Rendering must not happen inside the write. The write looks again.
    const before = await accessHeld(caller, held_message_id)
    const { author, held } = before
    const rejects = decision === 'reject'
    const prepared = rejects || held.state !== 'waiting' ? undefined : await preparedOf(caller, author, held)
    const notice = rejects && held.state === 'waiting' ? await rejection(caller, held, reason ?? '') : undefined
    return caller.write(async (tx) => {
      const { author, held } = await accessHeld(tx, held_message_id)
      if (held.state !== 'waiting') return repeatedDecision(held, rejects)
      const sent = rejects ? null : await send(tx, author, held, prepared!)
      if (decision === 'trust') await trust(tx, author.bot_owner_id ?? author.id)
      if (notice && author.is_active && !isBot(author)) await sendPrepared(await asSystemBot(tx), [author], notice)
      await close(tx, held, sent)
      return { message_id: sent }
    })
  },
)

async function accessHeld(caller: Caller, id: number): Promise<{ held: HeldMessage; author: User }> {
  const held = await caller.db.selectFrom('held_message').selectAll().where('id', '=', id).executeTakeFirst()
  if (!held) throw badRequest('No such held message')
  return { held, author: await accessModerated(caller, held.user_id) }
}

function repeatedDecision({ state, message_id, decided_by }: HeldMessage, rejects: boolean) {
  if ((state === 'rejected') === rejects) return { message_id }
  const message =
    state === 'rejected'
      ? 'Another moderator has rejected this message.'
      : 'Another moderator has approved this message.'
  throw new ChatError('BAD_REQUEST', message, { state, decided_by }, 'conflict')
}

async function preparedOf(caller: Caller, author: User, { content, widget }: HeldMessage): Promise<Prepared> {
  const by = onBehalfOf(caller, author)
  const plain = await prepare(by, content)
  return widget === null ? plain : withWidget(by, plain, widget)
}

/** Sends the message in the commit of the decision, so that it is sent once. Checks what its author may do now. */
async function send(tx: Tx, author: User, held: HeldMessage, prepared: Prepared): Promise<number> {
  if (!author.is_active) throw badRequest('The account of the author is deactivated.')
  const by = { ...onBehalfOf(tx, author), client: held.client }
  const id = await postMessage(by, await recipientOf(by, held), prepared, {
    read_by_sender: held.read_by_sender === 1,
    review: 'approved',
  })
  const { queue_id, local_id, digest } = held
  if (queue_id !== null && local_id !== null && digest !== null) await noteSent(by, { queue_id, local_id, digest }, id)
  return id
}

async function recipientOf(by: Tx, { conversation_id, topic }: HeldMessage): Promise<Recipient> {
  if (topic !== null) return resolveRecipient(by, { type: 'stream', to: conversation_id, topic })
  return resolveRecipient(by, { type: 'private', to: await participantsOf(by.db, conversation_id), topic: null })
}

async function rejection(caller: Caller, { content }: HeldMessage, reason: string): Promise<Prepared> {
  const bot = await asSystemBot(caller)
  const first = ['A moderator has rejected your message.', ...(reason === '' ? [] : [quoted(reason)]), 'Your text was:']
  const room = caller.chat.options.limits.messageBytes - Buffer.byteLength(first.join('\n\n'))
  // Half of it: long runs of backticks make the fences longer, too.
  return prepare(bot, [...first, quoted(cut(content, room / 2))].join('\n\n'))
}

/** Keeps the decision for a while, without the text, for moderators who decide at the same time and for repeated requests. */
async function close(tx: Tx, held: HeldMessage, message_id: number | null): Promise<void> {
  const state = message_id === null ? 'rejected' : 'approved'
  const decided = {
    state,
    message_id,
    content: '',
    widget: null,
    decided_by: tx.user.id,
    decided_at: seconds(tx.chat.clock),
  }
  await tx.db.updateTable('held_message').set(decided).where('id', '=', held.id).execute()
  await tx.db.deleteFrom('held_message_file').where('held_message_id', '=', held.id).execute()
  await emitHeld(tx, held, state)
}
