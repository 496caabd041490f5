import { type Db, statement } from '../../../storage/index.ts'
import { defineCache } from '../../kernel/cache.ts'
import type { SystemTx } from '../../kernel/context.ts'

/** Messages that an outgoing webhook receives in its streams, besides direct messages and mentions. */
export interface MessageFilter {
  /** Name of the stream; any by default. */
  stream?: string
  topic?: string
}

/** An active outgoing webhook. */
export interface OutgoingBot {
  id: number
  /** It receives messages after this one. */
  from_message_id: number
  filter: MessageFilter | undefined
  /** Its owner wants it to get messages of other bots, too. */
  receivesBots: boolean
}

/** Read after every message and rarely changed. */
export const outgoingBots = defineCache('outgoing-bots', loadOutgoingBots)

const activeBots = statement((db, _: object) =>
  db
    .selectFrom('bot')
    .innerJoin('user', 'user.id', 'bot.user_id')
    .select(['bot.user_id', 'bot.from_message_id', 'bot.config_data'])
    .where('bot.payload_url', 'is not', null)
    .where('user.is_active', '=', 1)
    .orderBy('bot.user_id'),
)

async function loadOutgoingBots(db: Db): Promise<OutgoingBot[]> {
  const rows = await activeBots(db, {})
  return rows.map((row) => {
    const config: Record<string, string> = JSON.parse(row.config_data)
    return {
      id: row.user_id,
      from_message_id: row.from_message_id ?? 0,
      filter: filterOf(config),
      receivesBots: config.bot_messages === 'true',
    }
  })
}

/** Returns the filter in a bot's config_data. */
function filterOf(config: Readonly<Record<string, string>>): MessageFilter | undefined {
  const { every_message, filter_stream: stream, filter_topic: topic } = config
  if (every_message !== 'true' && stream === undefined && topic === undefined) return undefined
  return { ...(stream !== undefined && { stream }), ...(topic !== undefined && { topic }) }
}

/** Makes an outgoing webhook receive only messages sent after this write. */
export async function listenFromNow(tx: SystemTx, bot_id: number): Promise<void> {
  const newest = await tx.db.selectFrom('message').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  await tx.db
    .updateTable('bot')
    .set({ from_message_id: newest?.id ?? 0 })
    .where('user_id', '=', bot_id)
    .execute()
  outgoingBots.invalidate(tx)
}
