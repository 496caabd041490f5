import { type Command, Option } from 'commander'
import type { Io } from './io.ts'
import { db, json, signOn } from './options.ts'

/** Adds `chat-server ldap …`, which works on the running server or on the database. */
export function addLdapCommands(program: Command, io: Io): void {
  const ldap = program.command('ldap').description('synchronize accounts with the directory of the sign-on file')
  ldap
    .command('sync')
    .description('update names, groups and roles, and deactivate accounts of people who left the directory')
    .addOption(new Option('--dry-run', 'only print who would be deactivated or reactivated'))
    .addOption(new Option('--yes', 'deactivate also more than 5 accounts that are more than 20 % of all'))
    .addOption(signOn())
    .addOption(db())
    .addOption(json())
    .action(async (options) => (await import('./commands/ldap.ts')).syncLdap(options, io))
}
