import { seconds } from '../kernel/base/clock.ts'
import type { Chat } from '../kernel/chat.ts'
import { contextOf } from '../kernel/context.ts'

const DAY = 86_400
/** Days for which a repeated cause sends no second email. */
const SENT_DAYS = 14
const FAILED_DAYS = 30

/** Removes the rows of emails that ended long ago. */
export const removeOldMail = (chat: Chat): Promise<void> =>
  contextOf(chat).write(async ({ db }) => {
    const now = seconds(chat.clock)
    await db
      .deleteFrom('mail')
      .where('state', '=', 'sent')
      .where('ended_at', '<', now - SENT_DAYS * DAY)
      .execute()
    await db
      .deleteFrom('mail')
      .where('state', 'in', ['failed', 'dropped'])
      .where('ended_at', '<', now - FAILED_DAYS * DAY)
      .execute()
  })
