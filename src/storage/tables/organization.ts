import type { Generated } from 'kysely'
import type { Flag } from '../flags.ts'

export interface OrganizationTable {
  id: Generated<number>
  name: string
  description: string
  created_at: number
  uuid: string
  /** null while it is active. */
  deactivated_at: number | null
}

/** Only values that differ from the declared default have a row. `value` is JSON. */
export interface OrganizationSettingTable {
  name: string
  value: string
}

export interface CustomEmojiTable {
  id: Generated<number>
  name: string
  author_id: number | null
  is_deactivated: Flag
  blob_id: number
  content_type: string
  is_animated: Flag
}

export interface LinkifierTable {
  id: Generated<number>
  pattern: string
  url_template: string
  position: number
  /** A text that the pattern matches, for the reverse template. */
  example_input: string | null
  reverse_template: string | null
  /** A JSON list. */
  alternative_url_templates: string
}

export interface PlaygroundTable {
  id: Generated<number>
  name: string
  pygments_language: string
  url_template: string
}

export interface ProfileFieldTable {
  id: Generated<number>
  type: number
  name: string
  hint: string
  field_data: string
  position: number
  display_in_profile_summary: Flag
  required: Flag
  editable_by_user: Flag
  use_for_user_matching: Flag
}

export interface ProfileValueTable {
  user_id: number
  field_id: number
  value: string
  rendered_value: string | null
}

export interface BlobTable {
  id: Generated<number>
  size: number
  content_type: string
  created_at: number
}

export interface BlobChunkTable {
  blob_id: number
  seq: number
  data: Uint8Array
}

/** At most one row: the fingerprint of the secret that this database's digests were made with. */
export interface SecretFingerprintTable {
  fingerprint: string
}

/** The secret of a database that several machines use, which therefore has no file for it. At most one row. */
export interface SharedSecretTable {
  value: Uint8Array
}
