import * as v from 'valibot'
import { requireVoice } from '../access/silence.ts'
import { prepareAvatar, setAvatar } from '../accounts/avatar.ts'
import { setRole } from '../accounts/change-role.ts'
import { fullName } from '../accounts/create.ts'
import { setFullName } from '../accounts/update-user.ts'
import { everyone, only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest, mustBeAdministrator, mustBeOwner } from '../kernel/errors.ts'
import { described, id, integer, text } from '../kernel/fields.ts'
import { isAdministrator, isBot, isGuest, roles } from '../kernel/roles.ts'
import { findUser, type User } from '../kernel/user.ts'
import { requireAllowedFields } from '../review/filters/require.ts'
import { avatarUrl } from '../users/avatars/avatar-url.ts'
import { changeEmail } from '../users/email.ts'
import { changeUser } from '../users/people.ts'
import { accessBot } from './access.ts'
import { picture } from './create.ts'
import { freeAddress } from './domain.ts'
import { BOT_TYPES, interfaceType, payloadUrl, profileChanges, profileParams } from './params.ts'
import { changeProfile } from './profiles/change-profile.ts'
import { botProfile } from './profiles/profile.ts'
import { botView } from './profiles/view.ts'

/**
 * PATCH /bots/{bot_id}: changes a bot, as its owner or an administrator.
 *
 * @throws SILENCED for a new name while a moderator has silenced the caller
 * @throws STREAM_DOES_NOT_EXIST for a default stream that is hidden from the caller
 * @throws BAD_REQUEST "No such bot", for another user's bot, for a role that the caller may not grant, for an invalid
 * owner, and for a name that is taken
 */
export const updateBot = action(
  {
    name: 'updateBot',
    summary: 'Update a bot',
    audit: { subject: 'user', id: ({ bot_id }) => bot_id },
    params: v.object({
      bot_id: described(id, 'ID of the bot.'),
      full_name: described(v.nullish(fullName), 'Full name.'),
      short_name: described(v.nullish(text), 'Its new email address, without "-bot" and the domain.'),
      role: described(v.nullish(integer), '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.'),
      bot_owner_id: described(v.nullish(id), 'ID of the new owner.'),
      service_payload_url: described(v.nullish(payloadUrl), 'URL that an outgoing webhook posts to.'),
      service_interface: described(v.nullish(interfaceType), "Format of its requests: 1 for Zulip's, 2 for Slack's."),
      ...profileParams,
    }),
    result: v.strictObject({
      full_name: v.string(),
      avatar_url: v.string(),
      service_interface: v.nullable(integer),
      service_payload_url: v.nullable(v.string()),
      config_data: v.record(v.string(), v.string()),
      default_sending_stream: v.nullable(v.string()),
      default_events_register_stream: v.nullable(v.string()),
      default_all_public_streams: v.boolean(),
      /** Email address. */
      bot_owner: v.exactOptional(v.string()),
    }),
    file: picture,
    errors: ['STREAM_DOES_NOT_EXIST', 'SILENCED'],
  },
  async (
    caller,
    { bot_id, full_name, short_name, role, bot_owner_id, service_payload_url, service_interface, ...given },
  ) => {
    const avatar = given.file ? await prepareAvatar(given.file.bytes) : undefined
    return caller.write(async (tx) => {
      const bot = await accessBot(tx, bot_id)
      if (avatar) await setAvatar(tx, bot, avatar)
      if (full_name != null && full_name !== bot.full_name) {
        await requireVoice(tx)
        await requireAllowedFields(tx, { full_name })
        await setFullName(tx, bot, full_name)
      }
      if (short_name != null) await changeEmail(tx, bot_id, { delivery_email: await freeAddress(tx, short_name, bot) })
      if (role != null && role !== bot.role) await giveRole(tx, bot, role)
      const before = await botProfile(tx, bot_id)
      const changes = await profileChanges(tx, given, before)
      if (service_payload_url != null || service_interface != null) {
        if (bot.bot_type !== BOT_TYPES.outgoing || !before.service) throw badRequest('Invalid bot type')
        if (service_payload_url === '') throw badRequest('service_payload_url is not a URL')
        const { payload_url, interface: type } = before.service
        changes.service = {
          ...before.service,
          payload_url: service_payload_url ?? payload_url,
          interface: service_interface ?? type,
        }
      }
      await changeProfile(tx, bot, before, changes)
      // Last, because the bot may have another owner afterwards.
      if (bot_owner_id != null && bot_owner_id !== bot.bot_owner_id) await setOwner(tx, bot, bot_owner_id)
      return answer(tx, bot_id)
    })
  },
)

async function giveRole(tx: Tx, bot: User, role: number): Promise<void> {
  if (!isAdministrator(tx.user)) throw mustBeAdministrator()
  if (role < tx.user.role) throw mustBeOwner()
  await setRole(tx, bot.id, role)
}

async function answer(tx: Tx, bot_id: number) {
  const bot = (await findUser(tx.db, bot_id))!
  const { service, ...profile } = await botProfile(tx, bot_id)
  const owner = bot.bot_owner_id === null ? undefined : await findUser(tx.db, bot.bot_owner_id)
  return {
    full_name: bot.full_name,
    avatar_url: avatarUrl(tx.chat, bot),
    service_interface: service?.interface ?? null,
    service_payload_url: service?.payload_url ?? null,
    ...profile,
    ...(owner && { bot_owner: owner.email }),
  }
}

/** Gives a bot to another user. The caller has checked permissions. */
async function setOwner(tx: Tx, bot: User, owner_id: number): Promise<void> {
  const owner = await findUser(tx.db, owner_id)
  if (!owner) throw badRequest('Failed to change owner, no such user')
  if (!owner.is_active) throw badRequest('Failed to change owner, user is deactivated')
  if (isBot(owner)) throw badRequest("Failed to change owner, bots can't own other bots")
  const former = bot.bot_owner_id === null ? undefined : await findUser(tx.db, bot.bot_owner_id)
  await changeUser(tx, bot.id, { bot_owner_id: owner_id })
  const user_id = bot.id
  if (former && !isAdministrator(former)) {
    await emit(tx, { type: 'realm_bot', op: 'delete', bot: { user_id } }, only(former.id))
  }
  if (!isAdministrator(owner)) {
    await emit(tx, { type: 'realm_bot', op: 'add', bot: await botView(tx, user_id) }, only(owner_id))
  }
  await emit(tx, { type: 'realm_user', op: 'update', person: { user_id, bot_owner_id: owner_id } }, everyone)
  // Its key would read what the owner may not.
  if (isGuest(owner)) await setRole(tx, user_id, roles.guest)
}
