import * as v from 'valibot'
import { servedBlob } from '../files/served-blob.ts'
import { action, publicAction } from '../kernel/action.ts'
import { redirect, servedFile } from '../kernel/answers.ts'
import { unknownPath } from '../kernel/errors.ts'
import { described, none, text } from '../kernel/fields.ts'
import { defaultPicture } from './default-pictures.ts'
import { logoKind, night, pictureKinds, picturesView } from './pictures.ts'

/**
 * GET /realm/icon: redirects to the organization's icon.
 *
 * @throws USER_DEACTIVATED when the caller's account was deactivated
 */
export const redirectToIcon = action(
  {
    name: 'redirectToIcon',
    summary: "Redirect to the organization's icon",
    params: none,
    result: redirect,
    answers: 'redirect',
  },
  async (caller) => ({ location: (await picturesView(caller)).icon_url }),
)

/**
 * GET /realm/logo: redirects to the organization's logo.
 *
 * @throws USER_DEACTIVATED when the caller's account was deactivated
 */
export const redirectToLogo = action(
  {
    name: 'redirectToLogo',
    summary: "Redirect to the organization's logo",
    params: v.object({ night }),
    result: redirect,
    answers: 'redirect',
  },
  async (caller, { night }) => ({ location: (await picturesView(caller))[`${logoKind(night)}_url`] as string }),
)

/**
 * GET /static/organization/{file}: returns the server's own icon or logo. No sign-in.
 *
 * @throws NOT_FOUND if there is none
 */
export const getDefaultPicture = publicAction(
  {
    name: 'getDefaultPicture',
    summary: "Get the server's own icon or logo",
    params: v.object({
      file: described(text, 'File name, such as `icon.png`. `icon-medium.png` is 500 pixels wide and high.'),
    }),
    result: servedFile,
    errors: ['NOT_FOUND'],
    answers: 'bytes',
    limit: 'files',
  },
  async (_, { file }) => {
    const picture = defaultPicture(file)
    if (!picture) throw unknownPath()
    return picture
  },
)

/**
 * GET /user_avatars/1/realm/{file}: returns an uploaded icon or logo. No sign-in, because the sign-in page shows it.
 *
 * @throws NOT_FOUND if there is none
 */
export const getOrganizationPicture = publicAction(
  {
    name: 'getOrganizationPicture',
    summary: 'Get an uploaded icon or logo',
    params: v.object({ file: described(text, 'File name: `icon.png`, `logo.png` or `night_logo.png`.') }),
    result: servedFile,
    errors: ['NOT_FOUND'],
    answers: 'bytes',
    limit: 'files',
  },
  async ({ db }, { file }) => {
    const kind = pictureKinds.find((one) => file === `${one}.png`)
    const row =
      kind &&
      (await db
        .selectFrom('organization_picture')
        .innerJoin('blob', 'blob.id', 'organization_picture.blob_id')
        .select(['blob.id', 'blob.size', 'blob.content_type'])
        .where('kind', '=', kind)
        .executeTakeFirst())
    if (!row) throw unknownPath()
    return servedBlob(db, row, { version: `picture-${row.id}`, cache: 'day', embed: 'everywhere' })
  },
)
