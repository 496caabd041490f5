import type { ImportReason } from '../../shapes/import.ts'

/** The sentences of each code. Readers write sentences, because their records also come from files of other programs. */
const sentences: Readonly<Record<ImportReason, RegExp>> = {
  duplicate: /duplicate$|already exists$/,
  incomplete: /^it has no (?:ID|name|team|time|date|sender|recipient|channel)|^it is malformed$|starts no poll$/,
  empty: /^it has no text/,
  notice: /^a notice|^a Slack placeholder$/,
  unsupported: /supported$|^it is unknown$|of this type are not imported$/,
  no_channel: /^its channel isn't in|^its room is not imported$/,
  skipped: /^the map file skips |^its user is skipped$/,
  deactivated: /^it is deactivated$/,
  name: /^the name.* not allowed$|^another channel has the name$/,
  too_long: /is longer than \d+ characters$|^it was shortened/,
  kept_long: /^it is longer than new messages/,
  too_many_people: /^its conversation has more than/,
  unknown_emoji: /^its emoji is unknown$/,
  missing_file: /^it isn't in the|^the archive has no image/,
  only_link: /contains only its URL$/,
  not_downloaded: /^it couldn't be downloaded$/,
  deleted: /^it(?:s message)? was deleted$/,
  hidden: /^Slack hides it$/,
  bad_image: /^its image is too large/,
  channel_used: /^an empty channel/,
  kept: /keeps its own$|setting was kept$/,
  stub: /^stubs have none$/,
  password: /^its kind is unknown/,
  bad_address: /^the address is not valid$/,
  shared_address: /has this address$/,
  encrypted: /^it is encrypted$/,
  unknown_person: /say who added it$/,
  star: /as a star$/,
  sent: /^it was sent$/,
  no_message: /^its message isn't imported$/,
  too_many: /^there are more than/,
}

const codes = Object.keys(sentences) as ImportReason[]

/** Returns the code of a reason, which clients word in their languages; undefined for a sentence of another program. */
export const reasonCode = (reason: string): ImportReason | undefined =>
  codes.find((code) => sentences[code].test(reason))
