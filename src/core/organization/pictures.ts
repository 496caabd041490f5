import { defineCache } from '../kernel/cache.ts'
import type { Context, SystemTx } from '../kernel/context.ts'
import { bool, described } from '../kernel/fields.ts'
import { servedPath } from '../kernel/public-url.ts'

/** Images of the organization. */
export type PictureKind = 'icon' | 'logo' | 'night_logo'
export const pictureKinds = ['icon', 'logo', 'night_logo'] as const

/** Path of the server's own images, for organizations without uploaded ones. */
export const DEFAULT_PICTURES_PATH = '/static/organization'
/** Path of uploaded images, below the server's own address. */
export const ORGANIZATION_PICTURES_PATH = '/user_avatars/1/realm'

/** The API's names for the source of an image: the server, or an upload. */
const sources = { icon: ['G', 'U'], logo: ['D', 'U'], night_logo: ['D', 'U'] } as const

const stored = defineCache('organization-pictures', async (db) => {
  const rows = await db.selectFrom('organization_picture').selectAll().execute()
  return new Map(rows.map((row) => [row.kind, row]))
})

/** Everything that changes an image must call it. */
export const forgetPictures = (tx: SystemTx): void => stored.invalidate(tx)

/** Addresses and sources of all three, by the names that events use. */
export interface PicturesView {
  icon_url: string
  icon_source: string
  logo_url: string
  logo_source: string
  night_logo_url: string
  night_logo_source: string
}

export async function picturesView(context: Context): Promise<PicturesView> {
  const rows = await stored.get(context)
  const shown = pictureKinds.flatMap((kind) => {
    const row = rows.get(kind)
    const isUploaded = row !== undefined && row.blob_id !== null
    const url = isUploaded
      ? `${ORGANIZATION_PICTURES_PATH}/${kind}.png?version=${row.version}`
      : `${DEFAULT_PICTURES_PATH}/${kind}.png`
    return [
      [`${kind}_url`, servedPath(context.chat, url)],
      [`${kind}_source`, sources[kind][isUploaded ? 1 : 0]],
    ]
  })
  return Object.fromEntries(shown) as PicturesView
}

/** Whether a request is about the logo for dark backgrounds. */
export const night = described(bool, 'Whether this is the logo for dark themes.')
export const logoKind = (isNight: boolean): PictureKind => (isNight ? 'night_logo' : 'logo')
