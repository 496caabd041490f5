import { Command, Option } from 'commander'
import { version } from '../src/http/version.ts'
import { addImportCommands } from './import-program.ts'
import type { Io } from './io.ts'
import { addLdapCommands } from './ldap-program.ts'
import { addMailCommands } from './mail-program.ts'
import { count, db, duration, isSet, json, port, proxies, signOn, size, time, url, userHeader } from './options.ts'
import { addOrgCommands } from './org-program.ts'
import { addUserCommands } from './user-program.ts'

const SERVING = 'Serving:'
const ANY_TIME = 'Commands that also work while the server runs:'
const STOPPED = 'Commands that need the server to be stopped:'

/**
 * Returns the commands and their options. The code of each command is loaded when it runs.
 *
 * @throws CommanderError after it printed help, the version or an error, instead of ending the process
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

  chat.commandsGroup(SERVING)
  chat
    .command('serve', { isDefault: true })
    .description('run the server; the default command')
    .addOption(db())
    .addOption(new Option('--host <address>', 'address to listen on').env('CHAT_HOST').default('127.0.0.1'))
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 takes any free port')
        .env('CHAT_PORT')
        .default(9991)
        .argParser(port),
    )
    .addOption(new Option('--public-url <url>', 'base address that clients use').env('CHAT_PUBLIC_URL').argParser(url))
    .addOption(
      new Option(
        '--rate-limit <name=requests/seconds>',
        'set a rate limit, optionally for a role, for bots or for an account; repeatable',
      )
        .env('CHAT_RATE_LIMIT')
        .argParser((text: string, before: unknown) => [...(Array.isArray(before) ? before : []), ...text.split(',')]),
    )
    .addOption(new Option('--no-rate-limit', 'remove the limits on requests (env: CHAT_NO_RATE_LIMIT=1)'))
    .addOption(
      new Option(
        '--trust-proxy [addresses]',
        'trust X-Forwarded-* headers from these addresses and ranges; without a value, from this machine',
      )
        .env('CHAT_TRUST_PROXY')
        .preset('loopback')
        .argParser(proxies),
    )
    .addOption(
      new Option('--metrics-port <number>', 'port that serves GET /metrics for Prometheus; off unless given')
        .env('CHAT_METRICS_PORT')
        .argParser(port),
    )
    .addOption(
      new Option('--metrics-host <address>', 'address to serve metrics on')
        .env('CHAT_METRICS_HOST')
        .default('127.0.0.1'),
    )
    .addOption(json())
    .addOption(
      new Option('--stop-with-stdin', 'stop when standard input closes, for example because the parent process ended'),
    )
    .addOption(
      new Option(
        '--dev',
        "development mode: create the people in Zulip's documentation and return their keys without passwords; loopback only",
      ),
    )
    .addOption(
      new Option('--initials-avatars', 'serve initials avatars instead of Gravatars (env: CHAT_INITIALS_AVATARS=1)'),
    )
    .addOption(new Option('--no-web', "don't serve the web client (env: CHAT_NO_WEB=1)"))
    .addOption(new Option('--docs', 'serve the documentation at /docs (env: CHAT_DOCS=1)'))
    .addOption(
      new Option('--frame-ancestors <origins>', 'origins whose pages may embed the web client, separated by commas')
        .env('CHAT_FRAME_ANCESTORS')
        .argParser((text: string) => text.split(',').map((origin) => origin.trim())),
    )
    .addOption(new Option('--log-requests', 'log each request (env: CHAT_LOG_REQUESTS=1)'))
    .addOption(
      new Option('--max-emoji-file-size-mib <number>', 'largest custom emoji; MAX_EMOJI_FILE_SIZE_MIB works too')
        .env('CHAT_MAX_EMOJI_FILE_SIZE_MIB')
        .default(5)
        .argParser(size),
    )
    .addOption(
      // The name in Zulip's settings, which the specification uses.
      new Option('--zulip-max-emoji-file-size-mib <number>').env('MAX_EMOJI_FILE_SIZE_MIB').argParser(size).hideHelp(),
    )
    .addOption(
      new Option('--max-file-upload-size-mib <number>', 'largest file that users may upload')
        .env('CHAT_MAX_FILE_UPLOAD_SIZE_MIB')
        .default(25)
        .argParser(size),
    )
    .addOption(
      new Option('--unused-file-days <number>', 'days before files that no message links to are deleted')
        .env('CHAT_UNUSED_FILE_DAYS')
        .default(35)
        .argParser(count),
    )
    .addOption(
      new Option('--reserve-mib <number>', 'disk space to keep free when storing uploads, exports and backups')
        .env('CHAT_RESERVE_MIB')
        .default(64)
        .argParser(count),
    )
    .addOption(
      new Option('--import-folder <folder>', 'folder whose files owners may import in the page').env(
        'CHAT_IMPORT_FOLDER',
      ),
    )
    .addOption(
      new Option(
        '--push-service <url>',
        'push service that notifies mobile devices; nothing is contacted without it',
      ).env('CHAT_PUSH_SERVICE'),
    )
    .addOption(
      new Option(
        '--audit-log <target>',
        'also write the audit log to a file as JSON lines, or send it to syslog://host:port; `syslog` is this machine',
      ).env('CHAT_AUDIT_LOG'),
    )
    .addOption(
      new Option('--bigbluebutton <url>', 'BigBlueButton server for calls: https://:SECRET@host/bigbluebutton/').env(
        'CHAT_BIGBLUEBUTTON',
      ),
    )
    .addOption(
      new Option(
        '--constructor-groups <url>',
        'Constructor Groups server for calls: https://ACCESS_KEY:SECRET_KEY@host/api/groups/xapi',
      ).env('CHAT_CONSTRUCTOR_GROUPS'),
    )
    .addOption(
      new Option('--nextcloud-talk <url>', 'Nextcloud server for calls: https://user:app-password@host').env(
        'CHAT_NEXTCLOUD_TALK',
      ),
    )
    .addOption(
      new Option(
        '--mail-url <url>',
        'mail server that sends email: smtp://user:password@host:587, smtps://…, smtp+unix:/path or sendmail:; needs --public-url',
      ).env('CHAT_MAIL_URL'),
    )
    .addOption(
      new Option('--mail-from <sender>', 'sender of email, such as "Chat <chat@example.com>"').env('CHAT_MAIL_FROM'),
    )
    .addOption(
      new Option(
        '--mail-dkim <domain:selector:file>',
        "private key that signs email (DKIM), if the mail server doesn't: example.com:chat:/etc/chat/dkim.pem",
      ).env('CHAT_MAIL_DKIM'),
    )
    .addOption(
      new Option('--mail-rate <emails/seconds>', 'the most emails in a number of seconds, such as 60/60').env(
        'CHAT_MAIL_RATE',
      ),
    )
    .addOption(
      new Option('--no-mail-setup', "don't let owners set up a mail server in the page (env: CHAT_NO_MAIL_SETUP=1)"),
    )
    .addOption(
      new Option(
        '--mail-in <address>',
        'where email comes in: lmtp://127.0.0.1:2525 or 127.0.0.1:2525 (SMTP) to listen, or imaps://user:password@host',
      ).env('CHAT_MAIL_IN'),
    )
    .addOption(
      new Option(
        '--mail-in-address <form>',
        'form of the addresses of channels and replies: %s@chat.example.com or chat+%s@example.com',
      ).env('CHAT_MAIL_IN_ADDRESS'),
    )
    .addOption(signOn())
    .addOption(userHeader())
    .addOption(new Option('--giphy-api-key <key>', 'API key that apps use to search GIPHY').env('CHAT_GIPHY_API_KEY'))
    .addOption(new Option('--tenor-api-key <key>', 'API key that apps use to search Tenor').env('CHAT_TENOR_API_KEY'))
    .addOption(new Option('--klipy-api-key <key>', 'API key that apps use to search KLIPY').env('CHAT_KLIPY_API_KEY'))
    .addOption(
      new Option(
        '--allow-private-webhooks',
        'allow outgoing webhooks to this machine and to private networks (env: CHAT_ALLOW_PRIVATE_WEBHOOKS=1)',
      ),
    )
    .action(async (options, command: Command) => {
      const { serve } = await import('./commands/serve.ts')
      const { rateLimit, trustProxy = false, zulipMaxEmojiFileSizeMib, ...rest } = options
      const isEmojiSizeGiven = command.getOptionValueSource('maxEmojiFileSizeMib') !== 'default'
      await serve(
        {
          ...rest,
          ...(zulipMaxEmojiFileSizeMib && !isEmojiSizeGiven && { maxEmojiFileSizeMib: zulipMaxEmojiFileSizeMib }),
          rateLimit: rateLimit !== false && !isSet('CHAT_NO_RATE_LIMIT'),
          ...(Array.isArray(rateLimit) && { rateLimits: rateLimit }),
          trustProxy,
          web: options.web && !isSet('CHAT_NO_WEB'),
          mailSetup: options.mailSetup && !isSet('CHAT_NO_MAIL_SETUP'),
          docs: options.docs ?? isSet('CHAT_DOCS'),
          logRequests: options.logRequests ?? isSet('CHAT_LOG_REQUESTS'),
          initialsAvatars: options.initialsAvatars ?? isSet('CHAT_INITIALS_AVATARS'),
          allowPrivateWebhooks: options.allowPrivateWebhooks ?? isSet('CHAT_ALLOW_PRIVATE_WEBHOOKS'),
        },
        io,
      )
    })

  chat
    .command('init')
    .helpGroup(STOPPED)
    .description('create an organization and its owner without serving')
    .addOption(db())
    .requiredOption('--org <name>', 'name of the organization')
    .requiredOption('--owner-email <email>', "the owner's email address")
    .requiredOption('--owner-name <name>', "the owner's name")
    .addOption(
      new Option('--owner-password <password>', "the owner's password; generated if omitted").env(
        'CHAT_OWNER_PASSWORD',
      ),
    )
    .addOption(json())
    .action(async (options) => (await import('./commands/init.ts')).init(options, io))

  chat.commandsGroup(ANY_TIME)
  addUserCommands(chat, io)
  chat
    .command('undelete')
    .description('restore messages that message retention deleted in the last 30 days')
    .option('--stream <name>', 'only the messages of this channel')
    .addOption(db())
    .addOption(json())
    .action(async (options) => {
      const { undelete } = await import('./commands/undelete.ts')
      await undelete(options, io)
    })

  addMailCommands(chat, io)
  addLdapCommands(chat, io)
  addOrgCommands(chat, io)
  chat
    .command('audit')
    .description('print the audit log as JSON lines, oldest first')
    .addOption(new Option('--since <time>', 'only from this day or time on, such as 2026-11-25').argParser(time))
    .addOption(new Option('--until <time>', 'only before this day or time').argParser(time))
    .option('--actor <email>', 'only what this person or bot did')
    .option('--action <name>', 'only this action, such as updateUser or signIn')
    .option('--csv', 'print CSV with a header')
    .addOption(db())
    .action(async (options) => (await import('./commands/audit.ts')).audit(options, io))
  chat
    .command('export <target>')
    .description("export the organization's data to a new .tar.gz file")
    .addOption(db())
    .addOption(
      new Option(
        '--only <what>',
        'only public data, or also the private data of people who agreed; everything if omitted',
      ).choices(['public', 'consent']),
    )
    .addOption(
      new Option('--format <format>', "Zulip's format, or the import format as JSON lines")
        .choices(['zulip', 'jsonl'])
        .default('zulip')
        .conflicts('user'),
    )
    .addOption(
      new Option('--user <email>', "only one person's messages, files and settings, in the import format").conflicts(
        'only',
      ),
    )
    .addOption(json())
    .action(async (target, options) => {
      const { exportData } = await import('./commands/export.ts')
      await exportData({ ...options, target }, io)
    })

  addImportCommands(chat, io)
  chat
    .command('backup <target>')
    .description('back up the database and its secret to a new file')
    .addOption(db())
    .option('--no-secret', 'leave out the secret; without it, API keys stop working after a restore')
    .addOption(
      new Option('--every <duration>', 'back up repeatedly into the folder <target>, for example every 24h').argParser(
        duration,
      ),
    )
    .addOption(new Option('--keep <number>', 'number of backups that --every keeps; all if omitted').argParser(count))
    .addOption(json())
    .action(async (target, options) => {
      if (options.every === undefined && options.keep !== undefined) throw new Error('--keep needs --every')
      if (options.every === undefined) await (await import('./commands/backup.ts')).backup({ ...options, target }, io)
      else await (await import('./commands/backup-every.ts')).backupEvery({ ...options, target }, io)
    })
  chat
    .command('restore <file>')
    .helpGroup(STOPPED)
    .description('replace the database with a backup and the secret beside it')
    .addOption(db())
    .option('--force', 'replace an existing database')
    .addOption(json())
    .action(async (source, options) => (await import('./commands/restore.ts')).restore({ ...options, source }, io))
  chat
    .command('copy')
    .helpGroup(STOPPED)
    .description('copy everything to an empty database, from a file to PostgreSQL or back')
    .requiredOption('--from <database>', 'a file, or postgres://user:password@host/name')
    .requiredOption('--to <database>', 'a file, or postgres://user:password@host/name')
    .addOption(json())
    .action(async (options) => (await import('./commands/copy.ts')).copy(options, io))
  chat
    .command('doctor')
    .description('check the database, its versions, the disk and the clock')
    .option(
      '--after-rollback',
      'after the machine was rolled back to a snapshot: expire all event queues and skip IDs so that none is reused',
    )
    .addOption(db())
    .addOption(json())
    .action(async (options) => (await import('./commands/doctor.ts')).doctor(options, io))
  return chat
}
