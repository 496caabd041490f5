import type { Archive } from '../archive/archive.ts'
import { asNumber, asObjects, asText, asTexts, type Json, readJson, readJsonIfAny, readList } from '../archive/json.ts'
import type { NewRecord, Placed } from '../format.ts'
import { type SlackNames, slackWords } from '../markup/slack.ts'
import { Refused } from '../refused.ts'
import { downloadedCopy, onlyUrl } from './downloaded.ts'
import { leftOut, type Reader } from './reader.ts'
import { slackContent } from './slack-content.ts'
import { channelRecord, emojiOf, fieldRecords, pinsOf, userRecord } from './slack-people.ts'
import { mainTopics, topicNames } from './topic-names.ts'

const MAIN_TOPIC = 'imported from Slack'
const SLACKBOT = 'USLACKBOT'
const DAY = /^([^/]+)\/(\d{4}-\d{2}-\d{2})\.json$/
/** Messages about a channel, which have no place in a history of what people wrote. */
const NOTICE =
  /^(?:channel|group)_(?:join|leave|name|topic|purpose|archive|unarchive|posting_permissions|convert_to_private)$/
const LEFT_OUT = new Set([
  'pinned_item',
  'unpinned_item',
  'reminder_add',
  'tombstone',
  'bot_add',
  'bot_remove',
  'app_conversation_join',
])

interface Place {
  id: string
  /** People of a direct conversation; undefined for a channel. */
  people?: string[]
  /** People who pinned a message, by its time. */
  pins: Map<string, string[]>
}

/** An export of a Slack workspace, as its owner downloads it. */
export const slack: Reader = {
  name: 'slack',
  recognizes: (archive) => archive.has('users.json') && archive.has('channels.json'),
  async *read(archive, { topics }) {
    const people = new Map<string, string>()
    const bots = new Map<string, string>()
    const users = await readList(archive, 'users.json')
    yield* fieldRecords(users)
    for (const [i, user] of users.entries()) {
      const id = asText(user?.id)
      if (id === undefined || id === 'U00') {
        yield leftOut('user', id === 'U00' ? 'a Slack placeholder' : 'it has no ID', `users.json:${i + 1}`)
        continue
      }
      if (people.has(id)) {
        yield leftOut('user', 'its ID is a duplicate', `users.json:${i + 1}`)
        continue
      }
      const picture = asText(user.profile?.image_512)
      const avatar = downloadedCopy(archive, picture)
      const record = { ...userRecord(id, user), ...(avatar && { avatar }) }
      people.set(id, record.name)
      const bot = asText(user.profile?.bot_id)
      if (bot) bots.set(bot, id)
      yield { record, place: `users.json:${i + 1}` }
      if (avatar === undefined && (picture || asText(user.profile?.avatar_hash)))
        yield leftOut('picture', onlyUrl(archive), `users.json:${i + 1}`)
    }

    const places = new Map<string, Place>()
    const channels = new Map<string, string>()
    for (const name of ['channels.json', 'groups.json', 'mpims.json', 'dms.json']) {
      for (const [i, given] of (await readList(archive, name)).entries()) {
        const id = asText(given?.id)
        const folder = name === 'dms.json' ? id : asText(given?.name)
        if (id === undefined || folder === undefined) {
          yield leftOut('channel', 'it has no ID or no name', `${name}:${i + 1}`)
          continue
        }
        const members = asTexts(given.members)
        for (const member of members) yield* stranger(member)
        const place: Place = { id, pins: pinsOf(given) }
        if (name === 'mpims.json' || name === 'dms.json') place.people = members
        places.set(folder, place)
        if (place.people) continue
        channels.set(id, folder)
        const creator = asText(given.creator)
        if (creator) yield* stranger(creator)
        yield { record: channelRecord(id, folder, given, name === 'groups.json'), place: `${name}:${i + 1}` }
        for (const user of new Set(members))
          yield { record: { type: 'subscription', channel: id, user }, place: `${name}:${i + 1}` }
      }
    }

    const groups = new Map<string, string>()
    const names: SlackNames = {
      user: (id) => people.get(id),
      channel: (id) => channels.get(id),
      group: (id) => groups.get(id),
    }
    const threads = new Map<string, string>()
    const nameThread = topicNames(MAIN_TOPIC)
    const main = mainTopics(MAIN_TOPIC, topics)
    for (const files of daysOf(archive, places)) yield* messagesOf(files)
    yield* others(archive, places)

    /** People who are in no list: guests of shared channels, and accounts that are gone. */
    function* stranger(id: string, profile?: Json): Generator<Placed> {
      if (people.has(id)) return
      const known = asText(profile?.real_name) ?? asText(profile?.display_name) ?? asText(profile?.name)
      const name = id === SLACKBOT ? 'Slackbot' : (known ?? `Unknown user ${id}`)
      people.set(id, name)
      yield {
        record: {
          type: 'user',
          id,
          name,
          stub: true,
          ...(id === SLACKBOT && { bot: true, system: 'notification' as const }),
        },
        place: id,
      }
    }

    /** The messages of one day, of all channels, in their order. */
    async function* messagesOf(files: readonly { name: string; place: Place }[]): AsyncGenerator<Placed> {
      const day: { message: Json; ts: number; place: Place; where: string }[] = []
      for (const { name, place } of files) {
        const list = await readJson(archive, name)
        if (!Array.isArray(list)) throw new Refused(`${name} is not a list.`)
        for (const [i, message] of list.entries()) {
          const ts = asNumber(message?.ts)
          const where = `${name}:${i + 1}`
          if (ts === undefined) yield leftOut('message', 'it has no time', where)
          else day.push({ message, ts, place, where })
        }
      }
      day.sort((a, b) => a.ts - b.ts)
      for (const { message, ts, place, where } of day) yield* messageRecords(message, ts, place, where)
    }

    function* messageRecords(message: Json, ts: number, place: Place, where: string): Generator<Placed> {
      const subtype = asText(message.subtype)
      if (subtype !== undefined && (NOTICE.test(subtype) || LEFT_OUT.has(subtype))) {
        yield leftOut('message', `a notice (${subtype})`, where)
        return
      }
      const sender = asText(message.user) ?? asText(message.comment?.user) ?? bots.get(asText(message.bot_id) ?? '')
      const botName = asText(message.username) ?? asText(message.bot_profile?.name)
      const user = sender ?? (botName || message.bot_id ? `bot:${asText(message.bot_id) ?? botName}` : undefined)
      if (user === undefined) {
        yield leftOut('message', 'it has no sender', where)
        return
      }
      if (sender === undefined && !people.has(user)) {
        people.set(user, botName ?? 'Bot')
        yield { record: { type: 'user', id: user, name: botName ?? 'Bot', bot: true, stub: true }, place: where }
      }
      yield* stranger(user, message.user_profile)
      const { content, records } = slackContent(archive, message, names, where)
      yield* records
      if (content === '') {
        yield leftOut('message', 'it has no text and no file', where)
        return
      }
      const reactions: { emoji: string; user: string }[] = []
      for (const reaction of asObjects(message.reactions)) {
        const emoji = emojiOf(reaction.name)
        const by = asTexts(reaction.users)
        if (emoji !== undefined) {
          for (const who of by) {
            yield* stranger(who)
            reactions.push({ emoji, user: who })
          }
        }
        const unnamed = (asNumber(reaction.count) ?? by.length) - (emoji === undefined ? 0 : by.length)
        if (unnamed > 0) yield { ...leftOut('reaction', "the export doesn't say who added it", where, unnamed) }
      }
      const pinners = place.pins.get(asText(message.ts)!) ?? []
      for (const who of pinners) {
        yield* stranger(who)
        if (!place.people) continue
        yield {
          record: { type: 'changed', kind: 'pin', reason: 'it was imported as a star', place: where },
          place: where,
        }
      }
      const thread = asText(message.thread_ts)
      const edited = asNumber(message.edited?.ts)
      const record: NewRecord = {
        type: 'message',
        id: `${place.id}-p${asText(message.ts)!.replace('.', '')}`,
        user,
        date: ts,
        content: subtype === 'me_message' ? `/me ${content}` : content,
        ...(place.people
          ? { direct: place.people.length > 0 ? place.people : [user] }
          : { channel: place.id, topic: topicFor(place, message, thread, ts) }),
        ...(edited !== undefined && { edited }),
        ...(reactions.length > 0 && { reactions }),
        ...(pinners.length > 0 && (place.people ? { starred: pinners } : { pinned: { user: pinners[0]! } })),
      }
      yield { record, place: where }
    }

    function topicFor(place: Place, message: Json, thread: string | undefined, ts: number): string {
      const isRoot = (asNumber(message.reply_count) ?? 0) > 0 || thread === message.ts
      const root = isRoot ? asText(message.ts)! : thread
      if (root === undefined) return main(place.id, ts)
      const key = `${place.id}/${root}`
      const known = threads.get(key)
      if (known !== undefined) return known
      const words = isRoot ? slackWords(asText(message.text) ?? '', names) : ''
      const topic = nameThread(place.id, words, `Thread of ${dayOf(asNumber(root)) ?? dayOf(ts) ?? 'unknown date'}`)
      threads.set(key, topic)
      return topic
    }
  },
}

/** A date without its time; undefined for a time out of range. */
function dayOf(seconds: number | undefined): string | undefined {
  const date = new Date((seconds ?? Number.NaN) * 1000)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10)
}

/** The files of messages, by day. */
function daysOf(archive: Archive, places: ReadonlyMap<string, Place>): { name: string; place: Place }[][] {
  const days = new Map<string, { name: string; place: Place }[]>()
  for (const name of archive.names) {
    const [, folder, day] = DAY.exec(name) ?? []
    const place = folder === undefined ? undefined : places.get(folder)
    if (!place) continue
    const files = days.get(day!)
    if (files) files.push({ name, place })
    else days.set(day!, [{ name, place }])
  }
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, files]) => files)
}

/** What else is in the archive. */
async function* others(archive: Archive, places: ReadonlyMap<string, Place>): AsyncGenerator<Placed> {
  const logs = await readJsonIfAny(archive, 'integration_logs.json')
  if (Array.isArray(logs) && logs.length > 0)
    yield leftOut('integration log', "it isn't supported", 'integration_logs.json', logs.length)
  for (const name of archive.names) {
    const folder = DAY.exec(name)?.[1]
    if (folder !== undefined && !places.has(folder))
      yield leftOut('file of messages', "its channel isn't in any list", name)
    else if (/^(?:canvases|lists|huddle_transcripts)(?:\/|\.json$)/.test(name))
      yield leftOut('canvas, list or transcript', "it isn't supported", name)
  }
}
