import { asNumber, asText, type Json } from '../archive/json.ts'
import type { NewRecord, Placed } from '../format.ts'
import { fromZulip, type ZulipIds } from '../markup/zulip.ts'
import { idOf, kinds, placeOf, type ZulipRecipient, type ZulipTables } from './zulip-tables.ts'

/** Upstream's type of a scheduled message that is a reminder. */
const REMIND = 2

interface Places {
  recipients: ReadonlyMap<string, ZulipRecipient>
  groupMembers: ReadonlyMap<string, readonly string[]>
  channels: ReadonlySet<string>
  ids: ZulipIds
}

/** What people have saved for later: snippets, drafts, scheduled messages and reminders. */
export function* unsent(tables: ZulipTables, places: Places): Generator<Placed> {
  for (const row of tables.rows('zerver_savedsnippet')) {
    const [user, created] = [idOf(row.user_profile), asNumber(row.date_created)]
    if (!user) continue
    const record: NewRecord = {
      type: 'snippet',
      user,
      title: asText(row.title) ?? '',
      content: asText(row.content) ?? '',
      ...(created !== undefined && { created }),
    }
    yield { record, place: placeOf('savedsnippet', row) }
  }
  // Only archives of this server have them.
  for (const row of tables.rows('zerver_draft')) {
    const [user, edited] = [idOf(row.user_profile), asNumber(row.last_edit_time)]
    if (!user) continue
    const to = (Array.isArray(row.to) ? row.to : []).flatMap((id: Json) => idOf(id) ?? [])
    const record: NewRecord = {
      type: 'draft',
      user,
      content: fromZulip(String(row.content ?? ''), places.ids),
      ...(row.type === 'stream' && to.length === 1 && { channel: to[0]!, topic: String(row.topic ?? '') }),
      ...(row.type === 'private' && { direct: to }),
      ...(edited !== undefined && { edited }),
    }
    yield { record, place: placeOf('draft', row) }
  }
  for (const row of tables.rows('zerver_scheduledmessage')) {
    const place = placeOf('scheduledmessage', row)
    yield { record: scheduled(row, place, places), place }
  }
}

function scheduled(row: Json, place: string, { recipients, groupMembers, channels, ids }: Places): NewRecord {
  const user = idOf(row.sender)
  const date = asNumber(row.scheduled_timestamp)
  const isReminder = row.delivery_type === REMIND
  const kind = isReminder ? 'reminder' : 'scheduled message'
  const leftOut = (reason: string): NewRecord => ({ type: 'left_out', kind, reason, place })
  if (row.delivered === true) return leftOut('it was sent')
  if (!user || date === undefined) return leftOut('it has no sender or no time')
  if (isReminder) {
    const message = idOf(row.reminder_target_message_id)
    const note = asText(row.reminder_note)
    if (!message) return leftOut('its message was deleted')
    return { type: 'reminder', user, message, date, ...(note && { note }) }
  }
  const recipient = recipients.get(idOf(row.recipient) ?? '')
  if (!recipient) return leftOut('it has no recipient')
  const content = fromZulip(String(row.content ?? ''), ids)
  if (recipient.kind === kinds.stream) {
    if (!channels.has(recipient.id)) return leftOut("its channel isn't in the source")
    return { type: 'scheduled_message', user, date, content, channel: recipient.id, topic: String(row.subject ?? '') }
  }
  const direct = recipient.kind === kinds.group ? (groupMembers.get(recipient.id) ?? []) : [recipient.id]
  return { type: 'scheduled_message', user, date, content, direct: [...new Set([...direct, user])] }
}
