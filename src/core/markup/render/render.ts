import { parseBlocks } from '../blocks/parse.ts'
import { blocksHtml } from '../blocks/print.ts'
import type { MarkupContext, Rendered } from '../context.ts'
import { escapeText } from '../html.ts'
import { newState } from '../state.ts'

/** Short messages may grow by more than the factor: a single formula takes a few thousand characters. */
const SIZE_ALWAYS_ALLOWED = 10_000
const MAX_GROWTH = 100

function unformatted(content: string): string {
  return `<p>${escapeText(content).replaceAll('\n', '<br>\n')}</p>`
}

/**
 * Renders a message's Markdown to the HTML that clients style.
 *
 * @param content as the sender typed it
 * @param context everything that `findReferences(content)` returns, looked up
 * @example
 * const { userNames, userIds, streamNames } = findReferences(content)
 * const context = await lookUp(userNames, userIds, streamNames)
 * const { html, mentionedUserIds } = render(content, context)
 */
export function render(content: string, context: MarkupContext): Rendered {
  return (isProse(content) && context.linkifiers.length === 0 ? prose : parsed)(content, context)
}

/**
 * One line of words in which no rule can find anything. Most chat messages are like that, and the parser would
 * cost more than all the rest of a send; a test compares the two.
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

/** As `render`, always with the parser. */
export function parsed(content: string, context: MarkupContext): Rendered {
  const state = newState(context)
  let html = blocksHtml(parseBlocks(content, context.defaultCodeLanguage), state)
  if (html.length > Math.max(SIZE_ALWAYS_ALLOWED, content.length * MAX_GROWTH))
    html = unformatted(content.toWellFormed())
  return {
    html,
    mentionedUserIds: [...state.userIds],
    mentionedGroupIds: [...state.groupIds],
    streamWildcard: state.streamWildcard,
    topicWildcard: state.topicWildcard,
    hasLink: state.hasLink,
    hasImage: state.hasImage,
    hasAttachment: state.attachmentPaths.size > 0,
    // A single paragraph that begins with the command; `/me` before a list is just text.
    isMeMessage: content.startsWith('/me ') && html.startsWith('<p>/me') && html.endsWith('</p>'),
    attachmentPaths: [...state.attachmentPaths],
  }
}
