import * as v from 'valibot'
import { insertBlob } from '../../storage/index.ts'
import { everyone } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { dropBlob } from '../files/dropped-blobs.ts'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Tx } from '../kernel/context.ts'
import { described, none, uploadedFile } from '../kernel/fields.ts'
import { empty } from '../shapes/values.ts'
import { fitPicture, type Picture, pictureRule } from '../users/avatars/picture.ts'
import { forgetPictures, logoKind, night, type PictureKind, picturesView } from './pictures.ts'

const iconResult = v.strictObject({ icon_url: v.string() })

const file = described(uploadedFile, 'The image, at most 5 MiB.')

const errors = ['BAD_IMAGE', 'TOO_LARGE'] as const

const icon = { width: 100, height: 100, fit: 'cover' } as const

const logo = { width: 800, height: 100, fit: 'inside' } as const

/**
 * POST /realm/icon: sets the organization's icon.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_IMAGE if the file isn't an image, is damaged, or has too many pixels
 * @throws TOO_LARGE
 */
export const uploadIcon = action(
  {
    name: 'uploadIcon',
    summary: "Upload the organization's icon",
    audit: { subject: 'organization', details: () => ({ icon: 'uploaded' }) },
    params: v.object({ file }),
    result: iconResult,
    role: 'administrator',
    file: pictureRule('icon'),
    errors,
  },
  async (caller, { file }) => {
    const picture = await fitPicture(file.bytes, icon)
    return caller.write(async (tx) => {
      await setPicture(tx, 'icon', picture)
      return { icon_url: (await picturesView(tx)).icon_url }
    })
  },
)

/**
 * DELETE /realm/icon: restores the server's own icon.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 */
export const removeIcon = action(
  {
    name: 'removeIcon',
    summary: "Remove the organization's icon",
    audit: { subject: 'organization', details: () => ({ icon: 'removed' }) },
    params: none,
    result: iconResult,
    role: 'administrator',
  },
  (caller) =>
    caller.write(async (tx) => {
      await setPicture(tx, 'icon', undefined)
      return { icon_url: (await picturesView(tx)).icon_url }
    }),
)

/**
 * POST /realm/logo: sets the organization's logo, or the one for dark backgrounds.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_IMAGE if the file isn't an image, is damaged, or has too many pixels
 * @throws TOO_LARGE
 */
export const uploadLogo = action(
  {
    name: 'uploadLogo',
    summary: "Upload the organization's logo",
    audit: { subject: 'organization', details: () => ({ logo: 'uploaded' }) },
    params: v.object({ night, file }),
    result: empty,
    role: 'administrator',
    file: pictureRule('logo'),
    errors,
  },
  async (caller, { night, file }) => {
    const picture = await fitPicture(file.bytes, logo)
    await caller.write((tx) => setPicture(tx, logoKind(night), picture))
    return {}
  },
)

/**
 * DELETE /realm/logo: restores the server's own logo.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 */
export const removeLogo = action(
  {
    name: 'removeLogo',
    summary: "Remove the organization's logo",
    audit: { subject: 'organization', details: () => ({ logo: 'removed' }) },
    params: v.object({ night }),
    result: empty,
    role: 'administrator',
  },
  async (caller, { night }) => {
    await caller.write((tx) => setPicture(tx, logoKind(night), undefined))
    return {}
  },
)

/** Stores or removes an image, and notifies all clients. */
async function setPicture(tx: Tx, kind: PictureKind, picture: Picture | undefined): Promise<void> {
  const { db, chat } = tx
  const before = await db.selectFrom('organization_picture').selectAll().where('kind', '=', kind).executeTakeFirst()
  if (!picture && (before?.blob_id ?? null) === null) return
  const blob_id = picture ? await insertBlob(db, picture.bytes, picture.content_type, seconds(chat.clock)) : null
  const version = (before?.version ?? 0) + 1
  await db
    .insertInto('organization_picture')
    .values({ kind, blob_id, version })
    .onConflict((oc) => oc.column('kind').doUpdateSet({ blob_id, version }))
    .execute()
  if (before && before.blob_id !== null) await dropBlob(tx, before.blob_id, 'read')
  forgetPictures(tx)
  const view = await picturesView(tx)
  const data = { [`${kind}_url`]: view[`${kind}_url`], [`${kind}_source`]: view[`${kind}_source`] }
  await emit(tx, { type: 'realm', op: 'update_dict', property: kind, data }, everyone)
}
