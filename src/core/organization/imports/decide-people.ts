import * as v from 'valibot'
import type { RecordOf } from '../../../import/format.ts'
import { addressKey } from '../../../storage/index.ts'
import { email as emailSchema, fullName } from '../../accounts/create.ts'
import { lengthOf } from '../../kernel/base/limits.ts'
import { systemBots } from '../../kernel/system-bots.ts'
import { STUB_DOMAIN } from '../../users/view.ts'
import { reportBelongings } from './belongings.ts'
import type { Decision } from './decision.ts'
import type { Existing } from './existing.ts'
import type { Journal } from './journal.ts'
import { NAME } from './names.ts'
import type { Report } from './report.ts'

/** What to do with a person, according to the map file or their email address. */
export type Mapping = ReadonlyMap<string, string>

export interface PeopleDecider {
  decideUser(record: RecordOf<'user'>, place: string): Generator<Decision>
  /** Adds a person whom the source only mentions. Returns whether their data is imported. */
  known(id: string, place: string): Generator<Decision, boolean>
  /** Returns whether a person can send messages: stubs and deactivated accounts can't. */
  canSend(id: string): boolean
  /** Returns the people among these whose data is imported, each once. */
  knownAmong(ids: readonly string[], place: string): Generator<Decision, string[]>
}

/** What a dry run decided about a person of the source. */
export interface PersonDecision {
  source_id: string
  name: string
  email: string | null
  isBot: boolean
  how: 'existing' | 'new' | 'stub' | 'skipped'
}

interface Situation {
  existing: Existing
  journal: Pick<Journal, 'get'>
  report: Report
  mapping: Mapping
  source: string
  onPerson?: ((person: PersonDecision) => void) | undefined
}

/** Decides which people get a new account, a stub or an existing account. */
export function createPeopleDecider({
  existing,
  journal,
  report,
  mapping,
  source,
  onPerson,
}: Situation): PeopleDecider {
  /** People by the source's ID; false for skipped people. */
  const people = new Map<string, boolean>()
  const emails = new Set<string>()
  const silent = new Set<string>()

  function* decideUser(record: RecordOf<'user'>, place: string): Generator<Decision> {
    if (people.has(record.id)) return report.leftOut('user', 'its ID is a duplicate', place)
    const mapped = mapping.get(record.id) ?? mapping.get(record.email ?? '') ?? mapping.get(record.name)
    const tell = (how: PersonDecision['how']) =>
      onPerson?.({
        source_id: record.id,
        name: record.name,
        email: record.email ?? null,
        isBot: record.bot === true,
        how,
      })
    if (mapped === 'skip') {
      tell('skipped')
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
    const address = mapped === 'stub' ? undefined : (mapped ?? record.email)
    const email = address !== undefined && v.is(emailSchema, address) ? address : undefined
    /** A stub of the source becomes an account when its person is invited. */
    const staysStub = record.stub && mapped === undefined
    if (address !== undefined && email === undefined && !staysStub)
      report.changed('user', 'the address is not valid', place)
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
      tell('existing')
      reportBelongings(report, record, place, 'existing')
      yield { record, place, user: { how: 'existing', id } }
      return
    }
    const name = personName(record.name, place)
    if (email !== undefined && !staysStub && !emails.has(addressKey(email))) {
      emails.add(addressKey(email))
      report.people.created++
      tell('new')
      reportBelongings(report, record, place, 'new')
      if (record.active === false) silent.add(record.id)
      yield { record, place, user: { how: 'new', email, name } }
      return
    }
    if (email !== undefined && !staysStub) report.changed('user', 'someone else in the source has this address', place)
    report.people.stubs++
    tell('stub')
    report.stub(name)
    silent.add(record.id)
    reportBelongings(report, record, place, 'stub')
    // Addresses of stubs and of erased accounts end like this.
    const isKnown = staysStub && email !== undefined && !record.bot && !addressKey(email).endsWith('.invalid')
    yield {
      ...{ record, place },
      user: { how: 'stub', email: stubEmail(record.id), name, ...(isKnown && { address: email }) },
    }
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

  function* known(id: string, place: string): Generator<Decision, boolean> {
    const before = people.get(id)
    if (before !== undefined) return before
    yield* decideUser(
      { type: 'user', id, name: `Unknown person ${id.replace(NAME, '').slice(0, 60)}`, stub: true },
      place,
    )
    return people.get(id) === true
  }

  function* knownAmong(ids: readonly string[], place: string): Generator<Decision, string[]> {
    const found: string[] = []
    for (const id of new Set(ids)) if (yield* known(id, place)) found.push(id)
    return found
  }

  return { decideUser, known, knownAmong, canSend: (id) => !silent.has(id) }
}
