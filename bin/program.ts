import { Command, Option } from 'commander'
import { version } from '../src/http/version.ts'
import type { Io } from './io.ts'
import { count, db, duration, isSet, json, port, proxies, size, url } from './options.ts'
import { addOrgCommands } from './org-program.ts'
import { addUserCommands } from './user-program.ts'

/**
 * The commands and their options. Each command's own code is loaded when it runs.
 *
 * @throws CommanderError instead of ending the process, once help, the version or a mistake is printed.
 */
export function program(io: Io = process): Command {
  const chat = new Command('chat-server')
    .description('A complete team-chat server from a single SQLite file.')
    .version(version())
    .showHelpAfterError('(see chat-server --help)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    })

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
      new Option(
        '--metrics-port <number>',
        'port for GET /metrics, in the text format of Prometheus; none unless given',
      )
        .env('CHAT_METRICS_PORT')
        .argParser(port),
    )
    .addOption(
      new Option('--metrics-host <address>', 'address for the metrics').env('CHAT_METRICS_HOST').default('127.0.0.1'),
    )
    .addOption(json())
    .addOption(
      new Option(
        '--stop-with-stdin',
        'stop when standard input closes, as it does when the program that started it ends',
      ),
    )
    .addOption(new Option('--dev', 'for development: the usual people, and keys without passwords; this machine only'))
    .addOption(
      new Option(
        '--initials-avatars',
        'serve initials avatars for users without a picture, in place of Gravatars (env: CHAT_INITIALS_AVATARS=1)',
      ),
    )
    .addOption(new Option('--no-web', 'serve no web client at / (env: CHAT_NO_WEB=1)'))
    .addOption(
      new Option('--frame-ancestors <origins>', 'origins whose pages may embed the web client, separated by commas')
        .env('CHAT_FRAME_ANCESTORS')
        .argParser((text: string) => text.split(',').map((origin) => origin.trim())),
    )
    .addOption(new Option('--log-requests', 'log each request once it is answered (env: CHAT_LOG_REQUESTS=1)'))
    .addOption(
      new Option('--max-emoji-file-size-mib <number>', 'largest custom emoji')
        .env('MAX_EMOJI_FILE_SIZE_MIB')
        .default(5)
        .argParser(size),
    )
    .addOption(
      new Option('--max-file-upload-size-mib <number>', 'largest file that users may upload')
        .env('CHAT_MAX_FILE_UPLOAD_SIZE_MIB')
        .default(25)
        .argParser(size),
    )
    .addOption(
      new Option('--unused-file-days <number>', 'days after which an uploaded file goes that no message refers to')
        .env('CHAT_UNUSED_FILE_DAYS')
        .default(35)
        .argParser(count),
    )
    .addOption(
      new Option('--reserve-mib <number>', 'free disk space that uploads, exports and backups leave')
        .env('CHAT_RESERVE_MIB')
        .default(64)
        .argParser(count),
    )
    .addOption(
      new Option(
        '--allow-private-webhooks',
        'let outgoing webhooks post to this machine and private networks (env: CHAT_ALLOW_PRIVATE_WEBHOOKS=1)',
      ),
    )
    .action(async (options) => {
      const { serve } = await import('./commands/serve.ts')
      const { rateLimit, trustProxy = false, ...rest } = options
      await serve(
        {
          ...rest,
          rateLimit: rateLimit !== false && !isSet('CHAT_NO_RATE_LIMIT'),
          ...(Array.isArray(rateLimit) && { rateLimits: rateLimit }),
          trustProxy,
          web: options.web && !isSet('CHAT_NO_WEB'),
          logRequests: options.logRequests ?? isSet('CHAT_LOG_REQUESTS'),
          initialsAvatars: options.initialsAvatars ?? isSet('CHAT_INITIALS_AVATARS'),
          allowPrivateWebhooks: options.allowPrivateWebhooks ?? isSet('CHAT_ALLOW_PRIVATE_WEBHOOKS'),
        },
        io,
      )
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
    .action(async (options) => (await import('./commands/init.ts')).init(options, io))

  addUserCommands(chat, io)
  chat
    .command('undelete')
    .description('bring back messages deleted by their age in the last 30 days; works on a running server too')
    .option('--stream <name>', 'only those of this stream')
    .addOption(db())
    .addOption(json())
    .action(async (options) => {
      const { undelete } = await import('./commands/undelete.ts')
      await undelete(options, io)
    })

  addOrgCommands(chat, io)
  chat
    .command('export <target>')
    .description("write the organization's data to a new .tar.gz file; works on a running server too")
    .addOption(db())
    .addOption(
      new Option(
        '--only <what>',
        'only what is public, or that and the private data of those who agree; else all',
      ).choices(['public', 'consent']),
    )
    .addOption(json())
    .action(async (target, options) => {
      const { exportData } = await import('./commands/export.ts')
      await exportData({ ...options, target }, io)
    })

  chat
    .command('backup <target>')
    .description('copy the database and its secret to a new file; works on a running server too')
    .addOption(db())
    .option('--no-secret', 'leave out the secret, without which no API key works')
    .addOption(
      new Option('--every <duration>', 'go on copying into the folder <target>, such as 24h').argParser(duration),
    )
    .addOption(
      new Option('--keep <number>', 'copies to keep of those made with --every; all when absent').argParser(count),
    )
    .addOption(json())
    .action(async (target, options) => {
      if (options.every === undefined && options.keep !== undefined) throw new Error('--keep goes with --every')
      if (options.every === undefined) await (await import('./commands/backup.ts')).backup({ ...options, target }, io)
      else await (await import('./commands/backup-every.ts')).backupEvery({ ...options, target }, io)
    })
  chat
    .command('restore <file>')
    .description('put a backup, and the secret beside it, in the place of the database; not while a server uses it')
    .addOption(db())
    .option('--force', 'replace the database there is')
    .addOption(json())
    .action(async (source, options) => (await import('./commands/restore.ts')).restore({ ...options, source }, io))
  chat
    .command('copy')
    .description(
      'copy everything to another, empty database: from a file to PostgreSQL, or back; not while a server uses either',
    )
    .requiredOption('--from <database>', 'a file, or postgres://user:password@host/name')
    .requiredOption('--to <database>', 'likewise')
    .addOption(json())
    .action(async (options) => (await import('./commands/copy.ts')).copy(options, io))
  chat
    .command('doctor')
    .description('check the database and its surroundings')
    .option('--after-rollback', 'after the machine was set back to an earlier time: end all queues, reuse no id')
    .addOption(db())
    .addOption(json())
    .action(async (options) => (await import('./commands/doctor.ts')).doctor(options, io))
  return chat
}
