import type { MarkupContext } from '../context.ts'
import { escapeText, tag } from '../html.ts'
import { narrowUrl } from '../narrow-link.ts'
import type { RenderState } from '../state.ts'
import { before } from './mentions.ts'
import { keep, type Pass } from './passes.ts'

interface StreamLink {
  stream: NonNullable<ReturnType<MarkupContext['streams']['get']>>
  topic?: string
  messageId?: string
}

// Bounded, so that each of a run of opening markers costs a bounded look-ahead.
const pattern = new RegExp(`${before}#\\*\\*([^*\\n\x81]{1,300})\\*\\*`, 'g')

const findStream = ({ context }: RenderState, name: string) => context.streams.get(name.toLowerCase())

function resolve(state: RenderState, text: string): StreamLink | undefined {
  // A stream's name may contain `>`, so the whole text is tried first.
  const whole = findStream(state, text)
  if (whole) return { stream: whole }
  const arrow = text.indexOf('>')
  if (arrow < 0) return undefined
  const name = text.slice(0, arrow)
  const stream = findStream(state, name)
  const [, topic = '', messageId] = /^(.*?)(?:@(\d{1,15}))?$/.exec(text.slice(arrow + 1)) ?? []
  if (!stream) return undefined
  return { stream, topic, ...(messageId && { messageId }) }
}

function streamLinkHtml({ stream, topic, messageId }: StreamLink): string {
  const newest = topic === undefined ? undefined : stream.newest?.get(topic)
  const href = narrowUrl(stream, topic, { near: messageId, with: newest })
  if (topic === undefined) {
    return `${tag('a', { class: 'stream', 'data-stream-id': stream.id, href })}#${escapeText(stream.name)}</a>`
  }
  // An empty topic is shown by its display name.
  const topicHtml = topic === '' ? '<em>general chat</em>' : escapeText(topic)
  const text = `#${escapeText(stream.name)} &gt; ${topicHtml}`
  if (messageId !== undefined) return `${tag('a', { class: 'message-link', href })}${text} @ 💬</a>`
  return `${tag('a', { class: 'stream-topic', 'data-stream-id': stream.id, href })}${text}</a>`
}

/** `#**stream**`, `#**stream>topic**`, `#**stream>topic@id**`. */
export const streamLinks: Pass = (text, state) =>
  text.includes('#**')
    ? text.replace(pattern, (typed, inner: string) => {
        const link = resolve(state, inner)
        if (!link) return typed
        state.hasLink = true
        return keep(state, streamLinkHtml(link), typed)
      })
    : text
