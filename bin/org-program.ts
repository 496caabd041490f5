import type { Command } from 'commander'
import type { Io } from './io.ts'
import { db, json } from './options.ts'

const load = () => import('./commands/org.ts')

/** `chat-server org …`: the organization as a whole, in the running server or on the file. */
export function addOrgCommands(program: Command, io: Io): void {
  const org = program
    .command('org [name] [value]')
    .description("show the organization's settings, or one of them, or change one; works on a running server too")
    .addOption(db())
    .addOption(json())
    .configureHelp({ showGlobalOptions: true })
    .action(async (name, value, options) => {
      const { getSettings, setSetting } = await load()
      await (value === undefined ? getSettings({ ...options, name }, io) : setSetting({ ...options, name, value }, io))
    })
  org
    .command('set-up')
    .description('print the link by which a new organization is set up in a browser, while it is unused')
    .action(async () => (await load()).setUp(org.opts<{ db: string; json?: boolean }>(), io))
  const state = (name: string, description: string, active: boolean) =>
    org
      .command(name)
      .description(description)
      // The options are those of `org`, before or after this word.
      .action(async () => (await load()).setOrgActive({ ...org.opts<{ db: string }>(), active }, io))
  state('deactivate', 'close the organization to everybody; nothing is deleted', false)
  state('reactivate', 'open it again', true)
}
