import type { Archive } from '../archive/archive.ts'
import { asNumber, asObjects, asText, asTexts, type Json, jsonLines } from '../archive/json.ts'
import { type NewRecord, type Placed, reference } from '../format.ts'
import { emojiName } from '../markup/emoji.ts'
import { withNames } from '../markup/names.ts'
import { leftOut, type Reader } from './reader.ts'
import { mainTopics, topicNames } from './topic-names.ts'

const MAIN_TOPIC = 'imported from Mattermost'
const SECOND = 1000
const linesOf = (archive: Archive): string[] => archive.names.filter((name) => /^[^/]+\.jsonl$/.test(name))

/** A bulk export of Mattermost: JSON lines, and files below `data/`. */
export const mattermost: Reader = {
  name: 'mattermost',
  async recognizes(archive) {
    for (const name of linesOf(archive))
      for await (const { value } of jsonLines(archive, name)) return value?.type === 'version'
    return false
  },
  async *read(archive, { topics }) {
    const users = new Map<string, string>()
    const channels = new Set<string>()
    const teams = new Set<string>()
    const custom = new Set<string>()
    const ids = new Map<string, number>()
    const nameThread = topicNames(MAIN_TOPIC)
    const main = mainTopics(MAIN_TOPIC, topics)
    let hasPosition = false

    for (const name of linesOf(archive)) {
      for await (const { value, line } of jsonLines(archive, name)) {
        const place = `${name}:${line}`
        const type = asText(value?.type)
        const body = value?.[type ?? '']
        if (type === undefined || typeof body !== 'object' || body === null) {
          if (type !== 'version') yield leftOut('line', 'it is unknown', place)
        } else yield* recordsOf(type, body, place)
      }
    }

    function* recordsOf(type: string, body: Json, place: string): Generator<Placed> {
      switch (type) {
        case 'info':
        case 'role':
        case 'scheme':
        case 'direct_channel':
          return
        case 'team':
          return void teams.add(asText(body.name) ?? '')
        case 'emoji':
          return yield* emoji(body, place)
        case 'channel':
          return yield* channel(body, place)
        case 'user':
          return yield* user(body, place)
        case 'bot':
          return yield* bot(body, place)
        case 'post':
          return yield* post(body, { channel: `${asText(body.team)}/${asText(body.channel)}` }, place)
        case 'direct_post':
          return yield* post(body, { direct: asTexts(body.channel_members) }, place)
        default:
          yield leftOut(type, "it isn't supported", place)
      }
    }

    function* emoji(body: Json, place: string): Generator<Placed> {
      const name = asText(body.name)
      if (name === undefined) return
      custom.add(name)
      yield { record: { type: 'emoji', name, path: pathOf(archive, asText(body.image)) ?? 'missing' }, place }
    }

    function* channel(body: Json, place: string): Generator<Placed> {
      const [team, name] = [asText(body.team), asText(body.name)]
      if (team === undefined || name === undefined) return yield leftOut('channel', 'it has no team or no name', place)
      const id = `${team}/${name}`
      channels.add(id)
      const shown = asText(body.display_name) ?? name
      yield {
        record: {
          type: 'channel',
          id,
          name: teams.size > 1 ? `${team}/${shown}` : shown,
          description: [asText(body.purpose), asText(body.header)].filter(Boolean).join(' – ').slice(0, 2000),
          private: body.type === 'P',
          archived: (asNumber(body.deleted_at) ?? 0) > 0,
          default: name === 'town-square',
        },
        place,
      }
    }

    function* user(body: Json, place: string): Generator<Placed> {
      const id = asText(body.username)
      if (id === undefined) return yield leftOut('user', 'it has no name', place)
      const full = [asText(body.first_name), asText(body.last_name)].filter(Boolean).join(' ')
      const [email, position] = [asText(body.email), asText(body.position)]
      const roles = asText(body.roles) ?? ''
      if (position !== undefined && !hasPosition) {
        hasPosition = true
        yield { record: { type: 'profile_field', id: 'position', name: 'Position', kind: 'short_text' }, place }
      }
      users.set(id, full)
      const avatar = pathOf(archive, asText(body.profile_image))
      yield {
        record: {
          type: 'user',
          id,
          name: asText(full) ?? asText(body.nickname) ?? id,
          role: roles.includes('system_admin') ? 'administrator' : roles.includes('system_guest') ? 'guest' : 'member',
          active: (asNumber(body.delete_at) ?? 0) === 0,
          ...(email !== undefined && { email }),
          ...(position !== undefined && { profile: { position } }),
          ...(avatar !== undefined && { avatar }),
          ...(asText(body.password) && { password: asText(body.password)! }),
        },
        place,
      }
      for (const team of asObjects(body.teams)) {
        for (const one of asObjects(team.channels)) {
          const channel = `${asText(team.name)}/${asText(one.name)}`
          const until = asNumber(one.last_viewed_at)
          const muted = one.notify_props?.mark_unread === 'mention'
          const record: NewRecord = {
            type: 'subscription',
            channel,
            user: id,
            muted,
            pinned: one.favorite === true,
            ...(until !== undefined && { read_until: until / SECOND }),
          }
          if (channels.has(channel)) yield { record, place }
        }
      }
    }

    function* bot(body: Json, place: string): Generator<Placed> {
      const id = asText(body.username)
      if (id === undefined) return
      users.set(id, id)
      const owner = asText(body.owner)
      const record: NewRecord = {
        type: 'user',
        id,
        name: asText(body.display_name) ?? id,
        bot: true,
        stub: true,
        ...(owner && users.has(owner) && { owner }),
      }
      yield { record, place }
    }

    type Where = { channel: string } | { direct: string[] }

    function* post(body: Json, where: Where, place: string): Generator<Placed> {
      const replies = asObjects(body.replies)
      const date = asNumber(body.create_at) ?? 0
      const isThread = replies.length > 0
      const named =
        'channel' in where &&
        (isThread
          ? nameThread(where.channel, asText(body.message) ?? '', 'Thread')
          : main(where.channel, date / SECOND))
      const target = 'channel' in where ? { channel: where.channel, topic: named || MAIN_TOPIC } : where
      yield* message(body, target, place)
      for (const reply of replies) yield* message(reply, target, place)
    }

    function* message(
      body: Json,
      target: { channel: string; topic: string } | { direct: string[] },
      place: string,
    ): Generator<Placed> {
      const [user, date] = [asText(body.user), asNumber(body.create_at)]
      if (asText(body.type)?.startsWith('system_')) return yield leftOut('message', 'a notice', place)
      if (user === undefined || date === undefined)
        return yield leftOut('message', 'it has no sender or no date', place)
      const parts = [
        withNames(asText(body.message) ?? '', {
          user: (name) => (users.has(name) ? name : undefined),
          channel: (name) =>
            'channel' in target && channels.has(`${target.channel.split('/')[0]}/${name}`)
              ? `${target.channel.split('/')[0]}/${name}`
              : undefined,
          channelSign: '~',
        }),
      ]
      for (const attachment of asObjects(body.attachments)) {
        const given = asText(attachment.path)
        const path = pathOf(archive, given)
        const name =
          given
            ?.split('/')
            .at(-1)
            ?.replace(/[\n[\]]/g, ' ') ?? 'file'
        if (path === undefined) yield leftOut('file', "it isn't in the archive", place)
        else yield { record: { type: 'file', id: path, name, path, user, date: date / SECOND }, place }
        parts.push(path === undefined ? `(${name})` : `[${name}](${reference('file', path)})`)
      }
      for (const attachment of asObjects(body.props?.attachments)) {
        parts.push(
          [asText(attachment.pretext), asText(attachment.title), asText(attachment.text)].filter(Boolean).join('\n'),
        )
      }
      const content = parts.filter((part) => part !== '').join('\n')
      if (content === '') return yield leftOut('message', 'it has no text and no file', place)
      const key = `${'channel' in target ? target.channel : target.direct.toSorted().join(',')}:${date}`
      const nth = ids.get(key) ?? 0
      ids.set(key, nth + 1)
      const edited = asNumber(body.edit_at) ?? 0
      yield {
        record: {
          type: 'message',
          id: nth === 0 ? key.slice(-200) : `${key.slice(-190)}:${nth}`,
          user,
          date: date / SECOND,
          content: asText(body.type) === 'me' ? `/me ${content}` : content,
          ...target,
          ...(edited > 0 && { edited: edited / SECOND }),
          // The export doesn't say who pinned it.
          ...(body.is_pinned === true && { pinned: { user } }),
          starred: asTexts(body.flagged_by),
          reactions: asObjects(body.reactions).flatMap((one) => {
            const [emoji, by] = [asText(one.emoji_name), asText(one.user)]
            return emoji && by ? [{ emoji: emojiName(emoji, custom), user: by }] : []
          }),
        },
        place,
      }
    }
  },
}

/** Paths in the lines begin in the folder `data/`, or at the root. */
function pathOf(archive: Archive, given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  return [`data/${given}`, given].find((path) => archive.has(path))
}
