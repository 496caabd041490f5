import type * as v from 'valibot'
import type { Chat } from '../core/kernel/chat.ts'
import { check } from '../core/kernel/check.ts'
import { ChatError, isChatError } from '../core/kernel/errors.ts'
import { addBot, addUser, changeRole, listUsers, rename, setActive } from './commands/accounts.ts'
import { auditEntries } from './commands/audit.ts'
import type { Command } from './commands/command.ts'
import {
  endKeys,
  listKeys,
  newKey,
  newLimitedKey,
  passwordLink,
  resetFactor,
  resetPassword,
} from './commands/credentials.ts'
import { backup, exportData, inspect } from './commands/database.ts'
import { eraseUser } from './commands/erase.ts'
import { addUsers } from './commands/import-users.ts'
import { importData, inviteNewcomers, listImports, showImport, undoImport } from './commands/imports.ts'
import { syncLdap } from './commands/ldap.ts'
import { dropMail, listMail, receiveMail, retryMail, testMail } from './commands/mail.ts'
import { mergeUser } from './commands/merge.ts'
import { undelete } from './commands/messages.ts'
import { deactivateOrg, getSettings, init, reactivateOrg, setSetting, setUpLink } from './commands/organization.ts'

/**
 * The commands of the command line on an open chat. Arguments and results are plain objects, since they may be sent
 * over a socket.
 */
const commands = {
  init,
  getSettings,
  setSetting,
  deactivateOrg,
  reactivateOrg,
  setUpLink,
  addUser,
  addBot,
  addUsers,
  listUsers,
  changeRole,
  rename,
  newKey,
  newLimitedKey,
  listKeys,
  endKeys,
  resetPassword,
  passwordLink,
  resetFactor,
  setActive,
  eraseUser,
  mergeUser,
  undelete,
  auditEntries,
  testMail,
  listMail,
  retryMail,
  dropMail,
  receiveMail,
  syncLdap,
  backup,
  exportData,
  importData,
  inviteNewcomers,
  listImports,
  showImport,
  undoImport,
  inspect,
}

type Commands = typeof commands
export type CommandName = keyof Commands
export type CommandArgs<N extends CommandName> = v.InferInput<Commands[N]['params']>
export type CommandResult<N extends CommandName> = Awaited<ReturnType<Commands[N]['run']>>
export const commandNames = Object.keys(commands) as CommandName[]

/** Checks the arguments and runs the command. Throws ChatError with a sentence for the user of the command line. */
export async function runCommand<N extends CommandName>(
  chat: Chat,
  name: N,
  args: unknown,
  report: (progress: string) => void,
  ended?: AbortSignal,
): Promise<CommandResult<N>> {
  // TypeScript can't tell which command a generic name selects, so it sees the intersection of all of them.
  const { params, run } = commands[name] as unknown as Command<v.GenericSchema, CommandResult<N>>
  try {
    return await run(chat, check(params, args), report, ended)
  } catch (error) {
    if (!isChatError(error) || error.code !== 'REALM_DEACTIVATED') throw error
    throw new ChatError(error.code, `${error.message}. To reopen it, run "chat-server org reactivate"`)
  }
}
