import { type Command, Option } from 'commander'
import type { Io } from './io.ts'
import { count, db, id, json, names, url } from './options.ts'

const load = () => import('./commands/user.ts')

/** Adds `chat-server user …`, which works on the running server or on the file. */
export function addUserCommands(program: Command, io: Io): void {
  const user = program.command('user').description('manage accounts')
  const account = (name: string, description: string) =>
    user.command(name).description(description).addOption(db()).addOption(json())

  account('add [email]', 'create an account, a bot, or many accounts from a file')
    .option('--name <name>', 'full name')
    .option('--password <password>', 'generated if omitted')
    .option('--role <role>', 'owner, administrator, moderator, member or guest', 'member')
    .addOption(new Option('--bot', 'a bot, which has an API key and no password').conflicts('password'))
    .option('--owner <email>', "the bot's owner; if omitted, the organization's first owner")
    .addOption(
      new Option('--from <file>', 'CSV file with the columns email, name, and optionally role and password').conflicts([
        'name',
        'bot',
        'password',
      ]),
    )
    .action(async (email, options) => (await load()).add({ email, ...options }, io))
  account('list', 'list all accounts').action(async (options) => (await load()).list(options, io))
  account('role <email> <role>', 'change the role of an account').action(async (email, role, options) =>
    (await load()).changeRole({ ...options, email, role }, io),
  )
  account('rename <email> <name>', 'change the full name of an account').action(async (email, name, options) =>
    (await load()).rename({ ...options, email, name }, io),
  )
  account('password <email>', 'set a new password and revoke all API keys')
    .option('--password <password>', 'generated if omitted')
    .addOption(
      new Option(
        '--link',
        'print a link that sets a new password; works once within 24 hours, and revokes nothing until it is used',
      ).conflicts('password'),
    )
    .addOption(
      new Option('--public-url <url>', "base address of the link; the server's own if omitted")
        .env('CHAT_PUBLIC_URL')
        .argParser(url),
    )
    .action(async (email, { link, ...options }) =>
      link
        ? (await load()).passwordLink({ ...options, email }, io)
        : (await load()).resetPassword({ ...options, email }, io),
    )
  account('second-factor <email>', 'remove a lost second factor')
    .requiredOption('--reset', 'remove the authenticator app, the passkeys and the recovery codes')
    .action(async (email, { reset: _, ...options }) => (await load()).resetFactor({ ...options, email }, io))
  account('api-key <email>', 'create an API key for an account, list its keys, or revoke them')
    .option('--name <name>', 'name of the new key')
    .addOption(
      new Option(
        '--scope <list>',
        'what a limited key permits: read, send, webhook, write, manage, provision, provision_groups',
      )
        .argParser(names)
        .conflicts(['list', 'revoke', 'revokeAll']),
    )
    .addOption(new Option('--expires-in-days <days>', 'days until a limited key stops working').argParser(count))
    .addOption(new Option('--channels <list>', 'the only channels that a limited key sends to').argParser(names))
    .addOption(new Option('--list', 'list the names and IDs of the keys').conflicts(['name', 'revoke', 'revokeAll']))
    .addOption(new Option('--revoke <id>', 'revoke one key').argParser(id).conflicts(['name', 'revokeAll']))
    .addOption(new Option('--revoke-all', 'revoke all keys').conflicts('name'))
    .action(async (email, { list, revoke, revokeAll, scope, expiresInDays, channels, ...options }) => {
      const { endKeys, listKeys, newKey, newLimitedKey } = await load()
      if (list) await listKeys({ ...options, email }, io)
      else if (revoke !== undefined || revokeAll) await endKeys({ ...options, email, key_id: revoke }, io)
      else if (scope !== undefined)
        await newLimitedKey({ ...options, email, scopes: scope, expires_in_days: expiresInDays, channels }, io)
      else if (expiresInDays !== undefined || channels !== undefined)
        throw new Error('--expires-in-days and --channels need --scope')
      else await newKey({ ...options, email }, io)
    })
  account('deactivate <email>', 'keep an account from signing in; its messages stay').action(async (email, options) =>
    (await load()).setActive({ ...options, email, active: false }, io),
  )
  account('reactivate <email>', 'let a deactivated account sign in again').action(async (email, options) =>
    (await load()).setActive({ ...options, email, active: true }, io),
  )
  account(
    'merge <email> <into>',
    'merge an imported account, and everything that belongs to it, into another account',
  ).action(async (email, into, options) => (await load()).merge({ ...options, email, into }, io))
  account('erase <email>', 'delete the name, address, picture, settings and keys of a person, and of their bots')
    .option('--messages', 'delete their messages and files, too; without it, they stay under the name Deleted user')
    .action(async (email, { messages = false, ...options }) =>
      (await load()).erase({ ...options, email, messages }, io),
    )
}
