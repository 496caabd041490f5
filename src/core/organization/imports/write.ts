import { performance } from 'node:perf_hooks'
import { type Archive, defaultArchiveLimits } from '../../../import/archive/archive.ts'
import type { RecordOf } from '../../../import/format.ts'
import { Refused } from '../../../import/refused.ts'
import { fold } from '../../../storage/index.ts'
import { type Avatar, prepareAvatar } from '../../accounts/avatar.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { nextSize } from '../../kernel/slices.ts'
import { addPerson, loadNames, renderer } from './content.ts'
import type { Decision, MessageDecision, OtherDecision, UnsentDecision } from './decision.ts'
import type { Ending } from './finish.ts'
import type { Journal } from './journal.ts'
import { createMerger } from './merge-index.ts'
import { prepareMessages } from './prepare-messages.ts'
import { writeFile } from './write-files.ts'
import { type OpenPeriods, type PreparedMessage, writeMessages } from './write-messages.ts'
import { writeMutes } from './write-people.ts'
import type { Range } from './write-places.ts'
import { writeRecord } from './write-record.ts'
import { writeUnsent } from './write-unsent.ts'

/** After a power failure, an import resumes from what the database has. */
const RELAXED = { relaxed: true }
const MOST_RECORDS = 200
/** In the first commit. Later ones have as many as fit into a short time. */
const FIRST_RECORDS = 10
/** Larger batches survive young-generation garbage collections, and then take much more memory. */
const MOST_MESSAGES = 250
const FIRST_MESSAGES = 100
/** Smaller commits take longer together, and these take a few milliseconds. */
const FEWEST_MESSAGES = 50
/** Characters of drafts and scheduled messages that wait for the messages. */
const MOST_UNSENT = 2_000_000

interface Situation {
  caller: Caller
  archive: Archive
  journal: Journal
  range: Range
  /** Messages that are in already. */
  done: number
  openPeriods: OpenPeriods
}

/** How many messages, from one of them on, have about as many rows as this many small messages. */
function howMany(messages: readonly PreparedMessage[], from: number, size: number): number {
  let [count, rows] = [0, 0]
  while (from + count < messages.length && (count === 0 || rows < size)) rows += rowsOf(messages[from + count++]!)
  return count
}

/** Characters that take as long to index as a small message takes to store. */
const CHARACTERS_OF_ONE = 500

/** Returns about how many small messages take as long as this message: it may have many rows, or a long text to index. */
const rowsOf = ({ record, reactions, edits, searchText }: PreparedMessage): number =>
  1 +
  searchText.length / CHARACTERS_OF_ONE +
  (reactions.length + edits.length + (record.unread?.length ?? 0) + (record.received?.length ?? 0)) / 8

const isUnsent = (decision: Decision): decision is UnsentDecision =>
  ['draft', 'scheduled_message', 'reminder'].includes(decision.record.type)

/**
 * Writes the decided records in small steps. Each commit includes its part of the journal, and no other write waits
 * long.
 */
export async function createImportWriter({ caller, archive, journal, range, done, openPeriods }: Situation) {
  const names = await loadNames(caller)
  const channels = new Map<string, string>()
  const groups = new Map<string, string>()
  const people = new Map<string, { id: number; full_name: string }>()
  const protectedChannels = new Set<number>()
  const protectedSubscribers = new Map<number, Set<number>>()
  const readUntil: { user_id: number; stream_id: number; until: number }[] = []
  const withMutes: RecordOf<'user'>[] = []
  let render: Awaited<ReturnType<typeof renderer>> | undefined
  let records: OtherDecision[] = []
  let messages: MessageDecision[] = []
  let unsent: UnsentDecision[] = []
  let unsentCharacters = 0
  let count = 0
  let size = FIRST_MESSAGES
  let recordsAtOnce = FIRST_RECORDS
  const merge = createMerger(caller)
  let stored = done

  const keyOf = ({ record, place }: OtherDecision): [kind: string, source: string] => {
    if (record.type === 'subscription') return ['subscription', `${record.channel}\n${record.user}`]
    if (record.type === 'emoji') return ['emoji', record.name]
    return [record.type, 'id' in record ? record.id : place]
  }

  async function flushRecords(): Promise<void> {
    const all = records
    records = []
    for (let at = 0; at < all.length; ) {
      const { record } = all[at]!
      if (record.type === 'file') {
        if (!journal.get('file', record.id)) await writeFile(caller, journal, record, archive)
        at++
        continue
      }
      const end = all.findIndex((other, i) => i > at && other.record.type === 'file')
      const slice = all.slice(at, Math.min(end === -1 ? all.length : end, at + recordsAtOnce))
      await writeRecords(slice.filter((one) => !journal.get(...keyOf(one))))
      for (const one of slice) await remember(one)
      at += slice.length
    }
  }

  async function writeRecords(slice: readonly OtherDecision[]): Promise<void> {
    if (slice.length === 0) return
    const avatars = new Map<string, Avatar>()
    const pictures = new Map<string, Uint8Array>()
    for (const { record } of slice) {
      if (record.type === 'emoji') pictures.set(record.name, await archive.read(record.path))
      if (record.type !== 'user' || record.avatar === undefined || !archive.has(record.avatar)) continue
      // Another server decides how large a download is. One picture doesn't end the import.
      if (archive.size(record.avatar) > defaultArchiveLimits.wholeBytes) continue
      const avatar = await prepareAvatar(await archive.read(record.avatar)).catch(() => undefined)
      if (avatar) avatars.set(record.id, avatar)
    }
    const took = await caller.write(async (tx) => {
      const began = performance.now()
      journal.begin()
      for (const one of slice) await writeRecord(tx, one, { journal, range, avatars, pictures, isProtected })
      return performance.now() - began
    }, RELAXED)
    journal.settle()
    recordsAtOnce = Math.min(MOST_RECORDS, nextSize(recordsAtOnce, took))
    render = undefined
  }

  const protectedSources = new Set<string>()
  const isProtected = (channel: string): boolean => protectedSources.has(channel)

  /** Keeps in memory what later records need of this one; also of one that was written before. */
  async function remember(decision: OtherDecision): Promise<void> {
    if ('user' in decision) {
      const { id } = journal.get('user', decision.record.id)!
      if (decision.user.how === 'existing') {
        const row = await caller.db.selectFrom('user').select('full_name').where('id', '=', id).executeTakeFirst()
        people.set(decision.record.id, { id, full_name: row!.full_name })
      } else {
        const { name, how } = decision.user
        people.set(decision.record.id, { id, full_name: name })
        const isThere = names.users.get(fold(name))?.some((other) => other.id === id)
        const isSilent = how === 'stub' || decision.record.active === false
        if (!isThere) addPerson(names, { id, full_name: name, isSilent })
      }
      if ((decision.record.muted_users?.length ?? 0) > 0) withMutes.push(decision.record)
      return
    }
    if ('existing' in decision) {
      const { record, name } = decision
      const { id, isNew } = journal.get('channel', record.id)!
      channels.set(record.id, name)
      if (!record.archived) names.streams.set(fold(name), { id, name })
      if (isNew && record.private && record.protected_history) protectedChannels.add(id)
      return
    }
    const { record } = decision
    if (record.type === 'group') {
      groups.set(record.id, record.name)
      names.groups.set(fold(record.name), { id: journal.get('group', record.id)!.id, name: record.name })
    }
    if (record.type !== 'subscription') return
    const user_id = journal.get('user', record.user)!.id
    const stream_id = journal.get('channel', record.channel)!.id
    if (record.read_until !== undefined) readUntil.push({ user_id, stream_id, until: record.read_until })
    if (!protectedChannels.has(stream_id)) return
    const known = protectedSubscribers.get(stream_id)
    if (known) known.add(user_id)
    else protectedSubscribers.set(stream_id, new Set([user_id]))
  }

  async function flushMessages(): Promise<void> {
    const all = messages
    messages = []
    render ??= await renderer(caller, names)
    const firstId = range.first + stored
    const prepared = await prepareMessages(all, { caller, journal, render, firstId, channels, groups, people })
    for (let at = 0; at < prepared.length; ) {
      const slice = prepared.slice(at, at + howMany(prepared, at, size))
      const periods: OpenPeriods = new Map()
      const took = await caller.write(async (tx) => {
        const began = performance.now()
        journal.begin()
        periods.clear()
        for (const [stream, open] of openPeriods) periods.set(stream, new Set(open))
        await writeMessages(tx, slice, { journal, range, openPeriods: periods, protectedChannels })
        await advance(tx, stored, slice.length)
        return performance.now() - began
      }, RELAXED)
      journal.settle()
      for (const [stream, open] of periods) openPeriods.set(stream, open)
      stored += slice.length
      at += slice.length
      size = Math.max(FEWEST_MESSAGES, Math.min(MOST_MESSAGES, nextSize(size, took)))
      await merge()
    }
  }

  /** Two processes may not carry out one import. */
  async function advance(tx: Tx, from: number, messages: number): Promise<void> {
    const row = await tx.db
      .updateTable('import')
      .set({ messages_done: from + messages })
      .where('id', '=', journal.import_id)
      .where('messages_done', '=', from)
      .returning('id')
      .executeTakeFirst()
    if (!row) throw new Refused('Another process is running this import.')
  }

  /** Before the end only if there is too much for memory: links in it to messages that are not written yet lead nowhere. */
  async function flushUnsent(isEnd: boolean): Promise<void> {
    const stays = (one: UnsentDecision) => !isEnd && one.record.type === 'reminder'
    const all = unsent.filter((one) => !stays(one))
    unsent = unsent.filter(stays)
    unsentCharacters = 0
    if (all.length === 0) return
    await flushRecords()
    render ??= await renderer(caller, names)
    for (const one of all) await writeUnsent(one, { caller, journal, render, range, channels, groups, people })
  }

  async function flush(): Promise<void> {
    await flushRecords()
    if (messages.length > 0) await flushMessages()
  }

  return {
    async add(decision: Decision): Promise<void> {
      if ('reactions' in decision) {
        if (count++ >= done) messages.push(decision)
      } else if (isUnsent(decision)) {
        unsent.push(decision)
        unsentCharacters += 100 + ('content' in decision.record ? decision.record.content.length : 0)
        if (unsentCharacters > MOST_UNSENT) await flushUnsent(false)
      } else {
        if ('existing' in decision && decision.record.private && decision.record.protected_history)
          protectedSources.add(decision.record.id)
        records.push(decision)
      }
      if (records.length >= MOST_RECORDS || messages.length >= MOST_MESSAGES) await flush()
    },
    async end(): Promise<Ending> {
      await flush()
      await flushUnsent(true)
      for (const record of withMutes) {
        await caller.write((tx) => {
          journal.begin()
          return writeMutes(tx, journal, record)
        })
        journal.settle()
      }
      return { readUntil, protectedSubscribers, openPeriods }
    },
    stored: () => stored,
  }
}
