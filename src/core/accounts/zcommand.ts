import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, text } from '../kernel/fields.ts'
import { updateSettings } from './update-settings.ts'

interface Command {
  change: { color_scheme: 2 | 3 } | { fluid_layout_width: boolean }
  msg: string
}
const dark: Command = { change: { color_scheme: 2 }, msg: 'Changed to dark theme!' }
const light: Command = { change: { color_scheme: 3 }, msg: 'Changed to light theme!' }
const commands: Readonly<Record<string, Command>> = {
  night: dark,
  dark,
  day: light,
  light,
  'fluid-width': { change: { fluid_layout_width: true }, msg: 'Changed to fluid-width layout!' },
  'fixed-width': { change: { fluid_layout_width: false }, msg: 'Changed to fixed-width layout!' },
}

/**
 * POST /zcommand: runs a slash command that a user typed instead of a message.
 *
 * @throws BAD_REQUEST for an unknown command
 */
export const runCommand = action(
  {
    name: 'runCommand',
    summary: 'Run a slash command',
    params: v.object({ command: described(text, 'The command, including its slash.') }),
    result: v.strictObject({ msg: v.exactOptional(v.string()) }),
  },
  async (caller, { command }) => {
    if (!command.startsWith('/')) throw badRequest('There should be a leading slash in the zcommand.')
    const name = command.slice(1).trim()
    if (name === 'ping') return {}
    const found = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (!found) throw badRequest(`No such command: ${name}`)
    await updateSettings(caller, found.change)
    return { msg: found.msg }
  },
)
