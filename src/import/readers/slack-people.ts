import { asNumber, asObjects, asText, type Json } from '../archive/json.ts'
import type { NewRecord, Placed } from '../format.ts'
import { emojiName } from '../markup/emoji.ts'

const profileFields = { title: 'Title', phone: 'Phone', skype: 'Skype' } as const

/** A name without its colons and its skin tone. */
export const emojiOf = (given: Json): string | undefined => {
  const name = asText(given)?.replace(/^:/, '').replace(/:.*$/, '')
  return name ? emojiName(name) : undefined
}

export function* fieldRecords(users: readonly Json[]): Generator<Placed> {
  for (const [id, name] of Object.entries(profileFields)) {
    if (!users.some((user) => asText(user?.profile?.[id]))) continue
    yield { record: { type: 'profile_field', id, name, kind: 'short_text' }, place: 'users.json' }
  }
}

export function userRecord(id: string, user: Json): Extract<NewRecord, { type: 'user' }> {
  const profile = user.profile ?? {}
  const name = asText(profile.real_name) ?? asText(user.real_name) ?? asText(profile.display_name) ?? asText(user.name)
  const email = asText(profile.email)
  const status = { text: asText(profile.status_text), emoji: emojiOf(profile.status_emoji) }
  const fields = Object.keys(profileFields).flatMap((field) => {
    const value = asText(profile[field])
    return value === undefined ? [] : [[field, value]]
  })
  const isGuest = user.is_restricted === true || user.is_ultra_restricted === true
  const isAdmin = user.is_admin === true
  return {
    type: 'user',
    id,
    name: name ?? id,
    role: user.is_primary_owner || user.is_owner ? 'owner' : isAdmin ? 'administrator' : isGuest ? 'guest' : 'member',
    active: user.deleted !== true,
    ...(email !== undefined && { email }),
    ...(user.is_bot === true && { bot: true }),
    ...(asText(user.tz) && { timezone: asText(user.tz)! }),
    ...((status.text || status.emoji) && {
      status: { ...(status.text && { text: status.text }), ...(status.emoji && { emoji: status.emoji }) },
    }),
    ...(fields.length > 0 && { profile: Object.fromEntries(fields) }),
  }
}

export function channelRecord(id: string, name: string, given: Json, isPrivate: boolean): NewRecord {
  const description = [asText(given.purpose?.value), asText(given.topic?.value)].filter(Boolean).join(' – ')
  return {
    type: 'channel',
    id,
    name,
    description: description.slice(0, 2000),
    private: isPrivate,
    archived: given.is_archived === true,
    default: given.is_general === true,
    ...(asNumber(given.created) !== undefined && { created: asNumber(given.created)! }),
    ...(asText(given.creator) && { creator: asText(given.creator)! }),
  }
}

export function pinsOf(given: Json): Map<string, string[]> {
  const pins = new Map<string, string[]>()
  for (const pin of asObjects(given.pins)) {
    const [ts, user] = [asText(pin.id), asText(pin.user)]
    if (ts && user) pins.set(ts, [...(pins.get(ts) ?? []), user])
  }
  return pins
}
