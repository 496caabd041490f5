import type { Generated } from 'kysely'
import type { Flag } from '../flags.ts'

/** A file that somebody uploaded, whole. */
export interface FileTable {
  id: Generated<number>
  /** As addresses and messages name it: `1/5f/<random>/<name>`. */
  path: string
  owner_id: number
  blob_id: number
  /** As its sender called it. */
  name: string
  content_type: string
  size: number
  created_at: number
  /** Since when no message refers to it; null while one does. */
  unused_since: number | null
  /** Of an image that can be shown small, as it is to be seen; null for every other file. */
  width: number | null
  height: number | null
  /** Pictures of an animation; 1 for any other image. */
  frames: number | null
  /** Whether rows of `thumbnail` are there. */
  has_thumbnail: Flag
  /** While messages do not show thumbnails of it yet: how often making them was begun; else null. */
  thumbnail_attempts: number | null
}

/** A file of which not all has arrived. */
export interface UploadTable {
  id: Generated<number>
  /** By which its sender goes on with it in another request; null where it is all in one. */
  token: string | null
  owner_id: number
  blob_id: number
  name: string
  content_type: string
  /** What its sender says it will have; null where they do not say. */
  size: number | null
  received: number
  /** Afterwards it goes, with what has arrived. */
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

/** One row: bytes of all rows of `file`. */
export interface FileSpaceTable {
  bytes: number
}

/** Bytes that nothing refers to any more. They stay a while for those who are reading them. */
export interface DroppedBlobTable {
  blob_id: number
  dropped_at: number
}

/** A smaller copy of an image, in one of the formats of files/images/formats.ts. */
export interface ThumbnailTable {
  file_id: number
  format: string
  blob_id: number
}

/** The organization's own pictures. A row stays when its picture goes: the next one gets another version. */
export interface OrganizationPictureTable {
  kind: 'icon' | 'logo' | 'night_logo'
  blob_id: number | null
  version: number
}
