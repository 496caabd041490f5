import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { files, root } from '../../../scripts/imports.ts'
import type { Tables } from '../../../src/storage/tables/index.ts'

/**
 * How an archive contains the rows of each table: `exported` by a query in `exports/`, `through` a module that the
 * export calls, or left out for a reason. A table that is missing here doesn't compile.
 */
type Exported = 'exported' | { readonly through: string } | { readonly left_out: string }

const secret = { left_out: 'a secret, which an import makes again' }
const derived = { left_out: 'computed from other tables' }
const passing = { left_out: 'work in progress of this server' }
const clients = { left_out: 'belongs to clients that are connected to this server' }
const noPlace = { left_out: "Zulip's archives have no place for it" }

const tables: Readonly<Record<keyof Tables, Exported>> = {
  alert_word: 'exported',
  api_key: secret,
  audit: noPlace,
  audit_progress: passing,
  archived_message: { left_out: 'deleted for everyone' },
  blob: { through: 'liveBlob' },
  blob_chunk: { through: 'readBlob' },
  bot: 'exported',
  bot_command: noPlace,
  bot_notice: passing,
  bot_storage: 'exported',
  channel_address: secret,
  channel_folder: 'exported',
  conversation: { left_out: 'a stream or direct_participant has the same id' },
  custom_emoji: { through: 'customEmojiById' },
  data_export: { left_out: 'archives of this server stay on it' },
  default_stream: 'exported',
  default_stream_group: noPlace,
  device: clients,
  push_delivery: passing,
  push_progress: passing,
  direct_participant: 'exported',
  draft: 'exported',
  draft_file: 'exported',
  dropped_blob: passing,
  email_change: passing,
  event: clients,
  event_log_state: clients,
  feed: noPlace,
  feed_entry: passing,
  file: 'exported',
  file_space: derived,
  idempotency_key: clients,
  import: passing,
  import_job: passing,
  import_job_person: passing,
  import_object: passing,
  import_unread: passing,
  incoming_delivery: passing,
  invitation: secret,
  known_device: secret,
  linkifier: 'exported',
  mail: passing,
  mail_candidate: passing,
  mail_failure: passing,
  mail_progress: passing,
  mail_received: passing,
  mail_suppressed: passing,
  mailbox_failure: passing,
  mail_server: secret,
  message: 'exported',
  message_edit: 'exported',
  message_file: 'exported',
  message_flag: 'exported',
  migration: { left_out: 'describes this database' },
  muted_user: 'exported',
  navigation_view: 'exported',
  onboarding_step: 'exported',
  organization: 'exported',
  organization_domain: 'exported',
  organization_picture: 'exported',
  organization_setting: { through: 'settingsOf' },
  outgoing_delivery: passing,
  outgoing_progress: passing,
  password_link: secret,
  peer_change: passing,
  unfinished_move: passing,
  export_file: passing,
  pinned_message: 'exported',
  playground: 'exported',
  presence: 'exported',
  profile_field: 'exported',
  profile_value: 'exported',
  push_token: clients,
  queue: clients,
  reaction: 'exported',
  read_range: 'exported',
  recovery_code: secret,
  reply_address: secret,
  reminder: 'exported',
  identity: secret,
  passkey: secret,
  passkey_challenge: secret,
  sign_in_ticket: secret,
  sign_on_problem: passing,
  sign_on_provider: secret,
  sign_on_step: secret,
  totp: secret,
  report: noPlace,
  content_filter: noPlace,
  held_message: { left_out: 'not sent yet' },
  held_message_file: { left_out: 'not sent yet' },
  trusted_author: noPlace,
  terms_acceptance: noPlace,
  report_reason: noPlace,
  restriction: noPlace,
  role_change: clients,
  saved_snippet: 'exported',
  scheduled_message: 'exported',
  scheduled_message_file: 'exported',
  search_progress: derived,
  search_text: derived,
  secret_fingerprint: secret,
  send_receipt: clients,
  shared_secret: secret,
  stream: 'exported',
  submessage: 'exported',
  subscription: 'exported',
  subscription_period: 'exported',
  thumbnail: derived,
  topic: 'exported',
  upload: passing,
  user: 'exported',
  user_group: 'exported',
  user_group_member: 'exported',
  user_group_subgroup: 'exported',
  user_setting: 'exported',
  user_setting_default: { through: 'settingDefaultsOf' },
  user_status: 'exported',
  user_topic: 'exported',
  web_push_delivery: passing,
  web_push_progress: passing,
  web_push_subscription: clients,
  webhook_template: noPlace,
}

/** Files that keep track of archives, which isn't part of their content, and other formats. */
const apart =
  /exports\/(?:alone|export-view|exporter|exports|neutral|of-person|own-exports|stored-export|write-person)\.ts$/
const source = files
  .filter((file) => file.startsWith('src/core/organization/exports/') && !apart.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n')

test('an archive contains every table or has a reason to leave it out', () => {
  for (const [table, how] of Object.entries(tables)) {
    const isQueried = new RegExp(`['"]${table}(?: as \\w+)?['".]`).test(source)
    if (how === 'exported') assert.ok(isQueried, `no query of the export reads ${table}`)
    else if ('through' in how) assert.match(source, new RegExp(`\\b${how.through}\\b`), table)
    else assert.ok(!isQueried, `${table} is exported, although it says: ${how.left_out}`)
  }
})
