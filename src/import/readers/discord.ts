import type { Archive } from '../archive/archive.ts'
import { asObjects, asText, type Json } from '../archive/json.ts'
import { readMembers } from '../archive/json-members.ts'
import { type NewRecord, type Placed, reference } from '../format.ts'
import { emojiName, withEmojiNames } from '../markup/emoji.ts'
import { downloadedCopy, onlyUrl } from './downloaded.ts'
import { leftOut, type Reader } from './reader.ts'
import { mainTopics, topicOf } from './topic-names.ts'

const MAIN_TOPIC = 'imported from Discord'
const USUAL = new Set([
  'Default',
  'Reply',
  'ThreadStarterMessage',
  'ChatInputCommand',
  'ContextMenuCommand',
  '0',
  '19',
  '20',
  '21',
  '23',
])
const filesOf = (archive: Archive): string[] => archive.names.filter((name) => /^[^/]+\.json$/.test(name))
const seconds = (text: Json): number => Date.parse(asText(text) ?? '') / 1000

/** JSON files of DiscordChatExporter, one for each channel, thread or conversation, with their media beside them. */
export const discord: Reader = {
  name: 'discord',
  async recognizes(archive) {
    const [first] = filesOf(archive)
    if (first === undefined) return false
    const file = await readMembers(archive, first).catch(() => undefined)
    return typeof file?.guild === 'object' && typeof file?.channel === 'object' && Array.isArray(file?.messages)
  },
  async *read(archive, { topics }) {
    const users = new Map<string, string>()
    const channels = new Map<string, string>()
    const main = mainTopics(MAIN_TOPIC, topics)

    for (const name of filesOf(archive)) {
      const { channel, messages } = await readMembers(archive, name)
      const all = asObjects(messages)
      const type = asText(channel?.type) ?? ''
      const isThread = /Thread|Forum/.test(type) && type !== 'GuildForum'
      const isDirect = /^Direct/.test(type)
      const id = isThread ? (asText(channel.categoryId) ?? asText(channel.id) ?? name) : (asText(channel?.id) ?? name)
      const shown = isThread ? (asText(channel.category) ?? 'threads') : (asText(channel?.name) ?? name)
      if (!isDirect && !channels.has(id)) {
        channels.set(id, shown)
        yield {
          record: { type: 'channel', id, name: shown, description: (asText(channel?.topic) ?? '').slice(0, 2000) },
          place: name,
        }
      }
      const members = new Set<string>()
      for (const one of all) {
        for (const person of [
          one.author,
          ...asObjects(one.mentions),
          ...asObjects(one.reactions).flatMap((each) => asObjects(each.users)),
        ])
          yield* known(person, name)
        const author = asText(one.author?.id)
        if (author && !members.has(author)) {
          members.add(author)
          if (!isDirect && !isThread) yield { record: { type: 'subscription', channel: id, user: author }, place: name }
        }
      }
      for (const [i, one] of all.entries()) {
        const where = isDirect
          ? { direct: [...members] }
          : {
              channel: id,
              topic: isThread ? topicOf(asText(channel.name) ?? '', 'thread') : main(id, seconds(one.timestamp)),
            }
        yield* message(one, where, `${name}:${i + 1}`, name)
      }
    }

    function* known(person: Json, place: string): Generator<Placed> {
      const id = asText(person?.id)
      if (id === undefined || users.has(id)) return
      const name = asText(person.nickname) ?? asText(person.name) ?? id
      users.set(id, name)
      const avatar = asText(person.avatarUrl)
      const path = avatar && archive.has(avatar) ? avatar : downloadedCopy(archive, avatar)
      yield {
        record: { type: 'user', id, name, ...(person.isBot === true && { bot: true }), ...(path && { avatar: path }) },
        place,
      }
    }

    function* message(
      one: Json,
      where: { direct: string[] } | { channel: string; topic: string },
      place: string,
      file: string,
    ): Generator<Placed> {
      const [id, user, type] = [asText(one.id), asText(one.author?.id), asText(one.type) ?? 'Default']
      if (id === undefined || user === undefined) return yield leftOut('message', 'it has no ID or no sender', place)
      if (!USUAL.has(type)) return yield leftOut('message', `a notice (${type.slice(0, 60)})`, place)
      const date = seconds(one.timestamp)
      const parts = [contentOf(asText(one.content) ?? '', asObjects(one.mentions))]
      const replied = asText(one.reference?.messageId)
      if (type === 'Reply' && replied) parts.unshift(`↩ ${reference('message', replied)}`)
      for (const attachment of asObjects(one.attachments)) {
        const url = asText(attachment.url) ?? ''
        const name = (asText(attachment.fileName) ?? 'file').replace(/[\n[\]]/g, ' ')
        const path = [decoded(url), url].find((each) => archive.has(each)) ?? downloadedCopy(archive, url)
        if (path === undefined) yield leftOut('file', onlyUrl(archive), place)
        else yield { record: { type: 'file', id: path.slice(-200), name, path, user, date }, place }
        parts.push(
          path === undefined
            ? /^https:\/\/[^\s)]+$/.test(url)
              ? `[${name}](${url})`
              : name
            : `[${name}](${reference('file', path.slice(-200))})`,
        )
      }
      for (const embed of asObjects(one.embeds)) {
        if (!users.has(user) || one.author?.isBot !== true) continue
        parts.push([asText(embed.title), asText(embed.description)].filter(Boolean).join('\n'))
      }
      const content = parts.filter((part) => part !== '').join('\n')
      if (content === '') return yield leftOut('message', 'it has no text and no file', place)
      const reactions: { emoji: string; user: string }[] = []
      for (const reaction of asObjects(one.reactions)) {
        const by = asObjects(reaction.users).flatMap((each) => asText(each.id) ?? [])
        const emoji = emojiName(asText(reaction.emoji?.code) ?? asText(reaction.emoji?.name) ?? '')
        for (const who of by) reactions.push({ emoji, user: who })
        const unnamed = (Number(reaction.count) || by.length) - by.length
        if (unnamed > 0) yield leftOut('reaction', "the export doesn't say who added it", place, unnamed)
      }
      const edited = seconds(one.timestampEdited)
      const record: NewRecord = {
        type: 'message',
        id,
        user,
        date,
        content,
        ...where,
        reactions,
        // The export doesn't say who pinned it.
        ...(one.isPinned === true && { pinned: { user } }),
        ...(edited > 0 && { edited }),
      }
      yield { record, place: `${file}:${id}` }
    }

    function contentOf(text: string, mentions: readonly Json[]): string {
      let named = text
      for (const { id, nickname, name } of mentions)
        for (const shown of [asText(nickname), asText(name)])
          if (shown && asText(id)) named = named.replaceAll(`@${shown}`, reference('silent', asText(id)!))
      const replaced = named
        .replace(/<@!?(\d{1,20})>/g, (all, id: string) => (users.has(id) ? reference('silent', id) : all))
        .replace(/<#(\d{1,20})>/g, (all, id: string) => (channels.has(id) ? reference('channel', id) : all))
        .replace(/<a?:(\w{1,60}):\d{1,20}>/g, ':$1:')
        .replace(
          /<t:(\d{1,12})(?::\w)?>/g,
          (_, time: string) => `<time:${new Date(Number(time) * 1000).toISOString()}>`,
        )
      return withEmojiNames(replaced)
    }
  },
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}
