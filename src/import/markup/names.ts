import { reference } from '../format.ts'
import { withEmojiNames } from './emoji.ts'

const code = /(```[\s\S]*?```|`[^`\n]+`)/

/** People and channels by the names that contents have for them. */
export interface MarkupNames {
  /** The id of a person. */
  user(name: string): string | undefined
  /** The id of a channel. */
  channel(name: string): string | undefined
  /** How a channel begins: `~` or `#`. */
  channelSign: '~' | '#'
}

/** Markdown in which people are `@name` and channels `~name` or `#name`. Mentions become silent. */
export function withNames(
  text: string,
  { user, channel, channelSign }: MarkupNames,
  convert = (part: string) => part,
): string {
  const channels = new RegExp(`(?<![\\w${channelSign}])${channelSign}([\\p{L}\\p{N}_-]{1,100})`, 'gu')
  return text
    .split(code)
    .map((part, i) => {
      if (i % 2 === 1) return part
      return withEmojiNames(convert(part))
        .replace(/(?<![\w@/])@([\p{L}\p{N}._-]{1,100})/gu, (all, name: string) => mention(all, name, user))
        .replace(channels, (all, name: string) => {
          const id = channel(name)
          return id === undefined ? all : reference('channel', id)
        })
    })
    .join('')
    .trim()
}

/** A name may be followed by the dot of its sentence. */
function mention(all: string, name: string, user: MarkupNames['user']): string {
  for (const given of [name, name.replace(/[._-]+$/, '')]) {
    const id = user(given)
    if (id !== undefined) return reference('silent', id) + name.slice(given.length)
  }
  return all
}
