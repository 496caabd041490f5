import type { Archive } from '../archive/archive.ts'
import { bsonDocuments } from '../archive/bson.ts'
import { asObjects, asText, asTexts, type Json, jsonLines } from '../archive/json.ts'
import { type NewRecord, type Placed, reference } from '../format.ts'
import { emojiName } from '../markup/emoji.ts'
import { withNames } from '../markup/names.ts'
import { Refused } from '../refused.ts'
import { leftOut, type Reader } from './reader.ts'
import { mainTopics, topicNames } from './topic-names.ts'

const MAIN_TOPIC = 'imported from Rocket.Chat'
const SECOND = 1000

/** The documents of a collection, from `mongodump` or, as lines, from `mongoexport`. */
async function* collection(archive: Archive, name: string): AsyncGenerator<Json> {
  if (archive.has(`${name}.bson`)) yield* bsonDocuments(archive, `${name}.bson`)
  else if (archive.has(`${name}.json`)) for await (const { value } of jsonLines(archive, `${name}.json`)) yield value
}

/** Seconds of a date: milliseconds in BSON, `{$date}` in JSON. */
function dateOf(value: Json): number | undefined {
  const given = value?.$date?.$numberLong ?? value?.$date ?? value
  const parsed = typeof given === 'string' && !/^\d+$/.test(given) ? Date.parse(given) : Number(given ?? Number.NaN)
  return Number.isFinite(parsed) ? parsed / SECOND : undefined
}

interface Room {
  /** People of a direct conversation. */
  direct?: string[]
  /** The channel that its messages are in. */
  channel?: string
  /** Of a discussion, which becomes a topic of its channel. */
  topic?: string
}

/** A dump of Rocket.Chat's database. */
export const rocketchat: Reader = {
  name: 'rocketchat',
  recognizes: (archive) =>
    ['bson', 'json'].some((ending) => archive.has(`rocketchat_room.${ending}`) && archive.has(`users.${ending}`)),
  async *read(archive, { topics }) {
    const users = new Map<string, string>()
    const byName = new Map<string, string>()
    let nth = 0
    for await (const user of collection(archive, 'users')) {
      const [id, name] = [asText(user?._id), asText(user?.username)]
      const place = `users:${++nth}`
      if (id === undefined || name === undefined) {
        yield leftOut('user', 'it has no ID or no name', place)
        continue
      }
      users.set(id, name)
      byName.set(name, id)
      yield { record: userRecord(id, name, user), place }
    }

    const given = new Map<string, Json>()
    for await (const room of collection(archive, 'rocketchat_room'))
      if (asText(room?._id)) given.set(asText(room._id)!, room)
    const nameThread = topicNames(MAIN_TOPIC)
    const rooms = new Map<string, Room>()
    const channels = new Map<string, string>()
    for (const [id, room] of given) {
      const type = asText(room.t)
      if (type === 'd') rooms.set(id, { direct: asTexts(room.uids).filter((user) => users.has(user)) })
      else if (type !== 'c' && type !== 'p') yield leftOut('room', 'rooms of this type are not imported', `room ${id}`)
      else {
        const root = rootOf(given, id)
        const isDiscussion = root !== id && given.has(root) && ['c', 'p'].includes(asText(given.get(root).t) ?? '')
        const shown = asText(room.fname) ?? asText(room.name) ?? id
        if (isDiscussion) rooms.set(id, { channel: root, topic: nameThread(root, shown, 'Discussion') })
        else {
          rooms.set(id, { channel: id })
          const name = asText(room.name) ?? shown
          channels.set(name, id)
          const record: NewRecord = {
            type: 'channel',
            id,
            name: shown,
            description: [asText(room.description), asText(room.topic)].filter(Boolean).join(' – ').slice(0, 2000),
            private: type === 'p',
            archived: room.archived === true,
            default: room.default === true,
            ...(room.ro === true && { can_send: 'moderators' as const }),
            ...(dateOf(room.ts) !== undefined && { created: dateOf(room.ts)! }),
          }
          yield { record, place: `room ${id}` }
        }
      }
    }
    for await (const one of collection(archive, 'rocketchat_subscription')) {
      const [user, room] = [asText(one?.u?._id), asText(one?.rid)]
      if (user === undefined || room === undefined || !users.has(user) || rooms.get(room)?.channel !== room) continue
      const until = dateOf(one.ls)
      const record: NewRecord = {
        type: 'subscription',
        channel: room,
        user,
        pinned: one.f === true,
        muted: one.disableNotifications === true,
        ...(until !== undefined && { read_until: until }),
      }
      yield { record, place: `subscription ${asText(one._id)}` }
    }
    for await (const one of collection(archive, 'rocketchat_custom_emoji')) {
      const [name, ending] = [asText(one?.name), asText(one?.extension)]
      if (name)
        yield { record: { type: 'emoji', name, path: `custom_emoji/${name}.${ending}` }, place: `emoji ${name}` }
    }
    const uploads = new Map<string, Json>()
    for await (const one of collection(archive, 'rocketchat_uploads'))
      if (asText(one?._id)) uploads.set(asText(one._id)!, one)

    // A reply may come before its root: the roots of threads and their first words first.
    const threads = new Map<string, string>()
    const parents = new Map<string, string>()
    for await (const one of collection(archive, 'rocketchat_message')) {
      const [id, parent] = [asText(one?._id), asText(one?.tmid)]
      if (id && parent) parents.set(id, parent)
    }
    for (const id of parents.keys()) requireEnd(parents, id)
    const roots = new Set([...parents.values()].filter((id) => !parents.has(id)))
    for await (const one of collection(archive, 'rocketchat_message')) {
      const room = rooms.get(asText(one?.rid) ?? '')
      if (roots.has(asText(one?._id) ?? '') && room?.channel && room.topic === undefined)
        threads.set(asText(one._id)!, nameThread(room.channel, asText(one.msg) ?? '', 'Thread'))
    }
    const main = mainTopics(MAIN_TOPIC, topics)
    nth = 0
    for await (const one of collection(archive, 'rocketchat_message'))
      yield* message(one, `message ${asText(one?._id) ?? ++nth}`)

    function* message(one: Json, place: string): Generator<Placed> {
      const [id, user, date] = [asText(one?._id), asText(one?.u?._id), dateOf(one?.ts)]
      const room = rooms.get(asText(one?.rid) ?? '')
      const type = asText(one?.t)
      if (id === undefined || user === undefined || date === undefined)
        return yield leftOut('message', 'it has no sender or no date', place)
      if (!room) return yield leftOut('message', 'its room is not imported', place)
      if (type !== undefined && type !== 'e2e') return yield leftOut('message', 'a notice', place)
      if (type === 'e2e') return yield leftOut('message', 'it is encrypted', place)
      if (!users.has(user)) {
        users.set(user, asText(one.u.username) ?? user)
        yield {
          record: { type: 'user', id: user, name: asText(one.u.name) ?? asText(one.u.username) ?? user, stub: true },
          place,
        }
      }
      const parts = [
        withNames(
          asText(one.msg) ?? '',
          { user: (name) => byName.get(name), channel: (name) => channels.get(name), channelSign: '#' },
          fromRocketChat,
        ),
      ]
      for (const file of asObjects(one.files ?? (one.file ? [one.file] : []))) {
        const about = uploads.get(asText(file._id) ?? '') ?? file
        const name = (asText(about.name) ?? 'file').replace(/[\n[\]]/g, ' ')
        const path = [`uploads/${asText(file._id)}`, `uploads/${asText(file._id)}/${name}`].find((each) =>
          archive.has(each),
        )
        if (/^thumb-/.test(name)) continue
        if (path === undefined) yield leftOut('file', "it isn't in the folder uploads", place)
        else {
          const content_type = asText(about.type)
          yield {
            record: {
              type: 'file',
              id: asText(file._id)!,
              name,
              path,
              user,
              date,
              ...(content_type && { content_type }),
            },
            place,
          }
        }
        parts.push(path === undefined ? `(${name})` : `[${name}](${reference('file', asText(file._id)!)})`)
      }
      for (const attachment of asObjects(one.attachments)) {
        if (attachment.message_link) parts.push((asText(attachment.text) ?? '').replace(/^/gm, '> '))
        else if (!attachment.title_link)
          parts.push([asText(attachment.title), asText(attachment.text)].filter(Boolean).join('\n'))
        else if (asText(attachment.description)) parts.push(asText(attachment.description)!)
      }
      const content = parts.filter((part) => part !== '' && part !== '> ').join('\n')
      if (content === '') return yield leftOut('message', 'it has no text and no file', place)
      const root = parents.has(id) ? endOf(parents, id) : id
      const edited = dateOf(one.editedAt)
      const pinner = asText(one.pinnedBy?._id)
      const record: NewRecord = {
        type: 'message',
        id,
        user,
        date,
        content,
        ...(room.direct
          ? { direct: room.direct }
          : { channel: room.channel!, topic: room.topic ?? threads.get(root) ?? main(room.channel!, date) }),
        ...(edited !== undefined && { edited }),
        ...(one.pinned === true && { pinned: { user: pinner !== undefined && users.has(pinner) ? pinner : user } }),
        starred: asObjects(one.starred).flatMap((star) => asText(star._id) ?? []),
        reactions: Object.entries((one.reactions ?? {}) as Record<string, Json>).flatMap(([name, by]) =>
          asTexts(by?.usernames).flatMap((who) => {
            const id = byName.get(who)
            return id ? [{ emoji: emojiName(name.replace(/:/g, '')), user: id }] : []
          }),
        ),
      }
      yield { record, place }
    }
  },
}

function userRecord(id: string, name: string, user: Json): NewRecord {
  const roles = asTexts(user.roles)
  const email = asText(asObjects(user.emails)[0]?.address)
  const status = asText(user.statusText)
  return {
    type: 'user',
    id,
    name: asText(user.name) ?? name,
    role: roles.includes('admin') ? 'administrator' : roles.includes('guest') ? 'guest' : 'member',
    active: user.active !== false,
    ...(email && { email }),
    ...((user.type === 'bot' || user.type === 'app') && { bot: true, stub: true }),
    ...(status && { status: { text: status } }),
    ...(dateOf(user.createdAt) !== undefined && { joined: dateOf(user.createdAt)! }),
  }
}

/** `*bold*`, `_italic_` and `~strike~`. */
const fromRocketChat = (part: string): string =>
  part
    .replace(/(^|[\s(])\*(?![\s*])([^*\n]*[^\s*\n])\*(?![\w*])/g, '$1**$2**')
    .replace(/(^|[\s(*])_(?![\s_])([^_\n]*[^\s_\n])_(?![\w_])/g, '$1*$2*')
    .replace(/(^|[\s(*])~(?![\s~])([^~\n]*[^\s~\n])~(?![\w~])/g, '$1~~$2~~')

/** The last message of a chain, which `requireEnd` has checked. */
function endOf(next: ReadonlyMap<string, string>, id: string): string {
  let at = id
  for (let parent = next.get(at); parent !== undefined; parent = next.get(at)) at = parent
  return at
}

function requireEnd(next: ReadonlyMap<string, string>, id: string): void {
  let at: string | undefined = id
  for (let steps = 0; at !== undefined; steps++, at = next.get(at)) {
    if (steps > 1000) throw new Refused('Threads contain each other.')
  }
}

/** The room that a discussion belongs to, through all that it is inside of. */
function rootOf(rooms: ReadonlyMap<string, Json>, id: string): string {
  let at = id
  for (let steps = 0; ; steps++) {
    if (steps > 1000) throw new Refused('Discussions contain each other.')
    const parent = asText(rooms.get(at)?.prid)
    if (parent === undefined || !rooms.has(parent)) return at
    at = parent
  }
}
