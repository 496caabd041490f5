import * as v from 'valibot'
import { fold } from '../../storage/index.ts'
import { can } from '../access/permissions.ts'
import { requireVoice } from '../access/silence.ts'
import { prepareAvatar, setAvatar } from '../accounts/avatar.ts'
import { addUser, fullName } from '../accounts/create.ts'
import { requireKey } from '../accounts/keys.ts'
import { action } from '../kernel/action.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest, notPermitted } from '../kernel/errors.ts'
import { described, integer, text } from '../kernel/fields.ts'
import { isBot } from '../kernel/roles.ts'
import { requireAllowedFields } from '../review/filters/require.ts'
import { id } from '../shapes/values.ts'
import { avatarUrl } from '../users/avatars/avatar-url.ts'
import { freeAddress } from './domain.ts'
import { issueBotKey } from './keys.ts'
import { BOT_TYPES, interfaceType, newService, payloadUrl, profileChanges, profileParams } from './params.ts'
import { listenFromNow } from './profiles/outgoing-bots.ts'
import { botProfile } from './profiles/profile.ts'

const MAX_PICTURE_BYTES = 5 * 1024 * 1024
export const picture = { maxBytes: () => MAX_PICTURE_BYTES }

/**
 * POST /bots: creates a bot of the caller's own.
 *
 * @throws SILENCED while a moderator has silenced the caller
 * @throws STREAM_DOES_NOT_EXIST for a default stream that is hidden from the caller
 * @throws BAD_REQUEST if the name or address is taken or invalid, without the permission to create bots of this type,
 * and for an unknown type
 * @example
 * const { user_id, api_key } = await createBot(caller, { full_name: 'Builds', short_name: 'builds', bot_type: 2 })
 */
export const createBot = action(
  {
    name: 'createBot',
    summary: 'Create a bot',
    audit: { subject: 'user', made: ({ user_id }) => user_id },
    params: v.object({
      full_name: described(fullName, 'Full name.'),
      short_name: described(text, 'Its email address, without "-bot" and the domain.'),
      bot_type: described(
        v.nullish(integer, BOT_TYPES.generic),
        '1 generic, 2 incoming webhook (can only send messages), 3 outgoing webhook.',
      ),
      payload_url: described(v.nullish(payloadUrl, ''), 'URL that an outgoing webhook posts to.'),
      interface_type: described(v.nullish(interfaceType, 1), "Format of its requests: 1 for Zulip's, 2 for Slack's."),
      ...profileParams,
    }),
    result: v.strictObject({
      user_id: id,
      api_key: v.string(),
      avatar_url: v.string(),
      default_sending_stream: v.nullable(v.string()),
      default_events_register_stream: v.nullable(v.string()),
      default_all_public_streams: v.boolean(),
    }),
    secret: true,
    file: picture,
    role: 'member',
    errors: ['STREAM_DOES_NOT_EXIST', 'SILENCED'],
  },
  async (caller, { full_name, short_name, bot_type, payload_url, interface_type, ...given }) => {
    const avatar = given.file ? await prepareAvatar(given.file.bytes) : undefined
    return caller.write(async (tx) => {
      await requireKey(tx)
      await requireCreating(tx, bot_type)
      const address = await freeAddress(tx, short_name)
      await requireFreeName(tx, full_name)
      await requireVoice(tx)
      await requireAllowedFields(tx, { full_name })
      const added = await addUser(tx, {
        email: address,
        full_name,
        bot_type,
        bot_owner_id: tx.user.id,
        bot: {
          ...(await profileChanges(tx, given, await botProfile(tx, 0))),
          ...(bot_type === BOT_TYPES.outgoing && { service: newService(tx, payload_url, interface_type) }),
        },
      })
      const bot = avatar ? await setAvatar(tx, added, avatar) : added
      if (bot_type === BOT_TYPES.outgoing) await listenFromNow(tx, bot.id)
      const { config_data: _, service: __, ...defaults } = await botProfile(tx, bot.id)
      return {
        user_id: bot.id,
        api_key: await issueBotKey(tx, bot.id, full_name),
        avatar_url: avatarUrl(tx.chat, bot),
        ...defaults,
      }
    })
  },
)

async function requireCreating(tx: Tx, bot_type: number): Promise<void> {
  if (bot_type === BOT_TYPES.embedded) throw badRequest('Embedded bots are not enabled.')
  if (!Object.values<number>(BOT_TYPES).includes(bot_type)) throw badRequest('Invalid bot type')
  if (isBot(tx.user)) throw notPermitted()
  const mayCreate =
    (await can(tx, 'can_create_bots_group')) ||
    (bot_type === BOT_TYPES.incoming && (await can(tx, 'can_create_write_only_bots_group')))
  if (!mayCreate) throw notPermitted()
}

async function requireFreeName(tx: Tx, full_name: string): Promise<void> {
  const same = await tx.db
    .selectFrom('user')
    .select('id')
    .where('name_key', '=', fold(full_name))
    .where('is_active', '=', 1)
    .executeTakeFirst()
  if (same) throw badRequest('Name is already in use!')
}
