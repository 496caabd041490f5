import * as v from 'valibot'
import type { Archive } from '../../../import/archive/archive.ts'
import {
  cleanContent,
  type ImportRecord,
  MAX_CONTENT,
  type Placed,
  type RecordOf,
  record as recordSchema,
} from '../../../import/format.ts'
import { topicOf } from '../../../import/readers/topic-names.ts'
import { Refused } from '../../../import/refused.ts'
import { addressKey, fold } from '../../../storage/index.ts'
import { email as emailSchema, fullName } from '../../accounts/create.ts'
import {
  lengthOf,
  MAX_DIRECT_PARTICIPANTS,
  MAX_MESSAGE_BYTES,
  MAX_STREAM_NAME_LENGTH,
} from '../../kernel/base/limits.ts'
import { emojiCode } from '../../markup/emoji/catalogue.ts'
import { systemBots } from '../../users/system-bot.ts'
import { STUB_DOMAIN } from '../../users/view.ts'
import { emojiKey, newEmojiName } from '../emoji/names.ts'
import type { Emoji } from '../emoji/resolve.ts'
import { reportBelongings } from './belongings.ts'
import type { Existing } from './existing.ts'
import type { Journal } from './journal.ts'
import type { Report } from './report.ts'
import { createSeen } from './seen.ts'

/** What to do with a person, according to the map file or their email address. */
export type Mapping = ReadonlyMap<string, string>

export type UserDecision = { how: 'existing'; id: number } | { how: 'new' | 'stub'; email: string; name: string }

/** A record ready to write. */
export type Decision =
  | { record: RecordOf<'user'>; place: string; user: UserDecision }
  | { record: RecordOf<'channel'>; place: string; name: string; existing: number | undefined }
  | { record: RecordOf<'message'>; place: string; reactions: (Emoji & { user: string })[] }
  | {
      record: Exclude<ImportRecord, RecordOf<'user' | 'channel' | 'message' | 'header' | 'left_out' | 'changed'>>
      place: string
    }

interface Situation {
  archive: Archive
  existing: Existing
  journal: Pick<Journal, 'get'>
  report: Report
  mapping: Mapping
  /** Seconds since 1970. */
  now: number
  source: string
}

const FIRST_DATE = 1
const DAY = 86_400
const personalLists = ['starred', 'collapsed', 'mentioned', 'topic_mentioned', 'alerted', 'unread', 'received'] as const
const NAME = /[*`\\>"@]/g

/**
 * Decides what becomes of each record, and reports it. It writes nothing. Decisions depend only on the source and on the
 * organization before the import, so dry runs and resumed imports come to the same report.
 */
export function createDecider({ archive, existing, journal, report, mapping, now, source }: Situation) {
  /** People by the source's ID; false for skipped people. */
  const people = new Map<string, boolean>()
  const emails = new Set<string>()
  const channels = new Map<string, string>()
  const channelNames = new Set<string>()
  const groups = new Map<string, readonly string[]>()
  const groupNames = new Set(existing.groups)
  const customEmoji = new Map<string, string>()
  const patterns = new Set(existing.linkifiers)
  const fields = new Set<string>()
  const files = new Set<string>()
  const subscriptions = createSeen()
  const messages = createSeen()
  const topics = createSeen()

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
        return yield* decideMessage(record, place)
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

  function* decideUser(record: RecordOf<'user'>, place: string): Generator<Decision> {
    if (people.has(record.id)) return report.leftOut('user', 'its ID is a duplicate', place)
    const mapped = mapping.get(record.id) ?? mapping.get(record.email ?? '') ?? mapping.get(record.name)
    if (mapped === 'skip') {
      people.set(record.id, false)
      report.people.skipped++
      return report.leftOut('user', 'the map file skips them', place)
    }
    people.set(record.id, true)
    report.imported('user')
    if (record.owner !== undefined) yield* known(record.owner, place)
    const own = record.system && existing.emails.get(systemBots[record.system].email)
    if (own !== undefined && mapped === undefined) {
      report.people.matched++
      yield { record, place, user: { how: 'existing', id: own } }
      return
    }
    const address = mapped === 'stub' ? undefined : (mapped ?? (record.stub ? undefined : record.email))
    const email = address !== undefined && v.is(emailSchema, address) ? address : undefined
    if (address !== undefined && email === undefined) report.changed('user', 'the address is not valid', place)
    const before = journal.get('user', record.id)
    const id = before
      ? before.isNew
        ? undefined
        : before.id
      : email === undefined
        ? undefined
        : existing.emails.get(addressKey(email))
    if (id !== undefined) {
      report.people.matched++
      reportBelongings(report, record, place, 'existing')
      yield { record, place, user: { how: 'existing', id } }
      return
    }
    const name = personName(record.name, place)
    if (email !== undefined && !emails.has(addressKey(email))) {
      emails.add(addressKey(email))
      report.people.created++
      reportBelongings(report, record, place, 'new')
      yield { record, place, user: { how: 'new', email, name } }
      return
    }
    if (email !== undefined) report.changed('user', 'someone else in the source has this address', place)
    report.people.stubs++
    report.stub(name)
    reportBelongings(report, record, place, 'stub')
    yield { record, place, user: { how: 'stub', email: stubEmail(record.id), name } }
  }

  /** An email address that no mail server accepts, made from the source's ID. */
  function stubEmail(id: string): string {
    const base = `${source}-${id
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, '-')
      .slice(0, 60)}`
    for (let n = 1; ; n++) {
      const email = `${n === 1 ? base : `${base}-${n}`}@${STUB_DOMAIN}`
      if (emails.has(email) || existing.emails.has(email)) continue
      emails.add(email)
      return email
    }
  }

  function personName(given: string, place: string): string {
    let name = given
      .replace(NAME, '')
      .replace(/\|(\d+)$/, ' $1')
      .replace(/\s+/g, ' ')
      .trim()
    if (lengthOf(name) > 100) name = [...name].slice(0, 100).join('').trim()
    if (lengthOf(name) < 2) name = `Person ${name}`.trim()
    if (!v.is(fullName, name)) name = 'Unnamed person'
    if (name !== given) report.changed('user', "the name's length or characters are not allowed", place)
    return name
  }

  /** Adds a person whom the source only mentions. Returns whether their data is imported. */
  function* known(id: string, place: string): Generator<Decision, boolean> {
    const before = people.get(id)
    if (before !== undefined) return before
    yield* decideUser(
      { type: 'user', id, name: `Unknown person ${id.replace(NAME, '').slice(0, 60)}`, stub: true },
      place,
    )
    return people.get(id) === true
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
    report.imported(kind)
    yield { record, place }
  }

  function* knownAmong(ids: readonly string[], place: string): Generator<Decision, string[]> {
    const found: string[] = []
    for (const id of new Set(ids)) if (yield* known(id, place)) found.push(id)
    return found
  }

  function* decideMessage(record: RecordOf<'message'>, place: string): Generator<Decision> {
    const { date } = record
    if (!(date >= FIRST_DATE && date <= now + DAY)) {
      throw new Refused(`${place}: the date ${date} of a message is out of range.`)
    }
    if (!messages.add(record.id)) return report.leftOut('message', 'its ID is a duplicate', place)
    if (!(yield* known(record.user, place))) return report.leftOut('message', 'the map file skips its sender', place)
    let content = cleanContent(record.content)
    if (content === '') return report.leftOut('message', 'it has no text', place)
    if (record.channel !== undefined) {
      if (!channels.has(record.channel)) return report.leftOut('message', "its channel isn't in the source", place)
      const topic = topicOf(record.topic ?? '', '')
      if (topic !== (record.topic ?? '')) report.changed('message', 'its topic is longer than 60 characters', place)
      if (topics.add(`${record.channel}\n${fold(topic)}`)) report.imported('topic')
      record.topic = topic
    } else {
      const all = yield* knownAmong([...(record.direct ?? []), record.user], place)
      if (record.direct === undefined) return report.leftOut('message', 'it has no channel or conversation', place)
      if (all.length > MAX_DIRECT_PARTICIPANTS)
        return report.leftOut('message', `its conversation has more than ${MAX_DIRECT_PARTICIPANTS} people`, place)
      record.direct = all
    }
    if (content.length > MAX_CONTENT) {
      content = content.slice(0, MAX_CONTENT).toWellFormed()
      report.changed('message', `it was shortened to ${MAX_CONTENT} characters`, place)
    } else if (content.length > MAX_MESSAGE_BYTES / 4 && Buffer.byteLength(content) > MAX_MESSAGE_BYTES) {
      report.changed('message', 'it is longer than new messages can be, but was imported in full', place)
    }
    record.content = content
    const reactions: (Emoji & { user: string })[] = []
    const given = new Set<string>()
    for (const { emoji, user } of record.reactions ?? []) {
      const found = emojiNamed(emoji)
      const key = found && `${found.emoji_code}\n${user}`
      if (!found) report.leftOut('reaction', 'its emoji is unknown', place)
      else if (given.has(key!)) report.leftOut('reaction', 'it is a duplicate', place)
      else if (!(yield* known(user, place))) report.leftOut('reaction', 'the map file skips its user', place)
      else {
        given.add(key!)
        report.imported('reaction')
        reactions.push({ ...found, user })
      }
    }
    for (const list of personalLists) {
      if (record[list] && record[list].length > 0) record[list] = yield* knownAmong(record[list], place)
    }
    if (record.starred) report.imported('star', record.starred.length)
    for (const edit of record.edits ?? []) if (edit.user !== undefined) yield* known(edit.user, place)
    for (const { user } of record.widget ?? []) yield* known(user, place)
    report.imported('message')
    report.message(record.channel, date)
    yield { record, place, reactions }
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

  return decide
}

function numbered(name: string, most: number, isTaken: (text: string) => boolean): string {
  for (let n = 2; ; n++) {
    const suffix = ` (${n})`
    const text = [...name].slice(0, most - suffix.length).join('') + suffix
    if (!isTaken(text)) return text
  }
}
