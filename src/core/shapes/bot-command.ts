import * as v from 'valibot'
import { id } from './values.ts'

/** A slash command that a bot registered. Messages that begin with it are delivered to the bot. */
export const botCommandShape = v.strictObject({
  id,
  bot_id: id,
  /** Without the slash. */
  name: v.string(),
  description: v.string(),
  /** What follows the name, such as `<environment>`; empty if nothing does. */
  usage: v.string(),
})
export type BotCommandView = v.InferOutput<typeof botCommandShape>

const recipient = v.variant('type', [
  v.strictObject({ type: v.literal('channel'), to: id, topic: v.string() }),
  v.strictObject({ type: v.literal('direct'), to: v.array(id) }),
])

/** A message that began with a bot's command. */
export const calledCommand = {
  command_id: id,
  name: v.string(),
  /** What follows the name. */
  arguments: v.string(),
  message_id: id,
  sender_id: id,
  /** The parameters of POST /messages for an answer in the same place. */
  recipient,
}
