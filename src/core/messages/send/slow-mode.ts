import type { Db } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Tx } from '../../kernel/context.ts'
import { ChatError } from '../../kernel/errors.ts'
import { isBot, isModerator } from '../../kernel/roles.ts'
import { isMailGateway } from '../../kernel/system-bots.ts'
import type { Stream } from '../../streams/access.ts'

/**
 * Throws SLOW_MODE if the writer's last message in a channel in slow mode is too recent. Moderators and bots don't wait, except
 * the bot that posts the email of strangers: all of them together count as one writer.
 * @NOTE without a `retry-after` header, which would make clients send the message again by themselves
 */
export async function requirePause(tx: Tx, { id, slow_mode_seconds: pause }: Stream): Promise<void> {
  if (!isMailGateway(tx.user) && (isModerator(tx.user) || isBot(tx.user))) return
  const now = seconds(tx.chat.clock)
  const last = await lastSentIn(tx.db, tx.user.id, id, now - pause)
  if (last === undefined) return
  const retry_after = last + pause - now
  throw new ChatError(
    'SLOW_MODE',
    `This channel is in slow mode. You can send your next message ${inWords(retry_after)}.`,
    { retry_after },
  )
}

function inWords(wait: number): string {
  const [amount, unit] =
    wait < 120 ? [wait, 'second'] : wait < 7200 ? [Math.ceil(wait / 60), 'minute'] : [Math.ceil(wait / 3600), 'hour']
  return `in ${amount} ${unit}${amount === 1 ? '' : 's'}`
}

const PAGE = 100

/**
 * Returns when somebody last wrote in a channel after a time, in seconds. It walks back through what they wrote since
 * then, in all channels, by an index.
 */
async function lastSentIn(db: Db, sender_id: number, stream_id: number, after: number): Promise<number | undefined> {
  let before = Number.MAX_SAFE_INTEGER
  for (;;) {
    const page = await db
      .selectFrom('message')
      .select(['id', 'conversation_id', 'sent_at'])
      .where('sender_id', '=', sender_id)
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(PAGE)
      .execute()
    for (const { conversation_id, sent_at } of page) {
      if (sent_at <= after) return undefined
      if (conversation_id === stream_id) return sent_at
    }
    if (page.length < PAGE) return undefined
    before = page.at(-1)!.id
  }
}
