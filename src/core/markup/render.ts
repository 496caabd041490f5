import type { MarkupContext, Rendered } from './context.ts'
import { escapeText } from './html.ts'
import { parser } from './parser.ts'
import { envOf, newRendering } from './rendering.ts'

/** Short messages may grow by more than the factor: one formula alone takes a few thousand characters. */
const sizeAlwaysAllowed = 10_000
const maxGrowth = 100

function unformatted(content: string): string {
  return `<p>${escapeText(content).replaceAll('\n', '<br>\n')}</p>`
}

/**
 * Renders a message's Markdown to the HTML that clients style.
 *
 * @param content as the sender typed it
 * @param context everything `findReferences(content)` asks for, looked up
 * @example
 * const { userNames, userIds, streamNames } = findReferences(content)
 * const context = await lookUp(userNames, userIds, streamNames)
 * const { html, mentionedUserIds } = render(content, context)
 */
export function render(content: string, context: MarkupContext): Rendered {
  return (isProse(content) && context.linkifiers.length === 0 ? prose : parsed)(content, context)
}

/**
 * One line of words, in which no rule of the dialect could find anything. Most of what people write in a chat is, and
 * the parser would cost more than all the rest of a send; a test holds the two against each other.
 */
export const isProse = (content: string): boolean =>
  content.length < 1000 && /^\p{L}(?:[\p{L}\p{N} ,;?!'-]|\.(?= |$))*$/u.test(content) && !content.endsWith(' ')

const prose = (content: string): Rendered => ({
  html: `<p>${content}</p>`,
  mentionedUserIds: [],
  mentionedGroupIds: [],
  streamWildcard: false,
  topicWildcard: false,
  hasLink: false,
  hasImage: false,
  hasAttachment: false,
  isMeMessage: false,
  attachmentPaths: [],
})

/** As `render`, always by the parser. */
export function parsed(content: string, context: MarkupContext): Rendered {
  const rendering = newRendering(context)
  const env = envOf(rendering)
  const tokens = parser.parse(content.toWellFormed(), env)
  let html = parser.renderer.render(tokens, parser.options, env).trimEnd()
  if (html.length > Math.max(sizeAlwaysAllowed, content.length * maxGrowth)) html = unformatted(content.toWellFormed())
  return {
    html,
    mentionedUserIds: [...rendering.userIds],
    mentionedGroupIds: [...rendering.groupIds],
    streamWildcard: rendering.streamWildcard,
    topicWildcard: rendering.topicWildcard,
    hasLink: rendering.hasLink,
    hasImage: rendering.hasImage,
    hasAttachment: rendering.attachmentPaths.size > 0,
    // One paragraph that still begins with the command; `/me` before a list is just text.
    isMeMessage: content.startsWith('/me ') && html.startsWith('<p>/me') && html.endsWith('</p>'),
    attachmentPaths: [...rendering.attachmentPaths],
  }
}
