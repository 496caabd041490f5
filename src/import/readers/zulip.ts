import { asNumber, asObjects, asText, type Json } from '../archive/json.ts'
import { readMembers } from '../archive/json-members.ts'
import type { NewRecord } from '../format.ts'
import { fromZulip, type ZulipIds } from '../markup/zulip.ts'
import type { Reader } from './reader.ts'
import { fields, groups, people, streams } from './zulip-people.ts'
import { byMemberInTurns, idOf, kinds, placeOf, readTables, recordsOf, type ZulipRecipient } from './zulip-tables.ts'
import { unsent } from './zulip-unsent.ts'

const MESSAGES = /^messages-\d{6}\.json$/
const policies = { 1: 'muted', 2: 'unmuted', 3: 'followed' } as const
const bits = {
  read: 1,
  starred: 2,
  collapsed: 4,
  mentioned: 8,
  topic: 32,
  group: 64,
  alerted: 512,
  historical: 1024,
} as const

/** The flags of each list of people; people without `read` are in `unread`. */
const listBits = {
  starred: bits.starred,
  collapsed: bits.collapsed,
  mentioned: bits.mentioned | bits.group,
  topic_mentioned: bits.topic,
  alerted: bits.alerted,
  unread: 0,
} as const
const listNames = Object.keys(listBits) as (keyof typeof listBits)[]

/** An export of Zulip, or of this server. */
export const zulip: Reader = {
  name: 'zulip',
  recognizes: (archive) =>
    archive.has('realm.json') && archive.names.some((name) => name === 'migration_status.json' || MESSAGES.test(name)),
  async *read(archive) {
    const tables = await readTables(archive)
    yield* fields(tables)
    const avatars = new Map<string, string>()
    for (const entry of await recordsOf(archive, 'avatars')) {
      const path = asText(entry.s3_path) ?? asText(entry.path)
      if (path?.endsWith('.original')) avatars.set(idOf(entry.user_profile_id) ?? '', `avatars/${path}`)
    }
    const users = new Set<string>()
    for (const { record, place } of people(tables, avatars)) {
      users.add(record.id)
      yield { record, place }
    }
    yield* groups(tables)
    const pictures = new Map<string, string>()
    for (const entry of await recordsOf(archive, 'emoji')) {
      const path = asText(entry.s3_path) ?? asText(entry.path)
      if (path && !path.endsWith('.original')) pictures.set(asText(entry.file_name) ?? path, `emoji/${path}`)
    }
    for (const row of tables.rows('zerver_realmemoji')) {
      const path = pictures.get(asText(row.file_name) ?? '') ?? `emoji/${asText(row.file_name)}`
      const author = idOf(row.author)
      const record: NewRecord = {
        type: 'emoji',
        name: asText(row.name) ?? '',
        path,
        active: row.deactivated !== true,
        ...(author && { author }),
      }
      yield { record, place: placeOf('realmemoji', row) }
    }
    for (const row of tables.rows('zerver_realmfilter').toSorted((a, b) => (a.order ?? a.id) - (b.order ?? b.id))) {
      const url_template = asText(row.url_template) ?? asText(row.url_format_string) ?? ''
      yield {
        record: { type: 'linkifier', pattern: asText(row.pattern) ?? '', url_template },
        place: placeOf('realmfilter', row),
      }
    }
    const channels = new Set<string>()
    const isProtected = new Set<string>()
    for (const { record, place, remark } of streams(tables)) {
      if (remark) yield { record: { type: 'changed', kind: 'channel', reason: remark, place }, place }
      channels.add(record.id)
      if (record.protected_history) isProtected.add(record.id)
      yield { record, place }
    }
    const recipients = new Map<string, ZulipRecipient>()
    for (const row of tables.rows('zerver_recipient')) {
      const [id, target, kind] = [idOf(row.id), idOf(row.type_id), asNumber(row.type)]
      if (id && target && kind) recipients.set(id, { kind, id: target })
    }
    const groupMembers = new Map<string, string[]>()
    for (const row of tables.rows('zerver_subscription')) {
      const [recipient, user] = [recipients.get(idOf(row.recipient) ?? ''), idOf(row.user_profile)]
      if (!recipient || !user) continue
      if (recipient.kind === kinds.group)
        groupMembers.set(recipient.id, [...(groupMembers.get(recipient.id) ?? []), user])
      if (recipient.kind !== kinds.stream || row.active === false || !channels.has(recipient.id)) continue
      const color = asText(row.color)?.toLowerCase()
      const record: NewRecord = {
        type: 'subscription',
        channel: recipient.id,
        user,
        muted: row.is_muted === true,
        pinned: row.pin_to_top === true,
        ...(color && /^#[0-9a-f]{6}$/.test(color) && { color }),
      }
      yield { record, place: placeOf('subscription', row) }
    }
    for (const row of tables.rows('zerver_usertopic')) {
      const [channel, user] = [idOf(row.stream), idOf(row.user_profile)]
      const policy = policies[row.visibility_policy as 1]
      if (channel && user && policy)
        yield {
          record: { type: 'topic_policy', channel, user, topic: String(row.topic_name ?? ''), policy },
          place: placeOf('usertopic', row),
        }
    }
    const files = new Set<string>()
    const attached = archive.has('attachment.json') ? await readMembers(archive, 'attachment.json') : undefined
    for (const row of asObjects(attached?.zerver_attachment)) {
      const path = asText(row.path_id)
      if (!path) continue
      files.add(path)
      const [user, date, type] = [idOf(row.owner), asNumber(row.create_time), asText(row.content_type)]
      const record: NewRecord = {
        type: 'file',
        id: path,
        name: asText(row.file_name) ?? 'file',
        path: `uploads/${path}`,
        ...(user && { user }),
        ...(date !== undefined && { date }),
        ...(type && { content_type: type }),
      }
      yield { record, place: placeOf('attachment', row) }
    }
    const ids: ZulipIds = {
      user: (id) => users.has(id),
      channel: (id) => channels.has(id),
      file: (path) => files.has(path),
    }
    yield* unsent(tables, { recipients, groupMembers, channels, ids })
    const reactions = await byMemberInTurns(tables.rows('zerver_reaction'), 'message')
    // Only archives of this server have them.
    const submessages = await byMemberInTurns(tables.rows('zerver_submessage'), 'message')
    const pins = new Map(tables.rows('pinned_message').map((row) => [idOf(row.message), row]))
    const clients = new Map(tables.rows('zerver_client').map((row) => [idOf(row.id), asText(row.name)]))
    tables.rows('zerver_huddle')
    tables.rows('zerver_directmessagegroup')
    tables.rows('zerver_realm')
    yield {
      record: {
        type: 'left_out',
        kind: 'settings',
        reason: "the organization's own setting was kept",
        place: 'realm.json',
      },
      place: 'realm.json',
    }
    yield* tables.leftOut()

    for (const name of archive.names.filter((one) => MESSAGES.test(one))) {
      const file = await readMembers(archive, name)
      const received = await byMemberInTurns(asObjects(file.zerver_usermessage), 'message')
      for (const row of asObjects(file.zerver_message)) {
        const id = idOf(row.id)
        const recipient = recipients.get(idOf(row.recipient) ?? '')
        const user = idOf(row.sender)
        const place = `${name}:${id ?? '?'}`
        if (!id || !recipient || !user) {
          yield {
            record: { type: 'left_out', kind: 'message', reason: 'it has no sender or no recipient', place },
            place,
          }
          continue
        }
        const isProtectedHere = recipient.kind === kinds.stream && isProtected.has(recipient.id)
        const lists = flagged(received.get(id) ?? [], isProtectedHere)
        const direct = recipient.kind === kinds.group ? (groupMembers.get(recipient.id) ?? []) : [recipient.id]
        const content = String(row.content ?? '')
        const client = clients.get(idOf(row.sending_client))
        const steps = submessages.get(id)
        const pin = pins.get(id)
        const [pinner, pinnedAt] = [idOf(pin?.user_profile), asNumber(pin?.pinned_at)]
        const record: NewRecord = {
          type: 'message',
          id,
          user,
          date: asNumber(row.date_sent) ?? Number.NaN,
          content: fromZulip(content, ids),
          ...(recipient.kind === kinds.stream
            ? { channel: recipient.id, topic: String(row.subject ?? '') }
            : { direct: [...new Set([...direct, user])] }),
          ...(client && { client }),
          ...history(row, ids),
          reactions: (reactions.get(id) ?? []).flatMap((one) => {
            const by = idOf(one.user_profile)
            return by ? [{ emoji: asText(one.emoji_name) ?? '', user: by }] : []
          }),
          ...(pinner && { pinned: { user: pinner, ...(pinnedAt !== undefined && { date: pinnedAt }) } }),
          ...lists,
          ...(steps ? { widget: stepsOf(steps) } : /^\/(?:poll|todo)\b/.test(content) && { widget: [] }),
        }
        yield { record, place }
      }
    }
  },
}

type FlagLists = Partial<Record<keyof typeof listBits | 'received', string[]>>

/** People by what they have done with a message, and in a channel with protected history the people who received it. */
function flagged(rows: readonly Json[], isProtected: boolean): FlagLists {
  const found: FlagLists = {}
  const add = (name: keyof FlagLists, user: string) => {
    const list = found[name]
    if (list) list.push(user)
    else found[name] = [user]
  }
  for (const row of rows) {
    const flags: number = row.flags_mask
    // Most rows say only that somebody has read a message.
    if (flags === bits.read && !isProtected) continue
    const user = idOf(row.user_profile)
    if (user === undefined) continue
    for (const name of listNames) if (flags & listBits[name]) add(name, user)
    if (!(flags & bits.read)) add('unread', user)
    if (isProtected && !(flags & bits.historical)) add('received', user)
  }
  return found
}

/** What started a poll or to-do list and changed it, in order. */
const stepsOf = (rows: readonly Json[]) =>
  rows.flatMap((row) => {
    const user = idOf(row.sender)
    return user ? [{ user, content: asText(row.content) ?? '' }] : []
  })

/** When a message was edited and moved, and its earlier versions. */
function history(
  row: Json,
  ids: ZulipIds,
): Pick<Extract<NewRecord, { type: 'message' }>, 'edited' | 'moved' | 'edits'> {
  const last = asNumber(row.last_edit_time)
  if (last === undefined) return {}
  let entries: Json[] = []
  try {
    entries = asObjects(typeof row.edit_history === 'string' ? JSON.parse(row.edit_history) : row.edit_history)
  } catch {}
  const edits = entries.map((entry) => {
    const [user, content, topic] = [
      idOf(entry.user_id),
      asText(entry.prev_content),
      asText(entry.prev_topic ?? entry.prev_subject),
    ]
    return {
      date: asNumber(entry.timestamp) ?? last,
      ...(user && { user }),
      ...(content !== undefined && { content: fromZulip(content, ids) }),
      ...(topic !== undefined && { topic, new_topic: asText(entry.topic) ?? String(row.subject ?? '') }),
    }
  })
  const times = (wanted: (edit: (typeof edits)[number]) => boolean) =>
    Math.max(0, ...edits.filter(wanted).map((edit) => edit.date))
  const edited = edits.length === 0 ? last : times((edit) => 'content' in edit)
  const moved = times((edit) => !('content' in edit))
  return { ...(edited > 0 && { edited }), ...(moved > 0 && { moved }), ...(edits.length > 0 && { edits }) }
}
