import * as v from 'valibot'
import { failedSignInsOf } from '../../core/accounts/failed-sign-ins.ts'
import { contextOf } from '../../core/kernel/context.ts'
import { auditEntries as entriesOf } from '../../core/organization/audit/rows.ts'
import { accountOf, command, email } from './command.ts'

const PAGE = 1000

/** A page of the audit log, oldest first. */
export const auditEntries = command(
  v.object({
    after: v.number(),
    since: v.optional(v.number()),
    until: v.optional(v.number()),
    actor: v.optional(email),
    action: v.optional(v.string()),
  }),
  async (chat, { after, actor, ...filter }) => {
    await failedSignInsOf(chat).flush()
    const context = contextOf(chat)
    const actor_id = actor === undefined ? undefined : (await accountOf(context, actor)).id
    return { entries: await entriesOf(context.db, { ...filter, actor_id }, { after, count: PAGE }) }
  },
)
