import { type Command, InvalidArgumentError, Option } from 'commander'
import { sources } from '../src/import/format.ts'
import type { Io } from './io.ts'
import { db, id, json, url } from './options.ts'

const load = () => import('./commands/import.ts')

/** `one`, `by-day`, or `by-gap=4h`. */
function topics(text: string): 'one' | 'by-day' | { gap: number } {
  if (text === 'one' || text === 'by-day') return text
  const [, number, unit] = /^by-gap=(\d{1,6})(m|h|d)$/.exec(text) ?? []
  if (number === undefined)
    throw new InvalidArgumentError('Use one, by-day, or by-gap with a duration, such as by-gap=4h.')
  return { gap: Number(number) * { m: 60, h: 3600, d: 86_400 }[unit as 'm' | 'h' | 'd'] }
}

/** Adds `chat-server import …`, which works on the running server or on the database. */
export function addImportCommands(program: Command, io: Io): void {
  const imports = program
    .command('import')
    .description('import an export of Zulip, Slack, Mattermost, Rocket.Chat or Discord')
    .argument('<file>', 'the export: a file or a folder')
    .addOption(db())
    .addOption(new Option('--from <source>', 'where the export is from; detected if omitted').choices(sources))
    .option('--map <file>', 'CSV file with the columns user and account: an email address, "stub" or "skip"')
    .option('--into', 'import into an organization that already has messages')
    .option(
      '--download-files',
      'download files and pictures into a folder beside the export, if it contains only their addresses',
    )
    .option('--dry-run', 'report what would be imported, and write nothing')
    .addOption(
      new Option(
        '--topics <how>',
        'how to choose topics for messages outside threads: one, by-day, or by-gap=4h',
      ).argParser(topics),
    )
    .addOption(json())
    .action(async (file, options) => (await load()).importFile({ ...options, file }, io))
  const sub = (name: string, description: string) =>
    imports.command(name).description(description).addOption(db()).addOption(json())
  sub('list', 'list all imports').action(async (options, command: Command) =>
    (await load()).list({ ...command.optsWithGlobals(), ...options }, io),
  )
  sub('show', 'show an import and its report')
    .argument('<id>', 'number of the import', id)
    .action(async (number, options, command: Command) =>
      (await load()).show({ ...command.optsWithGlobals(), ...options, id: number }, io),
    )
  sub('invite', 'create a link to set a password for each imported person without one')
    .argument('<id>', 'number of the import', id)
    .option('--out <file>', 'write the links to this CSV file, which must not exist, instead of printing them')
    .addOption(new Option('--mail', 'send the links by email').conflicts('out'))
    .addOption(
      new Option('--public-url <url>', "base address of the links; the server's own if omitted")
        .env('CHAT_PUBLIC_URL')
        .argParser(url),
    )
    .action(async (number, options, command: Command) =>
      (await load()).invite({ ...command.optsWithGlobals(), ...options, id: number }, io),
    )
  sub('undo', 'remove everything an import created')
    .argument('<id>', 'number of the import', id)
    .action(async (number, options, command: Command) =>
      (await load()).undo({ ...command.optsWithGlobals(), ...options, id: number }, io),
    )
}
