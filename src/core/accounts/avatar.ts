import * as v from 'valibot'
import { insertBlob } from '../../storage/index.ts'
import { requireVoice } from '../access/silence.ts'
import { dropBlob } from '../files/dropped-blobs.ts'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Caller, SystemTx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, none, uploadedFile } from '../kernel/fields.ts'
import { isAdministrator } from '../kernel/roles.ts'
import { findUser, type User } from '../kernel/user.ts'
import { settingsOf } from '../settings/organization.ts'
import { emitAvatarChange } from '../users/avatars/avatar-change.ts'
import { avatarUrl } from '../users/avatars/avatar-url.ts'
import { fitPicture, type Picture, pictureRule } from '../users/avatars/picture.ts'
import { changeUser } from '../users/people.ts'

const result = v.strictObject({ avatar_url: v.string() })

/**
 * POST /users/me/avatar: sets the caller's avatar.
 *
 * @throws BAD_IMAGE if the file isn't an image, is damaged, or has too many pixels
 * @throws TOO_LARGE
 * @throws SILENCED while a moderator has silenced the caller
 * @throws BAD_REQUEST if avatars may not be changed
 */
export const uploadAvatar = action(
  {
    name: 'uploadAvatar',
    summary: 'Upload an avatar',
    params: v.object({ file: described(uploadedFile, 'The image, at most 5 MiB.') }),
    result,
    file: pictureRule('avatar'),
    errors: ['BAD_IMAGE', 'SILENCED', 'TOO_LARGE'],
  },
  async (caller, { file }) => {
    await requireChanging(caller)
    await requireVoice(caller)
    const avatar = await prepareAvatar(file.bytes)
    return caller.write(async (tx) => ({ avatar_url: avatarUrl(tx.chat, await setAvatar(tx, tx.user, avatar)) }))
  },
)

/**
 * DELETE /users/me/avatar: removes the caller's avatar.
 *
 * @throws BAD_REQUEST if avatars may not be changed
 */
export const removeAvatar = action(
  { name: 'removeAvatar', summary: 'Remove your avatar', params: none, result },
  (caller) =>
    caller.write(async (tx) => {
      await requireChanging(tx)
      return { avatar_url: avatarUrl(tx.chat, await setAvatar(tx, tx.user, undefined)) }
    }),
)

async function requireChanging(caller: Caller): Promise<void> {
  const { avatar_changes_disabled } = await settingsOf(caller)
  if (avatar_changes_disabled && !isAdministrator(caller.user)) {
    throw badRequest('Avatar changes are disabled in this organization.')
  }
}

/** An avatar in both sizes. */
export interface Avatar {
  small: Picture
  medium: Picture
}

/** Makes an avatar from an uploaded image. Runs outside of writes. Throws BAD_IMAGE and TOO_LARGE. */
export async function prepareAvatar(bytes: Uint8Array): Promise<Avatar> {
  const square = (side: number) => fitPicture(bytes, { width: side, height: side, fit: 'cover' })
  return { small: await square(100), medium: await square(500) }
}

/** Sets or removes a user's avatar and notifies users who can see them. Returns the updated row. */
export async function setAvatar(tx: SystemTx, user: Pick<User, 'id'>, avatar: Avatar | undefined): Promise<User> {
  const before = (await findUser(tx.db, user.id))!
  if (!avatar && before.avatar_source !== 'U') return before
  const stored = await tx.db
    .selectFrom('user')
    .select(['avatar_blob_id', 'avatar_medium_blob_id'])
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  const put = ({ bytes, content_type }: Picture) => insertBlob(tx.db, bytes, content_type, seconds(tx.chat.clock))
  await changeUser(tx, user.id, {
    avatar_source: avatar ? 'U' : (await settingsOf(tx)).default_avatar_source,
    avatar_version: before.avatar_version + 1,
    avatar_blob_id: avatar ? await put(avatar.small) : null,
    avatar_medium_blob_id: avatar ? await put(avatar.medium) : null,
  })
  for (const blob of [stored.avatar_blob_id, stored.avatar_medium_blob_id]) {
    if (blob !== null) await dropBlob(tx, blob, 'read')
  }
  const after = (await findUser(tx.db, user.id))!
  await emitAvatarChange(tx, before, after)
  return after
}
