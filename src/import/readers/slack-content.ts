import type { Archive } from '../archive/archive.ts'
import { asNumber, asObjects, asText, type Json } from '../archive/json.ts'
import { type Placed, reference } from '../format.ts'
import { fromSlack, type SlackNames } from '../markup/slack.ts'
import { downloadedCopy, onlyUrl } from './downloaded.ts'

/** Blocks within blocks that are looked into. */
const MAX_DEPTH = 8

/** A message's text, with what is attached to it, and the records of its files. */
export function slackContent(archive: Archive, message: Json, names: SlackNames, where: string) {
  const records: Placed[] = []
  const subtype = asText(message.subtype)
  const isCall = subtype === 'sh_room_created' || subtype === 'huddle_thread'
  const text = asText(message.comment?.comment) ?? asText(message.text) ?? textOfBlocks(message.blocks)
  const parts = [isCall ? '/me started a call' : fromSlack(text, names)]
  for (const attachment of asObjects(message.attachments)) parts.push(textOfAttachment(attachment, names))
  const files = asObjects(message.files ?? (message.file ? [message.file] : []))
  for (const file of files) parts.push(fileLink(archive, file, message, where, records))
  return { content: parts.filter((part) => part !== '').join('\n'), records }
}

/** The text of rich text where a message has no other. */
function textOfBlocks(blocks: Json, depth = 0): string {
  if (depth > MAX_DEPTH) return ''
  return asObjects(blocks)
    .map((block) => {
      if (block.type === 'user') return `<@${block.user_id}>`
      if (block.type === 'channel') return `<#${block.channel_id}>`
      if (block.type === 'emoji') return `:${block.name}:`
      if (block.type === 'link') return block.text ? `<${block.url}|${block.text}>` : `<${block.url}>`
      const own = asText(block.text) ?? asText(block.text?.text) ?? ''
      const inner = textOfBlocks(block.elements, depth + 1)
      return own + inner + (depth === 0 ? '\n' : '')
    })
    .join('')
}

/** What an app attached, or the preview of a link. */
function textOfAttachment(attachment: Json, names: SlackNames): string {
  // Link previews show the target of a link; we make our own.
  if (asText(attachment.from_url) && !attachment.is_msg_unfurl) return ''
  const title = asText(attachment.title)
  const address = asText(attachment.title_link)
  const head = title === undefined ? '' : address ? `[${title.replace(/[[\]]/g, '\\$&')}](${address})` : `**${title}**`
  const fields = asObjects(attachment.fields).map((field) => {
    const name = asText(field.title)
    return `${name === undefined ? '' : `**${name}**: `}${fromSlack(asText(field.value) ?? '', names)}`
  })
  const body = fromSlack(asText(attachment.text) ?? '', names)
  const lines = [fromSlack(asText(attachment.pretext) ?? '', names), head, body, ...fields]
  const text = lines.filter((line) => line !== '').join('\n')
  return text === '' ? fromSlack(asText(attachment.fallback) ?? '', names) : text
}

/** A link to a file: to a copy where the archive has one, else to where it was. */
function fileLink(archive: Archive, file: Json, message: Json, where: string, records: Placed[]): string {
  const id = asText(file.id)
  const name = (asText(file.name) ?? asText(file.title) ?? 'file').replace(/[\n[\]]/g, ' ').slice(0, 200)
  const mode = asText(file.mode)
  // Slack no longer has the file, or never had it.
  const isElsewhere = mode === 'tombstone' || mode === 'hidden_by_limit' || mode === 'external'
  const url = isElsewhere ? undefined : (asText(file.url_private_download) ?? asText(file.url_private))
  const path = id === undefined ? undefined : (pathOf(archive, id, asText(file.name)) ?? downloadedCopy(archive, url))
  if (path !== undefined) {
    const user = asText(file.user) ?? asText(message.user)
    const date = asNumber(file.created) ?? asNumber(file.timestamp)
    const type = asText(file.mimetype)
    const known = { ...(user && { user }), ...(date !== undefined && { date }), ...(type && { content_type: type }) }
    records.push({ record: { type: 'file', id: id!, name, path, ...known }, place: where })
    return `[${name}](${reference('file', id!)})`
  }
  if (mode === 'external') return link(name, asText(file.url_private))
  const reason =
    mode === 'tombstone' ? 'it was deleted' : mode === 'hidden_by_limit' ? 'Slack hides it' : onlyUrl(archive)
  records.push({ record: { type: 'left_out', kind: 'file', reason, place: where }, place: where })
  return mode === 'tombstone' || mode === 'hidden_by_limit'
    ? `(${name}: ${reason})`
    : link(name, asText(file.url_private))
}

const link = (name: string, url: string | undefined): string =>
  url && /^https?:\/\/[^\s)]+$/.test(url) ? `[${name}](${url.replace(/[?&]t=xox[^&]*/, '')})` : name

/** Where programs that add files to an export put them. */
function pathOf(archive: Archive, id: string, name: string | undefined): string | undefined {
  const places = [`__uploads/${id}/${name}`, `files/${id}/${name}`, `files/${id}-${name}`, `files/${id}`]
  return places.find((place) => archive.has(place))
}
