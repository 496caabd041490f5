import * as v from 'valibot'
import type { Archive } from '../../../import/archive/archive.ts'
import { type ImportRecord, type Placed, type RecordOf, record as recordSchema } from '../../../import/format.ts'
import { topicOf } from '../../../import/readers/topic-names.ts'
import { Refused } from '../../../import/refused.ts'
import { fold } from '../../../storage/index.ts'
import { lengthOf, MAX_STREAM_NAME_LENGTH } from '../../kernel/base/limits.ts'
import { emojiCode } from '../../markup/emoji/catalogue.ts'
import { emojiKey, newEmojiName } from '../emoji/names.ts'
import type { Emoji } from '../emoji/resolve.ts'
import { createMessageDecider } from './decide-messages.ts'
import { createPeopleDecider, type Mapping, type PersonDecision } from './decide-people.ts'
import { createUnsentDecider } from './decide-unsent.ts'
import type { Decision } from './decision.ts'
import type { Existing } from './existing.ts'
import type { Journal } from './journal.ts'
import { NAME, numbered } from './names.ts'
import type { PinChoice } from './newest-pins.ts'
import type { Report } from './report.ts'
import { createSeen } from './seen.ts'

interface Situation {
  archive: Archive
  existing: Existing
  journal: Pick<Journal, 'get'>
  report: Report
  mapping: Mapping
  /** Seconds since 1970. */
  now: number
  source: string
  choosePin: PinChoice
  onPerson?: ((person: PersonDecision) => void) | undefined
}

/**
 * Decides what becomes of each record, and reports it. It writes nothing. Decisions depend only on the source and on the
 * organization before the import, so dry runs and resumed imports come to the same report.
 */
export function createDecider(situation: Situation) {
  const { archive, existing, journal, report, mapping, now, source, choosePin, onPerson } = situation
  const people = createPeopleDecider({ existing, journal, report, mapping, source, onPerson })
  const { decideUser, known, knownAmong } = people
  const channels = new Map<string, string>()
  const channelNames = new Set<string>()
  const groups = new Map<string, readonly string[]>()
  const groupNames = new Set(existing.groups)
  const customEmoji = new Map<string, string>()
  const patterns = new Set(existing.linkifiers)
  const fields = new Set<string>()
  const files = new Set<string>()
  const subscriptions = createSeen()
  const { decideMessage, isImported } = createMessageDecider({ report, people, channels, emojiNamed, choosePin, now })
  const unsent = createUnsentDecider({ report, people, isImported, now })

  function* decide({ record: given, place }: Placed): Generator<Decision> {
    const parsed = v.safeParse(recordSchema, given)
    if (!parsed.success) {
      const [issue] = parsed.issues
      const where = issue.path?.map(({ key }) => String(key)).join('.') ?? ''
      throw new Refused(
        `${place}: ${where === '' ? 'a record' : `"${where.slice(0, 100)}"`} is not valid: ${issue.message.slice(0, 200)}.`,
      )
    }
    const record = parsed.output
    switch (record.type) {
      case 'header':
        return
      case 'left_out':
        return report.leftOut(record.kind, record.reason, record.place, record.count)
      case 'changed':
        return report.changed(record.kind, record.reason, record.place)
      case 'user':
        return yield* decideUser(record, place)
      case 'channel':
        return yield* decideChannel(record, place)
      case 'message':
        return yield* decideMessageAnd(record, place)
      case 'emoji':
        return yield* decideEmoji(record, place)
      case 'group':
        return yield* decideGroup(record, place)
      case 'file':
        return yield* decideFile(record, place)
      default:
        return yield* decideOther(record, place)
    }
  }

  /** Reminders that came before their message follow it. */
  function* decideMessageAnd(record: RecordOf<'message'>, place: string): Generator<Decision> {
    for (const decision of decideMessage(record, place)) {
      yield decision
      if ('reactions' in decision) yield* unsent.remindersOf(record.id)
    }
  }

  function* decideChannel(record: RecordOf<'channel'>, place: string): Generator<Decision> {
    if (channels.has(record.id)) return report.leftOut('channel', 'its ID is a duplicate', place)
    if (record.creator !== undefined && !(yield* known(record.creator, place))) delete record.creator
    report.imported('channel')
    let name = record.name === '' ? 'unnamed' : record.name
    if (lengthOf(name) > MAX_STREAM_NAME_LENGTH) {
      name = [...name].slice(0, MAX_STREAM_NAME_LENGTH).join('').trim()
      report.changed('channel', `the name is longer than ${MAX_STREAM_NAME_LENGTH} characters`, place)
    }
    const same = existing.channels.get(fold(name))
    const before = journal.get('channel', record.id)
    const isReused = before ? !before.isNew : same?.isEmpty && same.isPublic && !record.private && !record.archived
    if (isReused && !channelNames.has(fold(name))) {
      channelNames.add(fold(name))
      channels.set(record.id, name)
      report.channel(record.id, name)
      report.changed('channel', 'an empty channel of the same name is used', place)
      yield { record, place, name, existing: before?.id ?? same!.id }
      return
    }
    const isTaken = (text: string) => channelNames.has(fold(text)) || existing.channels.has(fold(text))
    if (isTaken(name)) {
      report.changed('channel', 'another channel has the name', place)
      name = numbered(name, MAX_STREAM_NAME_LENGTH, isTaken)
    }
    channelNames.add(fold(name))
    channels.set(record.id, name)
    report.channel(record.id, name)
    if (lengthOf(record.description ?? '') > 1024) {
      record.description = [...record.description!].slice(0, 1024).join('')
      report.changed('channel', 'the description is longer than 1024 characters', place)
    }
    yield { record, place, name, existing: undefined }
  }

  function* decideGroup(record: RecordOf<'group'>, place: string): Generator<Decision> {
    if (groups.has(record.id)) return report.leftOut('group', 'its ID is a duplicate', place)
    if (record.active === false) return report.leftOut('group', 'it is deactivated', place)
    groups.set(record.id, record.subgroups ?? [])
    requireTree(record.id, place)
    record.members = yield* knownAmong(record.members, place)
    const isTaken = (text: string) => groupNames.has(fold(text))
    const wanted = [...(record.name.replace(NAME, '').trim() || 'group')].slice(0, 100).join('')
    const name = isTaken(wanted) ? numbered(wanted, 100, isTaken) : wanted
    if (name !== record.name) report.changed('group', 'the name is taken or not allowed', place)
    groupNames.add(fold(name))
    report.imported('group')
    yield { record: { ...record, name }, place }
  }

  /** Refuses groups that contain each other. */
  function requireTree(id: string, place: string): void {
    const path = new Set<string>()
    const stack = [...(groups.get(id) ?? [])]
    while (stack.length > 0) {
      const next = stack.pop()!
      if (next === id) throw new Refused(`${place}: the groups contain each other.`)
      if (path.has(next)) continue
      path.add(next)
      stack.push(...(groups.get(next) ?? []))
    }
  }

  function* decideEmoji(record: RecordOf<'emoji'>, place: string): Generator<Decision> {
    const parsed = v.safeParse(newEmojiName, record.name)
    if (!parsed.success) return report.leftOut('emoji', 'the name is not allowed', place)
    if (!archive.has(record.path)) return report.leftOut('emoji', 'the archive has no image for it', place)
    const name = parsed.output
    if (customEmoji.has(name) || existing.emoji.has(fold(name)))
      return report.leftOut('emoji', 'one with this name already exists', place)
    if (record.active === false) return report.leftOut('emoji', 'it is deactivated', place)
    if (record.author !== undefined && !(yield* known(record.author, place))) delete record.author
    customEmoji.set(name, record.name)
    report.imported('emoji')
    yield { record: { ...record, name }, place }
  }

  function* decideFile(record: RecordOf<'file'>, place: string): Generator<Decision> {
    if (files.has(record.id)) return
    if (!archive.has(record.path)) return report.leftOut('file', "it isn't in the archive", place)
    if (record.user !== undefined && !(yield* known(record.user, place))) delete record.user
    files.add(record.id)
    report.imported('file')
    report.bytes(archive.size(record.path))
    yield { record, place }
  }

  function* decideOther(
    record: Exclude<
      ImportRecord,
      RecordOf<'user' | 'channel' | 'message' | 'emoji' | 'group' | 'file' | 'header' | 'left_out' | 'changed'>
    >,
    place: string,
  ): Generator<Decision> {
    const kind = record.type.replace('_', ' ')
    if ('channel' in record && record.channel !== undefined && !channels.has(record.channel))
      return report.leftOut(kind, "its channel isn't in the source", place)
    if ('user' in record && !(yield* known(record.user, place)))
      return report.leftOut(kind, 'its user is skipped', place)
    if (record.type === 'linkifier') {
      if (patterns.has(record.pattern)) return report.leftOut(kind, 'one with this pattern already exists', place)
      patterns.add(record.pattern)
    }
    if (record.type === 'profile_field') {
      if (fields.has(record.id)) return report.leftOut(kind, 'its ID is a duplicate', place)
      fields.add(record.id)
    }
    if (record.type === 'subscription' && !subscriptions.add(`${record.channel}\n${record.user}`))
      return report.leftOut(kind, 'it is a duplicate', place)
    if (record.type === 'topic_policy') record.topic = topicOf(record.topic, '')
    if (record.type === 'draft' && record.direct) record.direct = yield* knownAmong(record.direct, place)
    if (record.type === 'scheduled_message') return yield* unsent.decideScheduled(record, place)
    if (record.type === 'reminder') return yield* unsent.decideReminder(record, place)
    report.imported(kind)
    yield { record, place }
  }

  /** Finds an emoji by its name. The code of a custom emoji is its name until it is written. */
  function emojiNamed(given: string): Emoji | undefined {
    const name = emojiKey(given)
    if (customEmoji.has(name) || existing.emoji.has(fold(name)))
      return { emoji_name: name, emoji_code: name, reaction_type: 'realm_emoji' }
    if (name === 'zulip') return { emoji_name: name, emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }
    const code = emojiCode(name)
    return code === undefined ? undefined : { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' }
  }

  return { decide, end: unsent.end }
}
