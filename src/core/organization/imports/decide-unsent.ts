import { cleanContent, type RecordOf } from '../../../import/format.ts'
import { topicOf } from '../../../import/readers/topic-names.ts'
import { MAX_DIRECT_PARTICIPANTS } from '../../kernel/base/limits.ts'
import { LATEST } from '../../messages/send/schedule.ts'
import type { PeopleDecider } from './decide-people.ts'
import type { Decision } from './decision.ts'
import type { Report } from './report.ts'

const MAX_NOTE = 1000
/** Reminders are in memory until the messages are written. */
const MAX_REMINDERS = 20_000

interface Situation {
  report: Report
  people: PeopleDecider
  /** Whether a message that has come is imported. */
  isImported(id: string): boolean
  /** Seconds since 1970. */
  now: number
}

/** Decides which scheduled messages and reminders are imported. Their people and channels are known. */
export function createUnsentDecider({ report, people, isImported, now }: Situation) {
  /** Reminders of messages that haven't come yet, by the message's ID. */
  const waiting = new Map<string, { record: RecordOf<'reminder'>; place: string }[]>()
  let reminders = 0

  /** Returns why it isn't imported, if it isn't. */
  function obstacle({ user, date }: { user: string; date: number }): string | undefined {
    if (!people.canSend(user)) return 'its person has no active account'
    if (!(date > now)) return 'its time has passed'
    return date > LATEST ? 'its time is out of range' : undefined
  }

  return {
    *decideScheduled(record: RecordOf<'scheduled_message'>, place: string): Generator<Decision> {
      const leftOut = (reason: string) => report.leftOut('scheduled message', reason, place)
      const reason = obstacle(record)
      if (reason) return leftOut(reason)
      record.content = cleanContent(record.content)
      if (record.content === '') return leftOut('it has no text')
      if (record.channel !== undefined) record.topic = topicOf(record.topic ?? '', '')
      else {
        if (record.direct === undefined) return leftOut('it has no channel or conversation')
        record.direct = yield* people.knownAmong([...record.direct, record.user], place)
        if (record.direct.length > MAX_DIRECT_PARTICIPANTS)
          return leftOut(`its conversation has more than ${MAX_DIRECT_PARTICIPANTS} people`)
      }
      report.imported('scheduled message')
      yield { record, place }
    },
    *decideReminder(record: RecordOf<'reminder'>, place: string): Generator<Decision> {
      const reason = obstacle(record)
      if (reason) return report.leftOut('reminder', reason, place)
      if (++reminders > MAX_REMINDERS) return report.leftOut('reminder', `there are more than ${MAX_REMINDERS}`, place)
      if ([...(record.note ?? '')].length > MAX_NOTE) {
        record.note = [...record.note!].slice(0, MAX_NOTE).join('')
        report.changed('reminder', `its note is longer than ${MAX_NOTE} characters`, place)
      }
      if (isImported(record.message)) {
        report.imported('reminder')
        yield { record, place }
        return
      }
      waiting.set(record.message, [...(waiting.get(record.message) ?? []), { record, place }])
    },
    /** Yields the reminders of a message that is imported. */
    *remindersOf(message: string): Generator<Decision> {
      const theirs = waiting.get(message)
      if (!theirs) return
      waiting.delete(message)
      for (const one of theirs) {
        report.imported('reminder')
        yield one
      }
    },
    /** Call it after the last record. */
    end(): void {
      for (const { place } of [...waiting.values()].flat())
        report.leftOut('reminder', "its message isn't imported", place)
      waiting.clear()
    },
  }
}
