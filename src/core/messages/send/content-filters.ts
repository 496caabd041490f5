import { after, type Soon } from '../../../storage/index.ts'
import type { Message } from '../../access/messages.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { filtersMatching, type Matches, requireAccepted } from '../../review/filters/require.ts'
import { contentFilters } from '../../review/filters/stored.ts'
import { enqueueReport } from '../../review/report-rows.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import { isFree } from './direct-permission.ts'
import type { Recipient } from './recipient.ts'
import { hasMessages } from './topics.ts'

/** Returns the filters that apply to a message: nobody else reads what people write to themselves and to bots. */
export const applying = (tx: Tx, recipient: Recipient, matches: Matches): Matches =>
  recipient.kind === 'direct' && isFree(tx, recipient.people) ? [] : matches

/** Returns the filters that match the name of a topic that begins with this message. Throws if one rejects it. */
export const topicMatches = (caller: Caller, stream_id: number, topic: string): Soon<Matches> =>
  after(contentFilters.get(caller), (filters) =>
    topic === '' || !filters ? noMatches : matchesOfNew(caller, stream_id, topic),
  )

const noMatches: Matches = []

async function matchesOfNew(caller: Caller, stream_id: number, topic: string): Promise<Matches> {
  const matches = await filtersMatching(caller, topic)
  if (matches.length === 0 || (await hasMessages(caller, stream_id, topic))) return []
  requireAccepted(matches)
  return matches
}

/**
 * Reports a message to the moderators if filters say so. Direct messages are left out: moderators only see the ones that
 * somebody chooses to report.
 */
export async function reportFlagged(tx: Tx, message: Message, matches: Matches): Promise<void> {
  const flagging = matches.filter(({ action }) => action === 'flag')
  if (message.topic_id === null || flagging.length === 0) return
  const description = [...new Set(flagging.map(({ pattern }) => pattern))].join(', ').slice(0, 1000)
  await enqueueReport(await asSystemBot(tx), message, { type: 'filter', description })
}
