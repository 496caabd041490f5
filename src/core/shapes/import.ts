import * as v from 'valibot'
import { id, integer, unixTime } from './values.ts'

/** Why records are left out or changed. */
const importReasons = [
  ...(['duplicate', 'incomplete', 'empty', 'notice', 'unsupported', 'no_channel', 'skipped', 'deactivated'] as const),
  ...(['name', 'too_long', 'kept_long', 'too_many_people', 'unknown_emoji', 'missing_file', 'only_link'] as const),
  ...(['not_downloaded', 'deleted', 'hidden', 'bad_image', 'channel_used', 'kept', 'stub', 'password'] as const),
  ...([
    'bad_address',
    'shared_address',
    'encrypted',
    'unknown_person',
    'star',
    'sent',
    'no_message',
    'too_many',
  ] as const),
] as const
export type ImportReason = (typeof importReasons)[number]

const remark = v.strictObject({
  kind: v.string(),
  reason: v.string(),
  /** The code of the reason. Missing in reports of earlier versions, and for sentences of other programs. */
  code: v.optional(v.picklist(importReasons)),
  count: integer,
  /** The first twenty. */
  places: v.array(v.string()),
})

/** What an import brings, or what a dry run says that it would. */
export const importReportShape = v.strictObject({
  source: v.string(),
  /** The source's records by kind, including omitted ones. */
  found: v.record(v.string(), integer),
  imported: v.record(v.string(), integer),
  /** Accounts: matched by email address, created, unable to sign in, and left out. */
  people: v.strictObject({ matched: integer, created: integer, stubs: integer, skipped: integer }),
  changed: v.array(remark),
  left_out: v.array(remark),
  /** People who became stubs, the first twenty. */
  stubs: v.array(v.string()),
  /** The channels with the most messages. */
  channels: v.array(v.strictObject({ name: v.string(), messages: integer })),
  /** Bytes of its files. */
  bytes: integer,
  first_date: v.nullable(v.number()),
  last_date: v.nullable(v.number()),
})

/** An import. It is running or was cut off while `finished_at` and `undone_at` are null. */
export const importShape = v.strictObject({
  id,
  source: v.string(),
  file: v.string(),
  started_at: unixTime,
  finished_at: v.nullable(unixTime),
  undone_at: v.nullable(unixTime),
  messages: integer,
  messages_done: integer,
})

export const importPhases = ['uploading', 'checking', 'ready', 'importing', 'undoing', 'failed'] as const
export const topicChoices = ['one', 'by-day', 'by-gap'] as const

/** The import that is prepared, runs or is undone. */
export const importJobShape = v.strictObject({
  id,
  user_id: id,
  phase: v.picklist(importPhases),
  /** Name of the uploaded file, or of the file or folder on the server. */
  file: v.string(),
  on_server: v.boolean(),
  /** Bytes of the uploaded file, and how many have arrived. */
  size: integer,
  received: integer,
  /** Where the rest of the file goes, as a resumable upload of its owner. */
  upload_url: v.nullable(v.string()),
  topics: v.picklist(topicChoices),
  topic_gap_hours: integer,
  download_files: v.boolean(),
  /** Whether the report matches the options and people. */
  checked: v.boolean(),
  report: v.nullable(importReportShape),
  /** Why it failed. */
  problem: v.nullable(v.string()),
  /** The import that is undone. */
  import_id: v.nullable(id),
  step: v.nullable(v.string()),
  done: integer,
  total: v.nullable(integer),
  started_at: unixTime,
})

export const importPersonShape = v.strictObject({
  /** Position in the list. */
  nth: integer,
  source_id: v.string(),
  name: v.string(),
  email: v.nullable(v.string()),
  is_bot: v.boolean(),
  /** What happens to them: the newest dry run's decision. */
  how: v.picklist(['existing', 'new', 'stub', 'skipped']),
  /** An email address, `stub` or `skip`, if an owner has chosen. */
  account: v.nullable(v.string()),
})
