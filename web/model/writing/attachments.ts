import { basePath } from '../here.ts'
import type { Session } from '../state/session.ts'
import { uploadsOf } from './uploads.ts'

/** A file of the server that a text links to. */
export interface Attachment {
  name: string
  /** The link or image as it is written. */
  markdown: string
  /** The address of a picture of it. */
  picture: string | undefined
}

const LINK = /!?\[([^\]\n]*)\]\((\/user_uploads\/[^)\s]+)\)/g
const PICTURE = /\.(?:avif|bmp|gif|jpe?g|png|webp)$/i

export const attachmentsIn = (session: Session, text: string): Attachment[] =>
  [...text.matchAll(LINK)].map(([markdown, name, url]) => ({
    name: name!,
    markdown,
    picture: uploadsOf(session).pictureOf(url!) ?? (PICTURE.test(url!) ? basePath.slice(0, -1) + url! : undefined),
  }))
