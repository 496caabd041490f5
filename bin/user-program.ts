import { type Command, Option } from 'commander'
import type { Io } from './io.ts'
import { db, id, json, url } from './options.ts'

const load = () => import('./commands/user.ts')

/** `chat-server user …`: accounts, in the running server or on the file. */
export function addUserCommands(program: Command, io: Io): void {
  const user = program.command('user').description('manage accounts; works on a running server too')
  const account = (name: string, description: string) =>
    user.command(name).description(description).addOption(db()).addOption(json())

  account('add [email]', 'create an account, a bot, or many accounts from a file')
    .option('--name <name>', 'full name')
    .option('--password <password>', 'made up when absent')
    .option('--role <role>', 'owner, administrator, moderator, member or guest', 'member')
    .addOption(new Option('--bot', 'a bot, which has an API key and no password').conflicts('password'))
    .option('--owner <email>', 'who owns the bot; the first owner of the organization when absent')
    .addOption(
      new Option('--from <file>', 'CSV with the columns email, name, and optionally role and password').conflicts([
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
  account('password <email>', 'set a new password; ends the API keys there are')
    .option('--password <password>', 'made up when absent')
    .addOption(
      new Option(
        '--link',
        'print a link that sets the password once, within 24 hours; until then nothing ends',
      ).conflicts('password'),
    )
    .addOption(
      new Option('--public-url <url>', 'what the link begins with; what the server says when absent')
        .env('CHAT_PUBLIC_URL')
        .argParser(url),
    )
    .action(async (email, { link, ...options }) =>
      link
        ? (await load()).passwordLink({ ...options, email }, io)
        : (await load()).resetPassword({ ...options, email }, io),
    )
  account('api-key <email>', 'issue a new API key for an account; or list its keys, or end some')
    .option('--name <name>', 'what the new key is for')
    .addOption(new Option('--list', 'list the keys, without what they are').conflicts(['name', 'revoke', 'revokeAll']))
    .addOption(new Option('--revoke <id>', 'end one key').argParser(id).conflicts(['name', 'revokeAll']))
    .addOption(new Option('--revoke-all', 'end all keys').conflicts('name'))
    .action(async (email, { list, revoke, revokeAll, ...options }) => {
      const { endKeys, listKeys, newKey } = await load()
      if (list) await listKeys({ ...options, email }, io)
      else if (revoke !== undefined || revokeAll) await endKeys({ ...options, email, key_id: revoke }, io)
      else await newKey({ ...options, email }, io)
    })
  account('deactivate <email>', 'keep an account from signing in; what it wrote stays').action(async (email, options) =>
    (await load()).setActive({ ...options, email, active: false }, io),
  )
  account('reactivate <email>', 'let a deactivated account sign in again').action(async (email, options) =>
    (await load()).setActive({ ...options, email, active: true }, io),
  )
}
