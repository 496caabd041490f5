import type { Tx } from '../../kernel/context.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import { silentMention } from '../notices/words.ts'
import { sendToTopic } from '../send/post-message.ts'
import type { Destination, Move, MoveOptions } from './move-details.ts'
import { unreadForNotice } from './resolve-notice.ts'
import { isResolved, isResolveToggle } from './resolved-topics.ts'

/** Posts notices about the move in both topics, from the server's own bot. */
export async function sendMoveNotices(
  tx: Tx,
  move: Move,
  { notifyOldThread, notifyNewThread }: MoveOptions,
): Promise<void> {
  const { from, to } = move
  // A silent mention, because the user who moved them needs no notification.
  const who = silentMention(tx.user)
  const say = async ({ stream, topic }: Destination, content: string, unreadFor?: readonly number[]) =>
    void (await sendToTopic(await asSystemBot(tx), stream.id, topic, content, { unreadFor }))
  if (to.stream.id === from.stream.id && isResolveToggle(from.topic, to.topic)) {
    const state = isResolved(to.topic) ? 'resolved' : 'unresolved'
    await say(to, `${who} has marked this topic as ${state}.`, await unreadForNotice(tx, to))
    return
  }
  const changesSpellingOnly = to.stream.id === from.stream.id && from.topic.toLowerCase() === to.topic.toLowerCase()
  if (notifyOldThread && !changesSpellingOnly)
    await say(from, `${what(move, 'from this topic')} to ${nameOf(to, from)} by ${who}.`)
  if (notifyNewThread && !changesSpellingOnly)
    await say(to, `${what(move, 'here')} from ${nameOf(from, to)} by ${who}.`)
}

function what({ whole, intoNew, total }: Move, where: 'here' | 'from this topic'): string {
  if (where === 'here') {
    if (whole && intoNew) return 'This topic was moved here'
    return total === 1 ? 'A message was moved here' : `${total} messages were moved here`
  }
  if (whole) return 'This topic was moved'
  return total === 1 ? 'A message was moved from this topic' : `${total} messages were moved from this topic`
}

/**
 * Returns a link to a topic for readers of another stream. The name of a private stream is only for its subscribers.
 */
function nameOf({ stream, topic }: Destination, reader: Destination): string {
  if (stream.invite_only && stream.id !== reader.stream.id) return 'a private channel'
  return topic === '' ? `#**${stream.name}**` : `#**${stream.name}>${topic}**`
}
