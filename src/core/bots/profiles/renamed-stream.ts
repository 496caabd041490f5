import { fold } from '../../../storage/index.ts'
import type { SystemTx } from '../../kernel/context.ts'
import { changeProfile } from './change-profile.ts'
import { botProfiles } from './profile.ts'

/** Renames a stream in the settings of bots, which would otherwise send to a stream that doesn't exist. */
export async function renameInBots(tx: SystemTx, before: string, after: string): Promise<void> {
  const bots = await tx.db
    .selectFrom('bot')
    .innerJoin('user', 'user.id', 'bot.user_id')
    .select(['user.id', 'user.bot_owner_id'])
    .where((eb) =>
      eb.or([
        eb('default_sending_stream', '=', before),
        eb('default_events_register_stream', '=', before),
        // In the owner's spelling.
        eb('config_data', 'like', '%"filter_stream"%'),
      ]),
    )
    .orderBy('user.id')
    .execute()
  const profiles = await botProfiles(
    tx,
    bots.map(({ id }) => id),
  )
  for (const bot of bots) {
    const profile = profiles.get(bot.id)!
    const { default_sending_stream, default_events_register_stream, config_data } = profile
    const isFiltered = fold(config_data.filter_stream ?? '') === fold(before)
    await changeProfile(tx, bot, profile, {
      ...(default_sending_stream === before && { default_sending_stream: after }),
      ...(default_events_register_stream === before && { default_events_register_stream: after }),
      ...(isFiltered && { config_data: { ...config_data, filter_stream: after } }),
    })
  }
}
