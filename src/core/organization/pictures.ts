import { defineCache } from '../kernel/cache.ts'
import type { Context, SystemTx } from '../kernel/context.ts'
import { bool, described } from '../kernel/fields.ts'
import { servedPath } from '../kernel/public-url.ts'

/** Pictures that the organization is known by. */
export type PictureKind = 'icon' | 'logo' | 'night_logo'
export const pictureKinds = ['icon', 'logo', 'night_logo'] as const

/** Path of the server's own ones, for organizations that have uploaded none. */
export const DEFAULT_PICTURES_PATH = '/static/organization'
/** Path of uploaded ones, below the server's own address. */
export const ORGANIZATION_PICTURES_PATH = '/user_avatars/1/realm'

/** What the API says of a picture that is the server's own, and of an uploaded one. */
const sources = { icon: ['G', 'U'], logo: ['D', 'U'], night_logo: ['D', 'U'] } as const

const stored = defineCache('organization-pictures', async (db) => {
  const rows = await db.selectFrom('organization_picture').selectAll().execute()
  return new Map(rows.map((row) => [row.kind, row]))
})

/** To be called by those who changes one. */
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

/** Which of the two logos a request is about. */
export const night = described(bool, 'Whether it is the one for dark backgrounds.')
export const logoKind = (isNight: boolean): PictureKind => (isNight ? 'night_logo' : 'logo')
