import * as v from 'valibot'
import { accessMessage, type Message, readersAndActor } from '../access/messages.ts'
import { requireVoice } from '../access/silence.ts'
import { emit } from '../events/log/emit.ts'
import type { LoggedEvent } from '../events/types/table.ts'
import { action } from '../kernel/action.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest, ChatError, invalidMessage } from '../kernel/errors.ts'
import { described, id, text } from '../kernel/fields.ts'
import { emojiKey } from '../organization/emoji/names.ts'
import {
  type Emoji,
  namedEmoji,
  noEmojiNamed,
  type ReactionType,
  reactionType,
  resolveEmoji,
  typeOfCode,
} from '../organization/emoji/resolve.ts'
import { empty } from '../shapes/values.ts'
import { raiseByTakingPart } from '../streams/automatic-visibility.ts'
import { requireUnblockedIn } from '../users/blocks.ts'

const emojiParams = {
  emoji_code: described(v.nullish(text), 'Code of the emoji in the namespace of `reaction_type`.'),
  reaction_type: described(
    v.nullish(reactionType),
    'Namespace of `emoji_code`: unicode_emoji, realm_emoji or zulip_extra_emoji.',
  ),
}

/**
 * POST /messages/{message_id}/reactions: adds a reaction of the caller's to a message they can see.
 *
 * @throws REACTION_ALREADY_EXISTS
 * @throws SILENCED while a moderator has silenced the caller
 * @throws BAD_REQUEST "Invalid message(s)" for an unknown or hidden message; also for an unknown emoji
 * @example
 * await addReaction(caller, { message_id, emoji_name: 'tada' })
 */
export const addReaction = action(
  {
    name: 'addReaction',
    summary: 'Add an emoji reaction',
    params: v.object({
      message_id: described(id, 'ID of the message.'),
      emoji_name: described(text, 'Name of the emoji.'),
      ...emojiParams,
    }),
    result: empty,
    idempotencyKey: 'one write',
    errors: ['REACTION_ALREADY_EXISTS', 'SILENCED'],
  },
  async (caller, { message_id, ...requested }) => {
    return caller.write(async (tx) => {
      const message = await accessMessage(tx, message_id)
      await requireVoice(tx)
      await requireUnblockedIn(tx, message)
      const { emoji_name, emoji_code, reaction_type } = await emojiToAdd(tx, message, requested)
      const emoji = { emoji_name, emoji_code, reaction_type }
      const added = await tx.db
        .insertInto('reaction')
        .values({ message_id, user_id: tx.user.id, ...emoji })
        .onConflict((oc) => oc.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!added) throw new ChatError('REACTION_ALREADY_EXISTS', 'Reaction already exists.')
      await announce(tx, 'add', message, emoji)
      await raiseByTakingPart(tx, message)
      return {}
    })
  },
)

/**
 * DELETE /messages/{message_id}/reactions: removes a reaction of the caller's.
 *
 * @throws REACTION_DOES_NOT_EXIST
 * @throws BAD_REQUEST "Invalid message(s)" for an unknown or hidden message; also for an unknown emoji
 * @example
 * await removeReaction(caller, { message_id, emoji_name: 'tada' })
 */
export const removeReaction = action(
  {
    name: 'removeReaction',
    summary: 'Remove an emoji reaction',
    params: v.object({
      message_id: described(id, 'ID of the message.'),
      emoji_name: described(v.nullish(text), 'Name of the emoji.'),
      ...emojiParams,
    }),
    result: empty,
    errors: ['REACTION_DOES_NOT_EXIST'],
  },
  async (caller, { message_id, ...requested }) => {
    if (requested.emoji_name == null && requested.emoji_code == null) {
      throw badRequest('At least one of the following arguments must be present: emoji_name, emoji_code')
    }
    await caller.write(async (tx) => {
      const message = await accessMessage(tx, message_id)
      const reaction = await reactionToRemove(tx, message, requested)
      await tx.db.deleteFrom('reaction').where('id', '=', reaction.id).execute()
      await announce(tx, 'remove', message, reaction)
    })
    return {}
  },
)

interface Requested {
  emoji_name?: string | null | undefined
  emoji_code?: string | null | undefined
  reaction_type?: ReactionType | null | undefined
}

/**
 * The first reaction with a code decides its name, so that one emoji isn't shown under two names. Adding to an
 * existing reaction needs no check, since its emoji may have been renamed or deactivated.
 */
async function emojiToAdd(tx: Tx, message: Message, requested: Requested & { emoji_name: string }): Promise<Emoji> {
  const { emoji_name, emoji_code, reaction_type } = requested
  const named = emoji_code == null ? await namedEmoji(tx, emoji_name, reaction_type) : undefined
  const there = named
    ? await find(tx, message, named)
    : await find(tx, message, emoji_code == null ? { emoji_name, reaction_type } : { emoji_code, reaction_type })
  return there ?? named ?? resolveEmoji(tx, requested)
}

/** Returns the caller's reaction, found by the emoji's current name, by its code, or by its name at the time. */
async function reactionToRemove(tx: Tx, message: Message, requested: Requested): Promise<Emoji & { id: number }> {
  const { emoji_name, emoji_code, reaction_type } = requested
  const named = emoji_name == null ? undefined : await namedEmoji(tx, emoji_name, reaction_type)
  const own = (emoji: Requested) => find(tx, message, emoji, tx.user.id)
  if (emoji_code != null) {
    const type = named?.emoji_code === emoji_code ? named.reaction_type : reaction_type
    const there = (await own({ emoji_code, reaction_type: type })) ?? (await own({ emoji_code, reaction_type }))
    if (there) return there
    // Specification, Errors: this sentence for an unknown code.
    if (!(await typeOfCode(tx, emoji_code, reaction_type))) throw invalidMessage()
    throw noReaction()
  }
  const there = (named && (await own(named))) ?? (await own({ emoji_name, reaction_type }))
  if (there) return there
  throw named ? noReaction() : noEmojiNamed(emoji_name!)
}

const noReaction = (): ChatError => new ChatError('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.")

/** The oldest reaction on the message that has this code and type, or this name; one user's, if given. */
async function find({ db }: Tx, message: Message, emoji: Requested, user_id?: number) {
  const { emoji_name, emoji_code, reaction_type } = emoji
  let query = db
    .selectFrom('reaction')
    .select(['id', 'emoji_name', 'emoji_code', 'reaction_type'])
    .where('message_id', '=', message.id)
    .orderBy('id')
  if (emoji_code != null) query = query.where('emoji_code', '=', emoji_code)
  else query = query.where('emoji_name', '=', emojiKey(emoji_name ?? ''))
  if (reaction_type) query = query.where('reaction_type', '=', reaction_type)
  if (user_id !== undefined) query = query.where('user_id', '=', user_id)
  return query.executeTakeFirst()
}

async function announce(
  tx: Tx,
  op: 'add' | 'remove',
  message: Message,
  { emoji_name, emoji_code, reaction_type }: Emoji,
): Promise<void> {
  const event: LoggedEvent<'reaction'> = {
    type: 'reaction',
    op,
    user_id: tx.user.id,
    message_id: message.id,
    emoji_name,
    emoji_code,
    reaction_type,
  }
  await emit(tx, event, await readersAndActor(tx, message))
}
