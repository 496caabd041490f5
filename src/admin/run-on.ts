import { existsSync } from 'node:fs'
import type { ChatOptions } from '../core/kernel/chat.ts'
import { openChat } from '../core/open-chat.ts'
import { isFile } from '../storage/index.ts'
import { callRunningServer } from './call-running-server.ts'
import { type CommandArgs, type CommandName, type CommandResult, runCommand } from './commands.ts'

/** A command reads most pages only once, so a larger cache would only take memory. */
export const COMMAND_CACHE_MIB = 6

export interface RunOptions {
  /** Whether to create a database that does not exist. */
  create?: boolean
  report?: (progress: string) => void
  /** Options of the chat, if no running server has the database open. */
  chat?: ChatOptions
}

/**
 * Runs a command on a database: in the process that has the file open, or else directly, with the same function.
 */
export async function runOn<N extends CommandName>(
  database: string,
  name: N,
  args: CommandArgs<N>,
  { create = false, report = () => {}, chat: options }: RunOptions = {},
): Promise<CommandResult<N>> {
  const inFile = isFile(database)
  if (inFile && !create && !existsSync(database))
    throw new Error(`${database} does not exist. Run "chat-server init" to create it`)
  const answer = inFile && existsSync(database) ? await callRunningServer(database, name, args, report) : undefined
  if (answer) return answer as CommandResult<N>
  await using chat = await openChat({ ...options, db: database, cacheMib: COMMAND_CACHE_MIB })
  return await runCommand(chat, name, args, report)
}
