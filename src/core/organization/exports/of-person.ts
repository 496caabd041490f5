import type { NewRecord, Placed } from '../../../import/format.ts'

/**
 * Selects one person's messages, files and settings from an organization's records. Other people keep only their names,
 * and only channels that the person's records refer to are included.
 *
 * @param id the person's id in the records
 * @param hidden channels that they can't read: their own messages there come without names and reactions
 */
export const ofPerson =
  (id: string, hidden: ReadonlySet<string> = new Set()) =>
  async (records: () => AsyncIterable<Placed>): Promise<(record: NewRecord) => NewRecord | undefined> => {
    const channels = new Set<string>()
    const people = new Set([id])
    for await (const { record } of records()) {
      if (!('user' in record) || record.user !== id) continue
      if ('channel' in record && record.channel !== undefined) channels.add(record.channel)
      if ('direct' in record) for (const other of record.direct ?? []) people.add(other)
      if (record.type !== 'message' || isHidden(record, hidden)) continue
      for (const { user } of record.reactions ?? []) people.add(user)
      for (const { user } of record.widget ?? []) people.add(user)
      for (const { user } of record.edits ?? []) if (user !== undefined) people.add(user)
    }
    return (record) => {
      switch (record.type) {
        case 'user':
          if (record.id === id)
            return { ...record, ...(record.muted_users && { muted_users: mutedAmong(record, people) }) }
          return people.has(record.id) ? { type: 'user', id: record.id, name: record.name, stub: true } : undefined
        case 'channel':
          if (!channels.has(record.id)) return undefined
          return hidden.has(record.id) ? { type: 'channel', id: record.id, name: record.id, private: true } : record
        case 'group':
          return record.members.includes(id) ? { ...record, members: [id], subgroups: [] } : undefined
        case 'emoji':
          return record.author === id ? record : undefined
        case 'profile_field':
          return record
        case 'message':
          if (record.user !== id) return undefined
          return withoutOthers(isHidden(record, hidden) ? withoutPlace(record, id) : record, id)
        case 'topic_policy':
          // Others may have renamed the topic since.
          return record.user === id && !hidden.has(record.channel) ? record : undefined
        case 'subscription':
        case 'file':
        case 'snippet':
        case 'draft':
        case 'scheduled_message':
        case 'reminder':
          return record.user === id ? record : undefined
        default:
          return undefined
      }
    }
  }

const mutedAmong = ({ muted_users = [] }: Extract<NewRecord, { type: 'user' }>, people: ReadonlySet<string>) =>
  muted_users.filter((user) => people.has(user))

const lists = ['starred', 'mentioned', 'collapsed', 'alerted', 'topic_mentioned', 'unread', 'received'] as const

type MessageRecord = Extract<NewRecord, { type: 'message' }>

const isHidden = ({ channel }: MessageRecord, hidden: ReadonlySet<string>): boolean =>
  channel !== undefined && hidden.has(channel)

/** A message without its topic, and without what others have added to it since. */
function withoutPlace({ reactions: _, widget, edits, ...record }: MessageRecord, id: string): MessageRecord {
  const own = edits?.flatMap(({ date, content }) => (content === undefined ? [] : [{ date, user: id, content }]))
  const steps = widget?.filter(({ user }) => user === id)
  return { ...record, topic: '', ...(own?.length && { edits: own }), ...(steps && { widget: steps }) }
}

/** A message without other people's flags, such as whether they have read or starred it. */
function withoutOthers(record: MessageRecord, id: string): NewRecord {
  const own = { ...record }
  if (own.pinned?.user !== id) delete own.pinned
  for (const list of lists) {
    if (own[list]?.includes(id)) own[list] = [id]
    else delete own[list]
  }
  return own
}
