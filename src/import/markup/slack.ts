import { reference } from '../format.ts'
import { withEmojiNames } from './emoji.ts'

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }
const decoded = (text: string): string => text.replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity]!)

/** Code, in one piece: nothing in it is markup. */
const code = /(```[\s\S]*?```|`[^`\n]+`)/
const link = /<([^<>\n]{1,4000})>/g

/** What channels and groups are called, for links that name none. */
export interface SlackNames {
  user(id: string): string | undefined
  channel(id: string): string | undefined
  group(id: string): string | undefined
}

/** Slack's markup as ours. Mentions are silent, since history notifies nobody. */
export function fromSlack(text: string, names: SlackNames): string {
  return text
    .split(code)
    .map((part, i) => (i % 2 === 1 ? codeOf(part) : prose(part, names)))
    .join('')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Links in code are shown by their text. */
function codeOf(part: string): string {
  const plain = decoded(
    part.replace(link, (_, inner: string) =>
      inner
        .split('|')
        .at(-1)!
        .replace(/^[@#!]/, ''),
    ),
  )
  const block = /^```([\s\S]*)```$/.exec(plain)
  return block ? `\n\`\`\`\n${block[1]!.replace(/^\n|\n$/g, '')}\n\`\`\`\n` : plain
}

function prose(part: string, names: SlackNames): string {
  const made: string[] = []
  const keep = (text: string): string => {
    made.push(text)
    return `\ue000${made.length - 1}\ue000`
  }
  const text = part
    .replace(/[\ue000\ue001]/g, '')
    .replace(link, (_, inner: string) => keep(angle(inner, names)))
    .replace(/^(?:&gt;){3}\s?([\s\S]*)/m, (_, quoted: string) => quoted.replace(/^/gm, '> '))
    .replace(/^&gt; ?/gm, '> ')
    .replace(/^([ \t]*)[•◦▪] ?/gm, '$1* ')
    .replace(/(^|[\s([{"'.,;:!?_~>-])\*(?![\s*])([^*\n]*?[^\s*\n])\*(?=$|[\s)\]}"'.,;:!?_~-])/gm, '$1\ue001$2\ue001')
    .replace(/(^|[\s([{"'.,;:!?\ue001~>-])_(?![\s_])([^_\n]*?[^\s_\n])_(?=$|[\s)\]}"'.,;:!?\ue001~-])/gm, '$1*$2*')
    .replace(/(^|[\s([{"'.,;:!?*>\ue001-])~(?![\s~])([^~\n]*?[^\s~\n])~(?=$|[\s)\]}"'.,;:!?*\ue001-])/gm, '$1~~$2~~')
    .replaceAll('\ue001', '**')
    .replace(/::skin-tone-[2-6]:/g, ':')
  return withEmojiNames(decoded(text)).replace(/\ue000(\d+)\ue000/g, (_, i) => made[Number(i)]!)
}

/** A mention, a link or a date, in angle brackets. */
function angle(inner: string, names: SlackNames): string {
  const bar = inner.indexOf('|')
  const target = bar === -1 ? inner : inner.slice(0, bar)
  const label = bar === -1 ? undefined : decoded(inner.slice(bar + 1))
  const rest = target.slice(1)
  if (target.startsWith('@')) return names.user(rest) === undefined ? `@${label ?? rest}` : reference('silent', rest)
  if (target.startsWith('#'))
    return names.channel(rest) === undefined ? `#${label ?? rest}` : reference('channel', rest)
  if (target.startsWith('!subteam^')) {
    const id = target.slice('!subteam^'.length)
    return names.group(id) === undefined ? (label ?? '@group') : reference('group', id)
  }
  const date = /^!date\^(\d{1,12})\^/.exec(target)
  if (date) return `<time:${new Date(Number(date[1]) * 1000).toISOString().replace('.000Z', 'Z')}>`
  if (target.startsWith('!')) return label ?? `@${rest.split('^')[0]}`
  const url = decoded(target)
  if (url.startsWith('mailto:')) return label ?? url.slice('mailto:'.length)
  if (label === undefined || label === url || `http://${label}` === url) return url
  return `[${label.replace(/[[\]]/g, '\\$&')}](${url.replaceAll(' ', '%20').replaceAll(')', '%29')})`
}

/** The same as plain words, for the name of a topic. */
export function slackWords(text: string, names: SlackNames): string {
  const plain = text.replace(link, (_, inner: string) => {
    const bar = inner.indexOf('|')
    const target = bar === -1 ? inner : inner.slice(0, bar)
    const label = bar === -1 ? undefined : inner.slice(bar + 1)
    if (target.startsWith('@')) return `@${names.user(target.slice(1)) ?? label ?? ''}`
    if (target.startsWith('#')) return `#${names.channel(target.slice(1)) ?? label ?? ''}`
    return label ?? target.replace(/^!/, '@').split('^')[0]!
  })
  return decoded(plain).replace(/[*_~`]/g, '')
}
