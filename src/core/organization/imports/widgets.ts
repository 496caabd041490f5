import type { RecordOf } from '../../../import/format.ts'
import { MAX_MESSAGE_BYTES } from '../../kernel/base/limits.ts'
import { widgetOf } from '../../messages/widgets/widget.ts'

/** What starts a poll or to-do list, or changes it: votes, options and tasks. */
export type WidgetStep = NonNullable<RecordOf<'message'>['widget']>[number]

type Parsed = Readonly<Record<string, unknown>>

/**
 * Returns the steps of a message: first the one that starts the widget, from the source or else from the message's text. Returns
 * undefined if nothing starts it.
 */
export function stepsOf({ user, content, widget = [] }: RecordOf<'message'>): readonly WidgetStep[] | undefined {
  const [first] = widget
  if (first?.user === user && isReadable(first) && typeof parsed(first.content)?.widget_type === 'string') return widget
  const started = widgetOf(content)
  return started === undefined ? undefined : [{ user, content: started }, ...widget]
}

/** Whether clients can read a step. */
export const isReadable = ({ content }: WidgetStep): boolean =>
  Buffer.byteLength(content) <= MAX_MESSAGE_BYTES && parsed(content) !== undefined

/**
 * Replaces the source's users in a step. Options and tasks are named by a number and the ID of the person who added them, which
 * votes repeat.
 */
export function withOwnIds(content: string, userId: (source: string) => number | undefined): string {
  const step = parsed(content)
  if (!step || typeof step.key !== 'string') return content
  const [, by = '', option] = (step.type === 'vote' && /^(.*),(\d+)$/.exec(step.key)) || []
  if (option !== undefined) return JSON.stringify({ ...step, key: `${userId(by) ?? by},${option}` })
  const [, task, owner = ''] = (step.type === 'strike' && /^(\d+),(.*)$/.exec(step.key)) || []
  return task === undefined ? content : JSON.stringify({ ...step, key: `${task},${userId(owner) ?? owner}` })
}

function parsed(content: string): Parsed | undefined {
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Parsed) : undefined
  } catch {
    return undefined
  }
}
