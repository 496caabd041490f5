import { cleanContent, MAX_CONTENT, type RecordOf } from '../../../import/format.ts'
import { topicOf } from '../../../import/readers/topic-names.ts'
import { Refused } from '../../../import/refused.ts'
import { fold } from '../../../storage/index.ts'
import { MAX_DIRECT_PARTICIPANTS, MAX_MESSAGE_BYTES } from '../../kernel/base/limits.ts'
import type { Emoji } from '../emoji/resolve.ts'
import type { PeopleDecider } from './decide-people.ts'
import type { Decision } from './decision.ts'
import { type PinChoice, pinsPerChannel } from './newest-pins.ts'
import type { Report } from './report.ts'
import { createSeen } from './seen.ts'
import { isReadable, stepsOf, type WidgetStep } from './widgets.ts'

const FIRST_DATE = 1
const DAY = 86_400
const personalLists = ['starred', 'collapsed', 'mentioned', 'topic_mentioned', 'alerted', 'unread', 'received'] as const

interface Situation {
  report: Report
  people: PeopleDecider
  /** Names of the source's channels so far, by the source's ID. */
  channels: ReadonlyMap<string, string>
  emojiNamed(given: string): Emoji | undefined
  choosePin: PinChoice
  /** Seconds since 1970. */
  now: number
}

/** Decides which messages are imported, with which reactions, flags and edits. */
export function createMessageDecider({ report, people, channels, emojiNamed, choosePin, now }: Situation) {
  const { known, knownAmong } = people
  const messages = createSeen()
  /** Decided messages that are left out. */
  const lost = createSeen()
  const topics = createSeen()
  const isPossible = (date: number): boolean => date >= FIRST_DATE && date <= now + DAY

  function* decideMessage(record: RecordOf<'message'>, place: string): Generator<Decision> {
    const { date } = record
    if (!isPossible(date)) {
      throw new Refused(`${place}: the date ${date} of a message is out of range.`)
    }
    if (!messages.add(record.id)) return report.leftOut('message', 'its ID is a duplicate', place)
    const leftOut = (reason: string) => {
      lost.add(record.id)
      report.leftOut('message', reason, place)
    }
    if (!(yield* known(record.user, place))) return leftOut('the map file skips its sender')
    let content = cleanContent(record.content)
    if (content === '') return leftOut('it has no text')
    if (record.channel !== undefined) {
      if (!channels.has(record.channel)) return leftOut("its channel isn't in the source")
      const topic = topicOf(record.topic ?? '', '')
      if (topic !== (record.topic ?? '')) report.changed('message', 'its topic is longer than 60 characters', place)
      if (topics.add(`${record.channel}\n${fold(topic)}`)) report.imported('topic')
      record.topic = topic
    } else {
      const all = yield* knownAmong([...(record.direct ?? []), record.user], place)
      if (record.direct === undefined) return leftOut('it has no channel or conversation')
      if (all.length > MAX_DIRECT_PARTICIPANTS)
        return leftOut(`its conversation has more than ${MAX_DIRECT_PARTICIPANTS} people`)
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
    if (record.pinned && !(yield* decidePin(record, record.pinned, place))) delete record.pinned
    for (const list of personalLists) {
      if (record[list] && record[list].length > 0) record[list] = yield* knownAmong(record[list], place)
    }
    if (record.starred) report.imported('star', record.starred.length)
    for (const edit of record.edits ?? []) if (edit.user !== undefined) yield* known(edit.user, place)
    if (record.widget) record.widget = yield* decideWidget(record, place)
    report.imported('message')
    report.message(record.channel, date)
    yield { record, place, reactions }
  }

  /** Returns whether a message stays pinned, as far as is known. */
  function* decidePin(
    { id, channel, date }: RecordOf<'message'>,
    pinned: NonNullable<RecordOf<'message'>['pinned']>,
    place: string,
  ): Generator<Decision, boolean> {
    if (channel === undefined) report.leftOut('pin', 'pinned direct messages are not supported', place)
    else if (!(yield* known(pinned.user, place))) report.leftOut('pin', 'the map file skips its user', place)
    else {
      // Databases don't store every number, and an impossible date must not displace other pins.
      if (pinned.date !== undefined && !isPossible(pinned.date)) delete pinned.date
      const pin = { message_id: id, pinned_at: Math.floor(pinned.date ?? date), place }
      const ended = choosePin(channel, pin)
      if (ended) report.leftOut('pin', `there are more than ${pinsPerChannel} in its channel`, ended.place)
      else report.imported('pin')
      return ended !== pin
    }
    return false
  }

  /** Returns what starts a poll or to-do list, and the votes and changes of people who are imported. */
  function* decideWidget(record: RecordOf<'message'>, place: string): Generator<Decision, WidgetStep[]> {
    const [first, ...changes] = stepsOf(record) ?? []
    if (!first) {
      for (const _ of record.widget ?? []) report.leftOut('vote', 'its message starts no poll', place)
      return []
    }
    const decided = [first]
    for (const step of changes) {
      if (!isReadable(step)) report.leftOut('vote', 'it is malformed', place)
      else if (!(yield* known(step.user, place))) report.leftOut('vote', 'the map file skips its user', place)
      else {
        report.imported('vote')
        decided.push(step)
      }
    }
    return decided
  }

  /** Returns whether a message that has been decided is imported. */
  const isImported = (id: string): boolean => messages.has(id) && !lost.has(id)

  return { decideMessage, isImported }
}
