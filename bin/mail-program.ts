import { type Command, Option } from 'commander'
import type { Io } from './io.ts'
import { db, id, json, url } from './options.ts'

const load = () => import('./commands/mail.ts')

/** Adds `chat-server mail …`, which works on the running server or on the file. */
export function addMailCommands(program: Command, io: Io): void {
  const mail = program.command('mail').description('test the sending of email, and manage the outbox')
  const command = (name: string, description: string) =>
    mail.command(name).description(description).addOption(db()).addOption(json())
  command('test <address>', 'send a test email, and print what the mail server replies or which step fails')
    .addOption(
      new Option('--mail-url <url>', "mail server to test; the running server's own if omitted").env('CHAT_MAIL_URL'),
    )
    .addOption(new Option('--mail-from <sender>', 'sender, with --mail-url').env('CHAT_MAIL_FROM'))
    .addOption(new Option('--mail-dkim <domain:selector:file>', 'signature, with --mail-url').env('CHAT_MAIL_DKIM'))
    .addOption(new Option('--public-url <url>', 'base address of links').env('CHAT_PUBLIC_URL').argParser(url))
    .action(async (address, options) => (await load()).testMail({ ...options, address }, io))
  command(
    'receive [recipients...]',
    'post an email from standard input, for the pipe of a mail server; exit codes are the ones of sysexits',
  )
    .option('--sender <address>', 'sender of the envelope; by default the variable SENDER')
    .action(async (recipients, options) =>
      (await import('./commands/receive-mail.ts')).receiveMail({ ...options, recipients }, io),
    )
  command('list', 'list emails, and addresses that get none because a mail server rejected them')
    .addOption(
      new Option('--state <state>', 'only emails in this state').choices([
        'queued',
        'sending',
        'sent',
        'failed',
        'dropped',
      ]),
    )
    .action(async (options) => (await load()).listMail(options, io))
  command('retry <id>', 'send an email again immediately, also if its address was rejected').action(
    async (number, options) => (await load()).retryMail({ ...options, id: id(number) }, io),
  )
  command('drop <id>', 'never send an email that waits').action(async (number, options) =>
    (await load()).dropMail({ ...options, id: id(number) }, io),
  )
}
