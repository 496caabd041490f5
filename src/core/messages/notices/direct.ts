import type { Caller, Context } from '../../kernel/context.ts'
import { isBot, roles } from '../../kernel/roles.ts'
import { inSlices } from '../../kernel/slices.ts'
import { type User, userColumns } from '../../kernel/user.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import { sendPrepared } from '../send/post-message.ts'
import type { Prepared } from '../send/prepare.ts'

/** Notices in the first of several writes. */
const AT_FIRST = 20

/** Up to this many are sent in the write of the change itself. */
export const FEW_NOTICES = 50

/** Returns whether a user gets notices of the caller's actions that affect them. */
export const isNotified = (caller: Caller, user: User): boolean =>
  user.is_active === 1 && !isBot(user) && user.id !== caller.user.id

/** Sends direct messages from the server, in as many writes as they need. */
export const sendNotices = (caller: Caller, notices: readonly { user: User; prepared: Prepared }[]): Promise<void> =>
  inSlices(caller, notices, AT_FIRST, async (tx, slice) => {
    const sender = await asSystemBot(tx)
    for (const { user, prepared } of slice) await sendPrepared(sender, [user], prepared)
  })

/** Returns the active people who own the organization. */
export const ownersOf = ({ db }: Pick<Context, 'db'>): Promise<User[]> =>
  db
    .selectFrom('user')
    .select(userColumns)
    .where('role', '=', roles.owner)
    .where('is_active', '=', 1)
    .where('bot_type', 'is', null)
    .execute()
