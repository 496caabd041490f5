import * as v from 'valibot'
import { systemCaller } from '../../core/accounts/create-organization.ts'
import { mergeAccount } from '../../core/accounts/merging/merge-account.ts'
import { contextOf } from '../../core/kernel/context.ts'
import { accountOf, command, email } from './command.ts'

/** Merges an account that an import created into another one. */
export const mergeUser = command(v.object({ email, into: email }), async (chat, given) => {
  const from = await accountOf(contextOf(chat), given.email)
  const into = await accountOf(contextOf(chat), given.into)
  await mergeAccount(await systemCaller(chat, { except: from.id }), from.id, into.id)
  return { user_id: into.id, email: into.delivery_email }
})
