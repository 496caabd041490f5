import { runOn } from '../../src/admin/run-on.ts'
import type { Io } from '../io.ts'
import { signOnOptions } from '../sign-on-file.ts'
import { type Common, columns, print } from './print.ts'

interface SyncOptions extends Common {
  dryRun?: boolean
  yes?: boolean
  signOn?: string
}

const done = { deactivate: 'deactivated', reactivate: 'reactivated', update: 'updated' } as const

/** Synchronizes the accounts with the directory, in the running server or with the given file. */
export async function syncLdap({ db, json, dryRun = false, yes = false, signOn }: SyncOptions, io: Io): Promise<void> {
  // The public URL is for providers, which nobody signs in with here.
  const options =
    signOn === undefined
      ? undefined
      : await signOnOptions({ signOn, publicUrl: 'https://chat.invalid', trustProxy: false })
  const chat = options && { signOn: options, publicUrl: 'https://chat.invalid' }
  const result = await runOn(db, 'syncLdap', { dry_run: dryRun, confirmed: yes }, { ...(chat && { chat }) })
  const rows = result.changes.map(({ user_id, full_name, change, reason }) => [
    dryRun ? `would be ${done[change]}` : done[change],
    String(user_id),
    full_name,
    reason ?? '',
  ])
  print(io, json, result, [
    `${result.people} people in the directory, ${result.accounts} accounts that belong to one`,
    ...(rows.length > 0 ? columns(rows) : [dryRun ? 'Nobody would be deactivated or reactivated' : 'Nothing changed']),
  ])
}
