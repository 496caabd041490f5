import type { Caller } from '../../kernel/context.ts'
import { isBot } from '../../kernel/roles.ts'
import { inSlices } from '../../kernel/slices.ts'
import type { User } from '../../kernel/user.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import { sendPrepared } from '../send/post-message.ts'
import type { Prepared } from '../send/prepare.ts'

/** Notices in the first of several writes. */
const AT_FIRST = 20

/** So few are sent in the write of the change they are about. */
export const FEW_NOTICES = 50

/** Whether a user is sent notices of what the caller does to them. */
export const isNotified = (caller: Caller, user: User): boolean =>
  user.is_active === 1 && !isBot(user) && user.id !== caller.user.id

/** Sends direct messages of the server, in as many writes as they need. */
export const sendNotices = (caller: Caller, notices: readonly { user: User; prepared: Prepared }[]): Promise<void> =>
  inSlices(caller, notices, AT_FIRST, async (tx, slice) => {
    const sender = await asSystemBot(tx)
    for (const { user, prepared } of slice) await sendPrepared(sender, [user], prepared)
  })
