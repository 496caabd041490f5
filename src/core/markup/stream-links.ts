import type { MarkdownIt, StateInline } from 'markdown-it'
import { escapeText, tag } from './html.ts'
import { narrowUrl } from './narrow-link.ts'
import { type Rendering, renderingOf } from './rendering.ts'

interface StreamLink {
  stream: { id: number; name: string }
  topic?: string
  messageId?: string
}

// Bounded, so that a run of openers costs a bounded look ahead each.
const pattern = /#\*\*([^*\n]{1,300}?)\*\*/y
const before = /[\s'"({[/<:>*~|]/

function findStream({ context, collector }: Rendering, name: string) {
  collector?.streamNames.add(name.toLowerCase())
  return context.streams.get(name.toLowerCase())
}

function resolve(rendering: Rendering, text: string): StreamLink | undefined {
  // A stream's own name may hold `>`, so the whole text is tried first.
  const whole = findStream(rendering, text)
  if (whole) return { stream: whole }
  const arrow = text.indexOf('>')
  if (arrow < 0) return undefined
  const stream = findStream(rendering, text.slice(0, arrow))
  if (!stream) return undefined
  const [, topic = '', messageId] = /^(.*?)(?:@(\d{1,15}))?$/.exec(text.slice(arrow + 1)) ?? []
  return { stream, topic, ...(messageId && { messageId }) }
}

function streamLinkRule(state: StateInline, silentRun: boolean): boolean {
  const { src, pos } = state
  // Links do not nest.
  if (src.charCodeAt(pos) !== 35 /* # */ || state.linkLevel > 0) return false
  if (pos > 0 && !before.test(src[pos - 1]!)) return false
  pattern.lastIndex = pos
  const match = pattern.exec(src)
  if (!match || pos + match[0].length > state.posMax) return false
  const link = resolve(renderingOf(state.env), match[1]!)
  if (!link) return false
  if (!silentRun) {
    const token = state.push('stream_link', '', 0)
    token.meta = { link }
    token.content = match[1]!
  }
  state.pos += match[0].length
  return true
}

function streamLinkHtml({ stream, topic, messageId }: StreamLink): string {
  const href = narrowUrl(stream, topic, messageId)
  if (topic === undefined) {
    return `${tag('a', { class: 'stream', 'data-stream-id': stream.id, href })}#${escapeText(stream.name)}</a>`
  }
  // A topic without a name has a place to be shown all the same.
  const topicHtml = topic === '' ? '<em>general chat</em>' : escapeText(topic)
  const text = `#${escapeText(stream.name)} &gt; ${topicHtml}`
  if (messageId !== undefined) return `${tag('a', { class: 'message-link', href })}${text} @ 💬</a>`
  return `${tag('a', { class: 'stream-topic', 'data-stream-id': stream.id, href })}${text}</a>`
}

/** `#**stream**`, `#**stream>topic**`, `#**stream>topic@id**`. */
export function streamLinks(md: MarkdownIt) {
  md.inline.ruler.before('emphasis', 'stream_link', streamLinkRule)
  md.renderer.rules.stream_link = (tokens, index) => streamLinkHtml(tokens[index]!.meta!.link as StreamLink)
}
