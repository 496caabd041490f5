import type { NewRecord, Placed } from '../../../import/format.ts'

/**
 * Selects one person's messages, files and settings from an organization's records. Other people keep only their names,
 * and only channels that the person's records refer to are included.
 *
 * @param id the person's id in the records
 */
export const ofPerson =
  (id: string) =>
  async (records: () => AsyncIterable<Placed>): Promise<(record: NewRecord) => NewRecord | undefined> => {
    const channels = new Set<string>()
    const people = new Set([id])
    for await (const { record } of records()) {
      if (!('user' in record) || record.user !== id) continue
      if ('channel' in record && record.channel !== undefined) channels.add(record.channel)
      if (record.type !== 'message') continue
      for (const other of record.direct ?? []) people.add(other)
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
          return channels.has(record.id) ? record : undefined
        case 'group':
          return record.members.includes(id) ? { ...record, members: [id], subgroups: [] } : undefined
        case 'emoji':
          return record.author === id ? record : undefined
        case 'profile_field':
          return record
        case 'message':
          return record.user === id ? withoutOthers(record, id) : undefined
        case 'subscription':
        case 'topic_policy':
        case 'file':
        case 'snippet':
        case 'draft':
          return record.user === id ? record : undefined
        default:
          return undefined
      }
    }
  }

const mutedAmong = ({ muted_users = [] }: Extract<NewRecord, { type: 'user' }>, people: ReadonlySet<string>) =>
  muted_users.filter((user) => people.has(user))

const lists = ['starred', 'mentioned', 'collapsed', 'alerted', 'topic_mentioned', 'unread', 'received'] as const

/** A message without other people's flags, such as whether they have read or starred it. */
function withoutOthers(record: Extract<NewRecord, { type: 'message' }>, id: string): NewRecord {
  const own = { ...record }
  for (const list of lists) {
    if (own[list]?.includes(id)) own[list] = [id]
    else delete own[list]
  }
  return own
}
