import * as v from 'valibot'
import { admitSpectators } from '../access/spectators.ts'
import { unknownAmong } from '../access/user-visibility.ts'
import { servedBlob } from '../files/served-blob.ts'
import { action, publicAction } from '../kernel/action.ts'
import { redirect, servedBytes, servedFile } from '../kernel/answers.ts'
import { notLoggedIn, unknownPath } from '../kernel/errors.ts'
import { described, text } from '../kernel/fields.ts'
import { publicUrlOf } from '../kernel/public-url.ts'
import { isSpectator } from '../kernel/spectator.ts'
import { findUser } from '../kernel/user.ts'
import { avatarUrl, readAvatarFile } from './avatars/avatar-url.ts'
import { drawAvatar } from './avatars/draw-avatar.ts'
import { type AvatarSize, readDrawnAvatar } from './avatars/drawn-avatar.ts'
import { drawGeometricAvatar } from './avatars/geometric-avatar.ts'
import { findUserByAddress } from './email.ts'
import { unknownAvatarUrl } from './unknown-user.ts'

/** GET /user_avatars/1/drawn/{file}: returns the initials or the geometric avatar that its address describes. No sign-in. */
export const getDrawnAvatar = publicAction(
  {
    name: 'getDrawnAvatar',
    summary: 'Get an avatar that the server draws',
    params: v.object({ file: described(text, 'File name with what is drawn, as in `avatar_url`.') }),
    result: servedFile,
    errors: ['NOT_FOUND'],
    answers: 'bytes',
    limit: 'files',
  },
  async (_, { file }) => {
    const avatar = readDrawnAvatar(file)
    const png = avatar ? await drawAvatar(avatar) : await drawGeometricAvatar(file)
    if (!png) throw unknownPath()
    const about = {
      content_type: 'image/png',
      version: encodeURIComponent(file),
      cache: 'forever',
      embed: 'everywhere',
    } as const
    return servedBytes(png, about)
  },
)

/**
 * GET /user_avatars/1/{file}: returns an uploaded avatar. No sign-in, because only users who can see the user know its
 * address.
 *
 * @throws NOT_FOUND if there is none
 */
export const getUploadedAvatar = publicAction(
  {
    name: 'getUploadedAvatar',
    summary: 'Get an uploaded avatar',
    params: v.object({ file: described(text, 'File name, as in `avatar_url`.') }),
    result: servedFile,
    errors: ['NOT_FOUND'],
    answers: 'bytes',
    limit: 'files',
  },
  async ({ chat, db }, { file }) => {
    const asked = readAvatarFile(chat, file)
    const row =
      asked &&
      (await db
        .selectFrom('user')
        .innerJoin('blob', 'blob.id', asked.size === 'medium' ? 'user.avatar_medium_blob_id' : 'user.avatar_blob_id')
        .select(['blob.id', 'blob.size', 'blob.content_type'])
        .where('user.id', '=', asked.user_id)
        .executeTakeFirst())
    if (!row) throw unknownPath()
    return servedBlob(db, row, { version: `avatar-${row.id}`, cache: 'day', embed: 'everywhere' })
  },
)

const avatarOf = (size: AvatarSize, name: string, summary: string) =>
  action(
    {
      name,
      summary,
      params: v.object({ user: described(text, 'ID or email address of the user.') }),
      result: redirect,
      answers: 'redirect',
      spectators: admitSpectators,
    },
    async (caller, { user: who }) => {
      const isId = /^\d{1,15}$/.test(who)
      // It isn't public whether an address has an account.
      if (!isId && isSpectator(caller.user)) throw notLoggedIn()
      const user = isId ? await findUser(caller.db, Number(who)) : await findUserByAddress(caller, who)
      const known = user && (await unknownAmong(caller, [user.id])).size === 0
      return { location: known ? avatarUrl(caller.chat, user, size) : unknownAvatarUrl(publicUrlOf(caller.chat), size) }
    },
  )

/** GET /avatar/{user}: redirects to a user's avatar, by id or email address; to a blank one for an unknown user. */
export const getAvatar = avatarOf('small', 'getAvatar', "Get a user's avatar")

/** GET /avatar/{user}/medium: redirects to the larger avatar. */
export const getMediumAvatar = avatarOf('medium', 'getMediumAvatar', "Get a larger version of a user's avatar")
