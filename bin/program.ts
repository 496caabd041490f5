import { Command, InvalidArgumentError, Option } from 'commander'
import { version } from './version.ts'

/** The commands and their options. Each command's own code is loaded when it runs. */
export function program(): Command {
  const chat = new Command('chat-server')
    .description('A complete team-chat server from a single SQLite file.')
    .version(version())
    .showHelpAfterError('(see chat-server --help)')

  chat
    .command('serve', { isDefault: true })
    .description('run the server (the default)')
    .addOption(db())
    .addOption(new Option('--host <address>', 'address to listen on').env('CHAT_HOST').default('127.0.0.1'))
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 is any free one')
        .env('CHAT_PORT')
        .default(9991)
        .argParser(port),
    )
    .addOption(
      new Option('--public-url <url>', 'address under which clients reach it').env('CHAT_PUBLIC_URL').argParser(url),
    )
    .addOption(
      new Option('--rate-limit <name=requests/seconds>', 'a limit for a role, bots or an account; may be repeated')
        .env('CHAT_RATE_LIMIT')
        .argParser((text: string, before: unknown) => [...(Array.isArray(before) ? before : []), ...text.split(',')]),
    )
    .addOption(new Option('--no-rate-limit', 'answer as many requests as come (env: CHAT_NO_RATE_LIMIT=1)'))
    .addOption(
      new Option('--trust-proxy [addresses]', 'believe X-Forwarded-* headers from these addresses and ranges')
        .env('CHAT_TRUST_PROXY')
        .preset('loopback')
        .argParser(proxies),
    )
    .addOption(
      new Option('--max-emoji-file-size-mib <number>', 'largest custom emoji')
        .env('MAX_EMOJI_FILE_SIZE_MIB')
        .default(5)
        .argParser(size),
    )
    .action(async (options) => {
      const { serve } = await import('./commands/serve.ts')
      const { rateLimit, trustProxy = false, ...rest } = options
      await serve({
        ...rest,
        rateLimit: rateLimit !== false && !isSet('CHAT_NO_RATE_LIMIT'),
        ...(Array.isArray(rateLimit) && { rateLimits: rateLimit }),
        trustProxy,
      })
    })

  chat
    .command('init')
    .description('create an organization and its owner, without serving')
    .addOption(db())
    .requiredOption('--org <name>', 'name of the organization')
    .requiredOption('--owner-email <email>', "the owner's e-mail address")
    .requiredOption('--owner-name <name>', "the owner's name")
    .addOption(new Option('--owner-password <password>', 'made up when absent').env('CHAT_OWNER_PASSWORD'))
    .addOption(json())
    .action(async (options) => (await import('./commands/init.ts')).init(options))

  const user = chat.command('user').description('manage accounts; works on a running server too')
  user
    .command('add <email>')
    .description('create an account')
    .addOption(db())
    .requiredOption('--name <name>', 'full name')
    .option('--password <password>', 'made up when absent')
    .option('--role <role>', 'owner, administrator, moderator, member or guest', 'member')
    .addOption(json())
    .action(async (email, options) => (await import('./commands/user.ts')).addUser({ email, ...options }))
  user
    .command('list')
    .description('list all accounts')
    .addOption(db())
    .addOption(json())
    .action(async (options) => (await import('./commands/user.ts')).listUsers(options))
  user
    .command('role <email> <role>')
    .description('change the role of an account')
    .addOption(db())
    .addOption(json())
    .action(async (email, role, options) =>
      (await import('./commands/user.ts')).changeRole({ email, role, ...options }),
    )
  user
    .command('api-key <email>')
    .description('issue a new API key for an account')
    .addOption(db())
    .addOption(json())
    .action(async (email, options) => (await import('./commands/user.ts')).newKey({ email, ...options }))

  chat
    .command('backup <file>')
    .description('copy the database to a new file; works on a running server too')
    .addOption(db())
    .action(async (file, options) => (await import('./commands/backup.ts')).backup({ file, ...options }))
  chat
    .command('doctor')
    .description('check the database and its surroundings')
    .addOption(db())
    .addOption(json())
    .action(async (options) => (await import('./commands/doctor.ts')).doctor(options))
  return chat
}

const db = () => new Option('--db <file>', 'database file').env('CHAT_DB').default('chat.db')
const json = () => new Option('--json', 'print one JSON object')

const NO = /^(|0|false|no|off)$/i
const isSet = (name: string): boolean => !NO.test(process.env[name] ?? '')

/** Whose forwarded headers count: `yes` is this machine, `no` nobody, anything else a list of addresses. */
function proxies(text: string): boolean | 'loopback' | string[] {
  if (NO.test(text)) return false
  return /^(1|true|yes|on|loopback)$/i.test(text) ? 'loopback' : text.split(',').map((entry) => entry.trim())
}

function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('A port is 0 to 65535.')
  return Number(text)
}

function size(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value > 0 && value <= 1024)) throw new InvalidArgumentError('A size is 1 to 1024 MiB.')
  return value
}

function url(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError('A URL begins with http:// or https://.')
  }
  return text.replace(/\/+$/, '')
}
