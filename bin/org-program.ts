import type { Command } from 'commander'
import type { Io } from './io.ts'
import { db, json } from './options.ts'

const load = () => import('./commands/org.ts')

/** Adds `chat-server org …`, which works on the running server or on the file. */
export function addOrgCommands(program: Command, io: Io): void {
  const org = program.command('org').description("show and change the organization's settings, close and reopen it")
  const command = (name: string, description: string) =>
    org.command(name).description(description).addOption(db()).addOption(json())
  command('get [name]', 'print all settings, or one of them').action(async (name, options) =>
    (await load()).getSettings({ ...options, name }, io),
  )
  command('set <name> <value>', 'change a setting').action(async (name, value, options) =>
    (await load()).setSetting({ ...options, name, value }, io),
  )
  command('set-up', 'print the browser setup link for a new organization').action(async (options) =>
    (await load()).setUp(options, io),
  )
  command('deactivate', 'close the organization: nobody can sign in or send, and nothing is deleted').action(
    async (options) => (await load()).setOrgActive({ ...options, active: false }, io),
  )
  command('reactivate', 'reopen a deactivated organization').action(async (options) =>
    (await load()).setOrgActive({ ...options, active: true }, io),
  )
}
