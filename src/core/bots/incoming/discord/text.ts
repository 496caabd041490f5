import { untrusted } from '../format/text.ts'

/** Longer than any message. */
const MAX_LENGTH = 40_000

/** Mentions, emoji and times of Discord: `<@123>`, `<@&123>`, `<#123>`, `<:name:123>`, `<t:1700000000:R>`. */
const reference = (_: string, kind: string, name: string): string => {
  if (kind === 't:') {
    const time = Number(name.split(':')[0]) * 1000
    return Number.isFinite(time) && Math.abs(time) < 8e15 ? `<time:${new Date(time).toISOString()}>` : name
  }
  if (kind === ':' || kind === 'a:') return `:${name.split(':')[0]}:`
  return `${kind === '#' ? '#' : '@'}${name}`
}

/** Text in Discord's markup as ours. Code stays unchanged, and nothing in the text mentions anybody here. */
export function fromDiscord(text: string): string {
  const parts = text.slice(0, MAX_LENGTH).split(/(```[\s\S]*?```|`[^`\n]*`)/)
  const converted = parts.map((part, i) =>
    i % 2 === 1
      ? part
      : part
          .replace(/<(@[!&]?|#|a:|:|t:)([\w:-]{1,80})>/g, reference)
          .replace(/(^|[\s(])__(?=\S)([^_\n]*\S)__(?=$|[\s.,:;!?)])/g, '$1**$2**')
          .replace(/(^|[\s(])_(?=\S)([^_\n]*\S)_(?=$|[\s.,:;!?)])/g, '$1*$2*')
          .replace(/^-# (.*)$/gm, '*$1*'),
  )
  return untrusted(converted.join(''), 9000)
}
