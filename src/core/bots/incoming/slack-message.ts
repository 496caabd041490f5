import * as v from 'valibot'
import { fromSlack } from './slack-text.ts'
import { link, untrustedLine } from './text.ts'

const text = v.nullish(v.string(), '')
const field = v.object({ title: text, value: text })
const attachment = v.object({
  pretext: text,
  title: text,
  title_link: text,
  text,
  fallback: text,
  author_name: text,
  footer: text,
  image_url: text,
  fields: v.nullish(v.array(field), []),
})
const blockText = v.union([v.string(), v.object({ text: v.string() })])
const block = v.object({
  type: v.string(),
  text: v.nullish(blockText),
  fields: v.nullish(v.array(blockText), []),
  elements: v.nullish(v.array(v.unknown()), []),
  image_url: text,
  alt_text: text,
})

/** The payload of Slack's incoming webhooks, which Mattermost also accepts. */
export const slackMessage = v.object({
  text,
  channel: text,
  username: text,
  blocks: v.nullish(v.array(block), []),
  attachments: v.nullish(v.array(attachment), []),
})
export type SlackMessage = v.InferOutput<typeof slackMessage>

/** Returns the message in our Markdown; empty if nothing of it can be shown. */
export function contentOf({ text, blocks, attachments }: SlackMessage): string {
  const parts = [
    // Blocks contain everything. The text is only for clients that can't show them.
    ...(blocks.length ? blocks.map(fromBlock) : [fromSlack(text)]),
    ...attachments.map(fromAttachment),
  ]
  return parts.filter((part) => part.trim() !== '').join('\n\n')
}

const textOf = (value: v.InferOutput<typeof blockText> | null | undefined): string =>
  value == null ? '' : fromSlack(typeof value === 'string' ? value : value.text)

function fromBlock({ type, text, fields, elements, image_url, alt_text }: v.InferOutput<typeof block>): string {
  if (type === 'header') return `## ${textOf(text)}`
  if (type === 'divider') return '----'
  if (type === 'image') return link(alt_text || 'image', image_url)
  if (type === 'context') return elements.map(elementText).filter(Boolean).join(' ')
  return [textOf(text), ...fields.map(textOf)].filter(Boolean).join('\n')
}

const elementText = (element: unknown): string => {
  const parsed = v.safeParse(blockText, element)
  return parsed.success ? textOf(parsed.output) : ''
}

function fromAttachment(a: v.InferOutput<typeof attachment>): string {
  const heading = a.title ? `**${link(a.title, a.title_link)}**` : ''
  const lines = [
    fromSlack(a.pretext),
    a.author_name ? `*${untrustedLine(a.author_name)}*` : '',
    heading,
    fromSlack(a.text || (heading || a.pretext ? '' : a.fallback)),
    ...a.fields.map(({ title, value }) => `**${untrustedLine(title)}**: ${fromSlack(value)}`),
    a.image_url ? link('image', a.image_url) : '',
    a.footer ? `*${untrustedLine(a.footer)}*` : '',
  ]
  return lines.filter((line) => line !== '').join('\n')
}
