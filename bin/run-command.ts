import { existsSync } from 'node:fs'
import { openChat } from '../src/core/open-chat.ts'
import { type CommandArgs, type CommandName, type CommandResult, commands } from './commands/table.ts'
import { askOwner } from './control.ts'

/**
 * Does a command on a database: in the running server if there is one, else on the file itself. The same function
 * does it either way.
 */
export async function runCommand<N extends CommandName>(
  file: string,
  name: N,
  args: CommandArgs<N>,
  { create = false } = {},
): Promise<CommandResult<N>> {
  if (!create && !existsSync(file)) throw new Error(`${file} does not exist; chat-server init creates it`)
  const answer = await askOwner(file, name, args)
  if (answer) return answer as CommandResult<N>
  await using chat = await openChat({ db: file })
  return (await commands[name](chat, args as never)) as CommandResult<N>
}
