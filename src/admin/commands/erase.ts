import * as v from 'valibot'
import { systemCaller } from '../../core/accounts/create-organization.ts'
import { everyMessage } from '../../core/accounts/erase.ts'
import { eraseAccount } from '../../core/accounts/erase-account.ts'
import { contextOf } from '../../core/kernel/context.ts'
import { accountOf, command, email } from './command.ts'

/** Erases a person, and the server's own archives, which may have their data. */
export const eraseUser = command(v.object({ email, messages: v.boolean() }), async (chat, { messages, ...given }) => {
  const { id } = await accountOf(contextOf(chat), given.email)
  const erased = await eraseAccount(await systemCaller(chat, { except: id }), id, messages ? everyMessage : {})
  return { ...erased, messages }
})
