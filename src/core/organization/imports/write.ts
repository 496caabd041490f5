import { performance } from 'node:perf_hooks'
import type { Archive } from '../../../import/archive/archive.ts'
import type { RecordOf } from '../../../import/format.ts'
import { Refused } from '../../../import/refused.ts'
import { fold, nextTurn } from '../../../storage/index.ts'
import type { StoredFile } from '../../access/files.ts'
import { type Avatar, prepareAvatar } from '../../accounts/avatar.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { nextSize } from '../../kernel/slices.ts'
import { dialectOf } from '../../kernel/store.ts'
import { searchText } from '../../narrow/search/text.ts'
import { linkifiersOf } from '../linkifiers/stored.ts'
import { addPerson, loadNames, referredTo, renderer, type Targets, withTargets } from './content.ts'
import type { Decision } from './decide.ts'
import type { Ending } from './finish.ts'
import type { Journal } from './journal.ts'
import { writeEmoji, writeFile } from './write-files.ts'
import { type OpenPeriods, type PreparedMessage, writeMessages } from './write-messages.ts'
import { writeGroup, writeMutes, writeProfileField, writeUser } from './write-people.ts'
import { type Range, writeChannel, writeSubscription, writeTopicPolicy } from './write-places.ts'

type MessageDecision = Extract<Decision, { record: RecordOf<'message'> }>
type OtherDecision = Exclude<Decision, MessageDecision>

/** After a power failure, an import resumes from what the database has. */
const RELAXED = { relaxed: true }
const MOST_RECORDS = 200
const MOST_MESSAGES = 1000
const FIRST_MESSAGES = 100
/** Smaller commits take longer together, and these take a few milliseconds. */
const FEWEST_MESSAGES = 50
/** Preparing messages yields to other work after this time. */
const TURN_MS = 10

interface Situation {
  caller: Caller
  archive: Archive
  journal: Journal
  range: Range
  /** Messages that are in already. */
  done: number
  openPeriods: OpenPeriods
}

const linkTo = (id: number, channel: string | undefined, topic: string | undefined): string =>
  channel === undefined ? `#narrow/is/dm/near/${id}` : `#**${channel}>${topic ?? ''}@${id}**`

/**
 * Writes the decided records in small steps. Each commit includes its part of the journal, and no other write waits
 * long.
 */
export async function createImportWriter({ caller, archive, journal, range, done, openPeriods }: Situation) {
  const { chat } = caller
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
  let count = 0
  let size = FIRST_MESSAGES
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
      const slice = all.slice(at, end === -1 ? undefined : end)
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
      const avatar = await prepareAvatar(await archive.read(record.avatar)).catch(() => undefined)
      if (avatar) avatars.set(record.id, avatar)
    }
    await caller.write(async (tx) => {
      journal.begin()
      for (const one of slice) await writeRecord(tx, one, avatars, pictures)
    }, RELAXED)
    journal.settle()
    render = undefined
  }

  async function writeRecord(
    tx: Tx,
    decision: OtherDecision,
    avatars: ReadonlyMap<string, Avatar>,
    pictures: ReadonlyMap<string, Uint8Array>,
  ): Promise<void> {
    if ('user' in decision) {
      await writeUser(tx, journal, decision.record, decision.user, avatars.get(decision.record.id))
      return
    }
    if ('existing' in decision) return void (await writeChannel(tx, journal, decision))
    const { record, place } = decision
    const noted = () => journal.note(tx.db, record.type, place, { id: 0, isNew: false })
    switch (record.type) {
      case 'profile_field':
        return writeProfileField(tx, journal, record)
      case 'group':
        return void (await writeGroup(tx, journal, record))
      case 'emoji':
        return writeEmoji(tx, journal, record, pictures.get(record.name)!)
      case 'subscription':
        return writeSubscription(tx, journal, record, range, isProtected(record.channel))
      case 'topic_policy':
        await writeTopicPolicy(tx, journal, record)
        return noted()
      case 'linkifier': {
        const { id } = await tx.db
          .insertInto('linkifier')
          .values({
            pattern: record.pattern,
            url_template: record.url_template,
            position: 0,
            alternative_url_templates: '[]',
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        linkifiersOf.invalidate(tx)
        return journal.note(tx.db, 'linkifier', place, { id, isNew: true })
      }
      case 'snippet': {
        const user_id = journal.get('user', record.user)!.id
        const title = [...(record.title || 'Untitled')].slice(0, 60).join('')
        const row = { user_id, title, content: record.content, created_at: Math.floor(record.created ?? 0) }
        const { id } = await tx.db.insertInto('saved_snippet').values(row).returning('id').executeTakeFirstOrThrow()
        return journal.note(tx.db, 'snippet', place, { id, isNew: true })
      }
      case 'draft': {
        const stream = record.channel === undefined ? undefined : journal.get('channel', record.channel)!.id
        const to = stream === undefined ? (record.direct ?? []).map((user) => journal.get('user', user)!.id) : [stream]
        const { id } = await tx.db
          .insertInto('draft')
          .values({
            user_id: journal.get('user', record.user)!.id,
            type: stream !== undefined ? 'stream' : record.direct ? 'private' : '',
            recipients: JSON.stringify(to),
            topic: record.topic ?? '',
            content: record.content,
            edited_at: Math.floor(record.edited ?? 0),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        return journal.note(tx.db, 'draft', place, { id, isNew: true })
      }
    }
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
    const prepared = await prepare(all)
    for (let at = 0; at < prepared.length; ) {
      const slice = prepared.slice(at, at + size)
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

  async function prepare(decisions: readonly MessageDecision[]): Promise<PreparedMessage[]> {
    const contents = decisions.map(({ record }) => record.content)
    const files = await filesOf(referredTo(contents, 'file'))
    const byPath = new Map([...files.values()].map((file) => [file.path, file]))
    const links = await linksTo(new Set([...referredTo(contents, 'message'), ...referredTo(contents, 'message_id')]))
    // Also to messages that are written together with it.
    for (const [i, { record }] of decisions.entries()) {
      const id = range.first + stored + i
      const channel = record.channel === undefined ? undefined : channels.get(record.channel)
      links.set(record.id, { id, link: linkTo(id, channel, record.topic) })
    }
    const targets: Targets = {
      user: (source) => people.get(source),
      group: (source) => groups.get(source),
      channel: (source) => channels.get(source),
      message: (source) => links.get(source)?.link,
      messageId: (source) => links.get(source)?.id,
      channelId: (source) => journal.get('channel', source)?.id,
      file: (source) => files.get(source),
    }
    const prepared: PreparedMessage[] = []
    let since = performance.now()
    for (const { record, reactions } of decisions) {
      const content = withTargets(record.content, targets)
      const rendered = render!(content, record.date, (path) => byPath.get(path))
      const attached = rendered.attachmentPaths.flatMap((path) => byPath.get(path) ?? [])
      const id = range.first + stored + prepared.length
      // Earlier versions are rendered too, for the edit history.
      const earlier = record.edits?.map((edit) => {
        if (edit.content === undefined) return { ...edit, html: undefined }
        const before = withTargets(edit.content, targets)
        return { ...edit, content: before, html: render!(before, record.date, () => undefined).html }
      })
      const text = searchText(rendered.html)
      prepared.push({
        id,
        record,
        reactions,
        content,
        rendered,
        searchText: text,
        files: attached,
        edits: earlier ?? [],
      })
      if (performance.now() - since < TURN_MS) continue
      await nextTurn()
      since = performance.now()
    }
    return prepared
  }

  async function filesOf(sources: ReadonlySet<string>): Promise<Map<string, StoredFile>> {
    if (sources.size === 0) return new Map()
    const ids = new Map(
      [...sources].flatMap((source) => {
        const id = journal.get('file', source)?.id
        return id === undefined ? [] : [[id, source] as const]
      }),
    )
    const rows = await caller.db
      .selectFrom('file')
      .selectAll()
      .where('id', 'in', dialectOf(chat).idsIn([...ids.keys()]))
      .execute()
    return new Map(rows.map((row) => [ids.get(row.id)!, row]))
  }

  async function linksTo(sources: ReadonlySet<string>): Promise<Map<string, { id: number; link: string }>> {
    if (sources.size === 0) return new Map()
    const rows = await caller.db
      .selectFrom('import_object')
      .innerJoin('message', 'message.id', 'import_object.object_id')
      .leftJoin('topic', 'topic.id', 'message.topic_id')
      .leftJoin('stream', 'stream.id', 'message.conversation_id')
      .select(['source_id', 'message.id', 'topic.name as topic', 'stream.name as stream'])
      .where('import_id', '=', journal.import_id)
      .where('import_object.kind', '=', 'message')
      .where('source_id', 'in', dialectOf(chat).textsIn([...sources]))
      .execute()
    return new Map(
      rows.map(({ source_id, id, topic, stream }) => [
        source_id,
        { id, link: linkTo(id, stream ?? undefined, topic ?? '') },
      ]),
    )
  }

  async function flush(): Promise<void> {
    await flushRecords()
    if (messages.length > 0) await flushMessages()
  }

  return {
    async add(decision: Decision): Promise<void> {
      if ('reactions' in decision) {
        if (count++ >= done) messages.push(decision)
      } else {
        if ('existing' in decision && decision.record.private && decision.record.protected_history)
          protectedSources.add(decision.record.id)
        records.push(decision)
      }
      if (records.length >= MOST_RECORDS || messages.length >= MOST_MESSAGES) await flush()
    },
    async end(): Promise<Ending> {
      await flush()
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
