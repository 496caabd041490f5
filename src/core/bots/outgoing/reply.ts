import * as v from 'valibot'
import { widgetFrom } from '../../messages/widgets/widget-content.ts'

const answer = v.object({
  response_not_required: v.nullish(v.boolean()),
  response_string: v.nullish(v.string()),
  content: v.nullish(v.string()),
  text: v.nullish(v.string()),
  widget_content: v.nullish(v.unknown()),
  response_type: v.nullish(v.picklist(['in_channel', 'ephemeral'])),
})

/** What a bot says to a message. */
export interface Reply {
  content: string
  /** The first submessage of a poll, a to-do list or a form. */
  widget?: string
  /** Whether only the sender of the message gets it. */
  isPrivate: boolean
}

/**
 * Returns a receiver's reply to a message, or undefined. It is JSON with `content`, `response_string` or, in Slack's
 * format, `text`. An empty body has no reply.
 *
 * @throws Error for any other response
 */
export function replyIn(body: string): Reply | undefined {
  if (body.trim() === '') return undefined
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    throw new Error('the answer is not JSON')
  }
  const parsed = v.safeParse(answer, json)
  if (!parsed.success) throw new Error(problemOf(parsed.issues[0]))
  const { response_not_required, content, response_string, text, widget_content, response_type } = parsed.output
  if (response_not_required) return undefined
  const said = [content, response_string, text].find((one) => one != null && one.trim() !== '')
  if (said == null) {
    if (widget_content != null) throw new Error('the answer has a widget_content and no content')
    return undefined
  }
  const widget = widget_content == null ? {} : { widget: widgetFrom(widget_content) }
  return { content: said, ...widget, isPrivate: response_type === 'ephemeral' }
}

const problemOf = (issue: v.BaseIssue<unknown>): string =>
  v.getDotPath(issue) === 'response_type'
    ? 'the response_type of the answer is not in_channel or ephemeral'
    : 'the answer is not an object with a content'
