import { isObject } from '../../../kernel/base/objects.ts'
import { link, plain, untrusted, untrustedLine } from '../format/text.ts'
import { fromSlack } from './text.ts'

/**
 * The payload of a Slack incoming webhook. Mattermost accepts the same. Slack ignores unknown parts, so nothing here
 * rejects a payload: parts in an unexpected form are treated as absent.
 */
export interface SlackMessage {
  readonly text: string
  readonly channel: string
  readonly username: string
  readonly icon_emoji: string
  readonly blocks: readonly Thing[]
  readonly attachments: readonly Thing[]
}

type Thing = Readonly<Record<string, unknown>>

/** Elements of blocks contain elements, so the depth is limited. */
const MAX_DEPTH = 8

const things = (value: unknown): Thing[] => (Array.isArray(value) ? value.filter(isObject) : [])
const textIn = (thing: Thing, name: string): string => {
  const value = thing[name]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

export const slackMessage = (payload: object): SlackMessage => {
  const message = payload as Thing
  return {
    text: textIn(message, 'text'),
    channel: textIn(message, 'channel'),
    username: textIn(message, 'username'),
    icon_emoji: textIn(message, 'icon_emoji'),
    blocks: things(message.blocks),
    attachments: things(message.attachments),
  }
}

/** Shown for a message of menus, inputs or colors only, which Slack accepts. */
const UNREADABLE = '*This message has no text.*'

/** The message in our Markdown; empty if it has no text, blocks or attachments. */
export function contentOf({ text, blocks, attachments }: SlackMessage): string {
  const shown = fromBlocks(blocks)
  // Blocks contain everything, and the text is for clients without them.
  const content = joined([shown || fromSlack(text), ...attachments.map(fromAttachment)], '\n\n')
  return content || blocks.length + attachments.length === 0 ? content : UNREADABLE
}

const joined = (parts: readonly string[], between: string): string =>
  parts.filter((part) => part.trim() !== '').join(between)

const fromBlocks = (blocks: readonly Thing[]): string =>
  joined(
    blocks.map((block) => fromBlock(block, 0)),
    '\n\n',
  )

/** A text object, or a plain text in its place. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return fromSlack(value)
  if (!isObject(value)) return ''
  const text = textIn(value, 'text')
  return value.type === 'plain_text' ? plain(text) : fromSlack(text)
}

const imageIn = (thing: Thing): string => {
  const file = isObject(thing.slack_file) ? textIn(thing.slack_file, 'url') : ''
  const url = textIn(thing, 'image_url') || file
  return url ? link(textIn(thing, 'alt_text') || 'image', url) : ''
}

function fromBlock(block: Thing, depth: number): string {
  if (depth > MAX_DEPTH) return ''
  const { type } = block
  if (type === 'header') return `## ${textOf(block.text).replace(/\s*\n\s*/g, ' ')}`
  if (type === 'divider') return '----'
  if (type === 'image') return joined([isObject(block.title) ? textOf(block.title) : '', imageIn(block)], '\n')
  if (type === 'video')
    return link(isObject(block.title) ? textIn(block.title, 'text') : 'video', textIn(block, 'video_url'))
  if (type === 'context' || type === 'actions')
    return (Array.isArray(block.elements) ? block.elements : []).map(fromElement).filter(Boolean).join(' ')
  // Standard Markdown, whose links the service meant.
  if (type === 'markdown') return untrusted(textIn(block, 'text'), 9000)
  if (type === 'input') return textOf(block.label)
  if (type === 'table')
    return (Array.isArray(block.rows) ? block.rows : [])
      .map((row) =>
        things(row)
          .map((cell) => cellText(cell, depth + 1))
          .join(' | '),
      )
      .join('\n')
  if (type === 'rich_text')
    return joined(
      things(block.elements).map((part) => richPart(part, depth + 1)),
      '\n',
    )
  const accessory = isObject(block.accessory) ? fromElement(block.accessory) : ''
  const fields = Array.isArray(block.fields) ? block.fields.map(textOf) : []
  return joined([textOf(block.text), ...fields, accessory], '\n')
}

const cellText = (cell: Thing, depth: number): string =>
  cell.type === 'raw_text' ? untrustedLine(textIn(cell, 'text')) : fromBlock(cell, depth).replace(/\s*\n\s*/g, ' ')

/** An image, a text or a button. Menus and other inputs can't be shown. */
function fromElement(element: unknown): string {
  if (!isObject(element)) return textOf(element)
  if (element.type === 'image') return imageIn(element)
  if (element.type !== 'button') return element.type === undefined || isText(element) ? textOf(element) : ''
  const label = isObject(element.text) ? textIn(element.text, 'text') : ''
  return link(label, textIn(element, 'url'))
}
const isText = ({ type }: Thing): boolean => type === 'mrkdwn' || type === 'plain_text'

/** A section, list, quotation or code of a `rich_text` block. */
function richPart(part: Thing, depth: number): string {
  if (depth > MAX_DEPTH) return ''
  const inside = things(part.elements)
  if (part.type === 'rich_text_list') {
    const indent = '  '.repeat(typeof part.indent === 'number' ? Math.min(Math.max(part.indent, 0), MAX_DEPTH) : 0)
    const mark = (i: number) => (part.style === 'ordered' ? `${i + 1}.` : '*')
    return inside.map((item, i) => `${indent}${mark(i)} ${richPart(item, depth + 1)}`).join('\n')
  }
  const text = inside.map(richText).join('')
  if (part.type === 'rich_text_preformatted')
    return `\`\`\`\n${inside
      .map((piece) => textIn(piece, 'text'))
      .join('')
      .replaceAll('```', '` ` `')}\n\`\`\``
  return part.type === 'rich_text_quote' ? text.replace(/^/gm, '> ') : text
}

function richText(piece: Thing): string {
  const { type } = piece
  if (type === 'link') return link(textIn(piece, 'text') || textIn(piece, 'url'), textIn(piece, 'url'))
  if (type === 'emoji') return `:${textIn(piece, 'name').replace(/[^\w+-]/g, '')}:`
  if (type === 'user') return `@${untrustedLine(textIn(piece, 'user_id'))}`
  if (type === 'channel') return `#${untrustedLine(textIn(piece, 'channel_id'))}`
  if (type === 'broadcast') return `@${untrustedLine(textIn(piece, 'range'))}`
  const text = fromSlack(
    textIn(piece, 'text').replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!),
  )
  const style = isObject(piece.style) ? piece.style : {}
  const core = text.trim()
  const at = text.indexOf(core)
  const [before, after] = [text.slice(0, at), text.slice(at + core.length)]
  if (!core) return text
  const marks = [style.code && '`', style.bold && '**', style.italic && '*', style.strike && '~~'].filter(
    (mark): mark is string => typeof mark === 'string',
  )
  return `${before}${marks.reduce((inner, mark) => `${mark}${inner}${mark}`, core)}${after}`
}

function fromAttachment(a: Thing): string {
  const has = (name: string) => textIn(a, name)
  const heading = has('title') ? `**${link(has('title'), has('title_link'))}**` : ''
  const blocks = fromBlocks(things(a.blocks))
  const author = has('author_name') ? `*${link(has('author_name'), has('author_link'))}*` : ''
  const fields = things(a.fields).map((field) => {
    const [title, value] = [untrustedLine(textIn(field, 'title')), fromSlack(textIn(field, 'value'))]
    return title && value ? `**${title}**: ${value}` : title ? `**${title}**` : value
  })
  const buttons = things(a.actions).map((button) => link(textIn(button, 'text'), textIn(button, 'url')))
  const time = Number(has('ts'))
  const sent = Number.isFinite(time) && time > 0 && time < 1e11 ? `<time:${new Date(time * 1000).toISOString()}>` : ''
  const footer = joined([has('footer') ? `*${untrustedLine(has('footer'))}*` : '', sent], ' ')
  const lines = [
    fromSlack(has('pretext')),
    author,
    heading,
    blocks,
    fromSlack(has('text')),
    ...fields,
    has('image_url') ? link('image', has('image_url')) : '',
    has('thumb_url') ? link('thumbnail', has('thumb_url')) : '',
    joined(buttons, ' '),
    footer,
  ].filter((line) => line.trim() !== '')
  // Shown by clients that understand nothing else.
  return lines.join('\n') || fromSlack(has('fallback'))
}
