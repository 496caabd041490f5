import * as v from 'valibot'
import { systemCaller } from '../../core/accounts/create-organization.ts'
import { eraseAccount } from '../../core/accounts/erase-account.ts'
import { removeDroppedBlobs } from '../../core/files/dropped-blobs.ts'
import { contextOf } from '../../core/kernel/context.ts'
import { removeArchives } from '../../core/organization/exports/remove-archives.ts'
import { accountOf, command, email, recordUser } from './command.ts'

/** Erases a person, and the server's own archives, which may have their data. */
export const eraseUser = command(v.object({ email, messages: v.boolean() }), async (chat, { messages, ...given }) => {
  const caller = await systemCaller(chat)
  const { id: user_id } = await accountOf(caller, given.email)
  const exports = await caller.write(removeArchives)
  await eraseAccount(caller, user_id, { messages })
  await removeDroppedBlobs(contextOf(chat))
  await caller.write((tx) => recordUser(tx, 'eraseUser', user_id, async () => {}, { messages }))
  return { user_id, messages, exports }
})
