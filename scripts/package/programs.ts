import { dirname, join } from 'node:path'

const isWindows = process.platform === 'win32'

/** npm's own script. On Windows, npm and installed commands are batch files, which only a shell runs and which change `^`. */
export const npmProgram: readonly [program: string, ...args: string[]] = isWindows
  ? [process.execPath, join(dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js')]
  : ['npm']

/** The command `chat-server` as a project has it. */
export const commandIn = (folder: string): readonly [program: string, ...args: string[]] =>
  isWindows
    ? [process.execPath, join(folder, 'node_modules/chat-server/dist/bin/chat-server.js')]
    : [join(folder, 'node_modules/.bin/chat-server')]

/** Whether signals reach a program's handlers. On Windows they end it. */
export const hasSignals = !isWindows
