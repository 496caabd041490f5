import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest, notPermitted } from '../kernel/errors.ts'
import { described, id, line, maxCharacters, nonEmptyLine, none, text } from '../kernel/fields.ts'
import { isBot, isGuest } from '../kernel/roles.ts'
import type { User } from '../kernel/user.ts'
import { requireAllowedFields } from '../review/filters/require.ts'
import { botCommandShape } from '../shapes/bot-command.ts'
import { empty, id as idShape } from '../shapes/values.ts'
import { accessBot } from './access.ts'
import { BOT_TYPES } from './params.ts'
import { commandsOf, emitCommands } from './profiles/commands.ts'

const MAX_COMMANDS_PER_BOT = 50
const MAX_COMMANDS = 1000

/** Commands of clients and of the server. */
const builtIn: readonly string[] = [
  ...['me', 'poll', 'todo', 'ping', 'dark', 'night', 'light', 'day', 'fluid-width', 'fixed-width'],
]

const name = v.pipe(
  text,
  v.regex(
    /^[a-z][a-z0-9_-]{0,31}$/,
    'Invalid command name. Use up to 32 lower-case letters, digits, hyphens and underscores, and begin with a letter.',
  ),
  v.check((given) => !builtIn.includes(given), 'This command is built in. Choose another name.'),
)

/**
 * GET /bot_commands: lists the slash commands of all bots, by name.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 */
export const listBotCommands = action(
  {
    name: 'listBotCommands',
    summary: 'List slash commands of bots',
    params: none,
    result: v.strictObject({ bot_commands: v.array(botCommandShape) }),
  },
  async (caller) => ({ bot_commands: [...(await commandsOf.get(caller))] }),
)

/**
 * POST /bot_commands: registers a slash command of a bot. If the bot has the command, its description and usage change.
 *
 * @throws BAD_REQUEST "No such bot", "Insufficient permission" for another user's bot, for a deactivated bot or one that may
 * only send, for a name that is built in or another bot's, and for guests
 * @example
 * await registerBotCommand(caller, { bot_id: user_id, name: 'deploy', description: 'Deploys a branch.', usage: '<environment>' })
 */
export const registerBotCommand = action(
  {
    name: 'registerBotCommand',
    summary: 'Register a slash command',
    audit: { subject: 'command', made: ({ id }) => id },
    params: v.object({
      bot_id: described(v.nullish(id), 'ID of the bot. A bot that registers its own command can leave it out.'),
      name: described(name, 'The name without its slash, in lower case.'),
      description: described(v.pipe(nonEmptyLine, maxCharacters(200)), 'What it does, in one line.'),
      usage: described(
        v.nullish(v.pipe(line, maxCharacters(100)), ''),
        'What follows the name, such as `<environment>`.',
      ),
    }),
    result: v.strictObject({ id: idShape }),
  },
  (caller, { bot_id, name, description, usage }) =>
    caller.write(async (tx) => {
      refuseGuests(tx)
      const bot = await commandedBot(tx, bot_id)
      const all = await commandsOf.get(tx)
      const known = all.find((one) => one.name === name)
      if (known && known.bot_id !== bot.id) throw badRequest(`The command "/${name}" belongs to another bot.`)
      if (known?.description === description && known.usage === usage) return { id: known.id }
      if (!known && all.filter((one) => one.bot_id === bot.id).length >= MAX_COMMANDS_PER_BOT)
        throw badRequest(`A bot can have at most ${MAX_COMMANDS_PER_BOT} commands.`)
      if (!known && all.length >= MAX_COMMANDS)
        throw badRequest(`An organization can have at most ${MAX_COMMANDS} commands.`)
      await requireAllowedFields(tx, { name, description, usage })
      const row = await tx.db
        .insertInto('bot_command')
        .values({ bot_id: bot.id, name, description, usage })
        .onConflict((oc) => oc.column('name').doUpdateSet({ description, usage }))
        .returning('id')
        .executeTakeFirstOrThrow()
      await emitCommands(tx)
      return row
    }),
)

/**
 * DELETE /bot_commands/{command_id}: removes a slash command.
 *
 * @throws BAD_REQUEST "Invalid command", "Insufficient permission" for another user's bot, and for guests
 */
export const removeBotCommand = action(
  {
    name: 'removeBotCommand',
    summary: 'Remove a slash command',
    audit: { subject: 'command', id: ({ command_id }) => command_id },
    params: v.object({ command_id: described(id, 'ID of the command.') }),
    result: empty,
  },
  (caller, { command_id }) =>
    caller.write(async (tx) => {
      refuseGuests(tx)
      const command = (await commandsOf.get(tx)).find((one) => one.id === command_id)
      if (!command) throw badRequest('Invalid command')
      if (command.bot_id !== tx.user.id) await accessBot(tx, command.bot_id)
      await tx.db.deleteFrom('bot_command').where('id', '=', command_id).execute()
      await emitCommands(tx)
      return {}
    }),
)

/** Everyone is offered a bot's commands, also people whom a guest doesn't know. */
function refuseGuests({ user }: Tx): void {
  if (isGuest(user)) throw notPermitted('Not allowed for guest users')
}

/** Returns the bot that gets a command: the caller, or one that they manage. */
async function commandedBot(tx: Tx, bot_id: number | null | undefined): Promise<User> {
  const isSelf = isBot(tx.user) && (bot_id == null || bot_id === tx.user.id)
  if (!isSelf && bot_id == null) throw badRequest("Missing 'bot_id' argument")
  const bot = isSelf ? tx.user : await accessBot(tx, bot_id!)
  if (!bot.is_active) throw badRequest('This bot is deactivated.')
  if (bot.bot_type === BOT_TYPES.incoming) throw badRequest("Incoming webhook bots can't receive commands.")
  return bot
}
