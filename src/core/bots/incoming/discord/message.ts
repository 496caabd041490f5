import { isObject } from '../../../kernel/base/objects.ts'
import { link, untrustedLine } from '../format/text.ts'
import { fromDiscord } from './text.ts'

type Thing = Readonly<Record<string, unknown>>

const textIn = (thing: unknown, name: string): string => {
  const value = isObject(thing) ? thing[name] : undefined
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** As many as Discord takes. */
const MAX_EMBEDS = 10
const MAX_FIELDS = 25

/** Returns the content and embeds of a message of Discord in our Markdown; empty if nothing of it can be shown. */
export function contentOf(message: object): string {
  const { embeds } = message as Thing
  const shown = (Array.isArray(embeds) ? embeds : []).filter(isObject).slice(0, MAX_EMBEDS).map(fromEmbed)
  return [fromDiscord(textIn(message, 'content')), ...shown].filter((part) => part.trim() !== '').join('\n\n')
}

function fromEmbed(embed: Thing): string {
  const title = textIn(embed, 'title')
  const author = textIn(embed.author, 'name')
  const fields = (Array.isArray(embed.fields) ? embed.fields : []).filter(isObject).slice(0, MAX_FIELDS)
  const sent = Date.parse(textIn(embed, 'timestamp'))
  const footer = [
    textIn(embed.footer, 'text') ? `*${untrustedLine(textIn(embed.footer, 'text'))}*` : '',
    Number.isNaN(sent) ? '' : `<time:${new Date(sent).toISOString()}>`,
  ]
  return [
    author ? `*${link(author, textIn(embed.author, 'url'))}*` : '',
    title ? `**${link(title, textIn(embed, 'url'))}**` : textIn(embed, 'url') ? link('link', textIn(embed, 'url')) : '',
    fromDiscord(textIn(embed, 'description')),
    ...fields.map((field) => `**${untrustedLine(textIn(field, 'name'))}**: ${fromDiscord(textIn(field, 'value'))}`),
    textIn(embed.image, 'url') ? link('image', textIn(embed.image, 'url')) : '',
    textIn(embed.thumbnail, 'url') ? link('thumbnail', textIn(embed.thumbnail, 'url')) : '',
    footer.filter((part) => part !== '').join(' '),
  ]
    .filter((line) => line.trim() !== '')
    .join('\n')
}
