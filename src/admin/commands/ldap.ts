import * as v from 'valibot'
import { syncDirectory } from '../../core/accounts/sign-on/directory-sync.ts'
import { command } from './command.ts'

/** Updates the accounts of people in the directory, and deactivates those who left it. */
export const syncLdap = command(
  v.object({ dry_run: v.optional(v.boolean(), false), confirmed: v.optional(v.boolean(), false) }),
  (chat, options) => syncDirectory(chat, options),
)
