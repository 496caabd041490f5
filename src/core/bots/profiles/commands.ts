import * as v from 'valibot'
import type { Db } from '../../../storage/index.ts'
import { type Message, visibleIds } from '../../access/messages.ts'
import { everyone, only } from '../../events/log/audience.ts'
import { emit } from '../../events/log/emit.ts'
import { statePart } from '../../events/log/state-part.ts'
import { defineCache } from '../../kernel/cache.ts'
import { onBehalfOf, type SystemTx, type Tx } from '../../kernel/context.ts'
import { isBot } from '../../kernel/roles.ts'
import { isSpectator } from '../../kernel/spectator.ts'
import { findUser } from '../../kernel/user.ts'
import { type BotCommandView, botCommandShape } from '../../shapes/bot-command.ts'

const load = (db: Db): Promise<BotCommandView[]> =>
  db.selectFrom('bot_command').select(['id', 'bot_id', 'name', 'description', 'usage']).orderBy('name').execute()

/** All commands, by name. Read for each message that begins with a slash. */
export const commandsOf = defineCache('bot-commands', load)

export const commandState = statePart({ bot_commands: v.array(botCommandShape) }, async (reader) => ({
  bot_commands: isSpectator(reader.user) ? [] : [...(await commandsOf.get(reader))],
}))

/** Emits the list after a change. */
export async function emitCommands(tx: SystemTx): Promise<void> {
  commandsOf.invalidate(tx)
  await emit(tx, { type: 'bot_commands', bot_commands: [...(await commandsOf.get(tx))] }, everyone)
}

/** Removes the commands of a bot that can no longer answer. */
export async function removeCommandsOf(tx: SystemTx, bot_id: number): Promise<void> {
  const gone = await tx.db.deleteFrom('bot_command').where('bot_id', '=', bot_id).returning('id').execute()
  if (gone.length > 0) await emitCommands(tx)
}

/** Returns the name of the command that a text begins with, and what follows it. */
export function commandIn(text: string): { name: string; arguments: string } | undefined {
  const [, name, rest = ''] = /^\/([a-z][a-z0-9_-]*)(?:\s+([\s\S]*))?$/.exec(text) ?? []
  return name === undefined ? undefined : { name, arguments: rest.trim() }
}

type Sent = Pick<Message, 'id' | 'content' | 'sender_id' | 'conversation_id'>

/**
 * Notifies the bot whose command a new message begins with, if the bot may read the message. Commands in messages of bots
 * do nothing, because bots repeat what people wrote.
 *
 * @param place - the topic, or the users of a direct conversation
 */
export async function callCommand(tx: Tx, sent: Sent, place: { topic: string } | { users: number[] }): Promise<void> {
  if (isBot(tx.user)) return
  const called = commandIn(sent.content)
  const command = called && (await commandsOf.get(tx)).find((one) => one.name === called.name)
  if (!command) return
  const { id: command_id, bot_id } = command
  const bot = await findUser(tx.db, bot_id)
  if (!bot?.is_active || (await visibleIds(onBehalfOf(tx, bot), [sent.id])).length === 0) return
  const recipient =
    'topic' in place
      ? { type: 'channel' as const, to: sent.conversation_id, topic: place.topic }
      : { type: 'direct' as const, to: place.users }
  const { id: message_id, sender_id } = sent
  const call = { command_id, ...called, message_id, sender_id, recipient }
  await emit(tx, { type: 'bot_command', ...call }, only(bot_id))
}
