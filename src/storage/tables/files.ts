import type { Generated } from 'kysely'
import type { Flag } from '../flags.ts'

/** A complete file that a user uploaded. */
export interface FileTable {
  id: Generated<number>
  /** The path in addresses and messages: `1/5f/<random>/<name>`. */
  path: string
  owner_id: number
  blob_id: number
  /** The sender's name for the file. */
  name: string
  content_type: string
  size: number
  created_at: number
  /** Since when no message refers to it; null while one does. */
  unused_since: number | null
  /** Width of an image that can have a thumbnail, as displayed; null for other files. */
  width: number | null
  height: number | null
  /** Frames of an animation; 1 for any other image. */
  frames: number | null
  /** Whether rows of `thumbnail` exist. */
  has_thumbnail: Flag
  /** How often making thumbnails was started, until messages show them; then null. */
  thumbnail_attempts: number | null
}

/** A file that is still incomplete. */
export interface UploadTable {
  id: Generated<number>
  /** The sender continues the upload in another request with this token; null for an upload in one request. */
  token: string | null
  owner_id: number
  blob_id: number
  name: string
  content_type: string
  /** Total size according to the sender; null if unknown. */
  size: number | null
  received: number
  /** The upload and its data are deleted after this time. */
  expires_at: number
}

/** A message that refers to a file. */
export interface MessageFileTable {
  message_id: number
  file_id: number
}

export interface ScheduledMessageFileTable {
  scheduled_message_id: number
  file_id: number
}

export interface DraftFileTable {
  draft_id: number
  file_id: number
}

/** One row: total bytes of all rows of `file`. */
export interface FileSpaceTable {
  bytes: number
}

/** Bytes without references, kept for a while for downloads in progress. */
export interface DroppedBlobTable {
  blob_id: number
  dropped_at: number
}

/** A thumbnail of an image, in one of the formats of files/images/formats.ts. */
export interface ThumbnailTable {
  file_id: number
  format: string
  blob_id: number
}

/**
 * The organization's icon and logos. A row stays after its image is deleted, so that the next image gets another
 * version.
 */
export interface OrganizationPictureTable {
  kind: 'icon' | 'logo' | 'night_logo'
  blob_id: number | null
  version: number
}
