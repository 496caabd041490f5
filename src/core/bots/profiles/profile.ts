import type { Selectable } from 'kysely'
import { type BotTable, flag } from '../../../storage/index.ts'
import type { Context, SystemTx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { outgoingBots } from './outgoing-bots.ts'

/** The settings of a bot besides its account. */
export interface BotProfile {
  /** Names of streams. */
  default_sending_stream: string | null
  default_events_register_stream: string | null
  default_all_public_streams: boolean
  /** The owner's settings of an integration, by name. */
  config_data: Readonly<Record<string, string>>
  /** Only for an outgoing webhook. */
  service: BotService | null
}

export interface BotService {
  payload_url: string
  /** 1 is the generic format, 2 is Slack's. */
  interface: number
  token: string
}

const plain: BotProfile = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
  config_data: {},
  service: null,
}

/** Returns the profiles of these bots by id. */
export async function botProfiles(
  { chat, db }: Pick<Context, 'chat' | 'db'>,
  ids: readonly number[],
): Promise<Map<number, BotProfile>> {
  const rows = await db.selectFrom('bot').selectAll().where('user_id', 'in', dialectOf(chat).idsIn(ids)).execute()
  const found = new Map(rows.map((row) => [row.user_id, profileOf(row)]))
  return new Map(ids.map((id) => [id, found.get(id) ?? plain]))
}

export async function botProfile(context: Pick<Context, 'chat' | 'db'>, bot_id: number): Promise<BotProfile> {
  return (await botProfiles(context, [bot_id])).get(bot_id)!
}

/** Stores the given values of a bot's profile. */
export async function storeBotProfile(tx: SystemTx, bot_id: number, changes: Partial<BotProfile>): Promise<void> {
  const { service, config_data, default_all_public_streams, ...names } = {
    ...(await botProfile(tx, bot_id)),
    ...changes,
  }
  const values = {
    ...names,
    default_all_public_streams: flag(default_all_public_streams),
    config_data: JSON.stringify(config_data),
    payload_url: service?.payload_url ?? null,
    interface: service?.interface ?? null,
    token: service?.token ?? null,
  }
  await tx.db
    .insertInto('bot')
    .values({ user_id: bot_id, from_message_id: null, ...values })
    .onConflict((oc) => oc.column('user_id').doUpdateSet(values))
    .execute()
  outgoingBots.invalidate(tx)
}

const profileOf = (row: Selectable<BotTable>): BotProfile => ({
  default_sending_stream: row.default_sending_stream,
  default_events_register_stream: row.default_events_register_stream,
  default_all_public_streams: row.default_all_public_streams === 1,
  config_data: JSON.parse(row.config_data),
  service:
    row.payload_url === null || row.token === null
      ? null
      : { payload_url: row.payload_url, interface: row.interface ?? 1, token: row.token },
})
