import * as v from 'valibot'
import { badRequest } from '../../kernel/errors.ts'

const line = v.pipe(v.string(), v.maxLength(10_000))
const list = <S extends v.GenericSchema>(entry: S) => v.pipe(v.array(entry), v.maxLength(100))

/** What a widget begins with, by its type. */
const widgets = v.variant('widget_type', [
  v.strictObject({
    widget_type: v.literal('poll'),
    extra_data: v.strictObject({ question: v.optional(line, ''), options: v.optional(list(line), []) }),
  }),
  v.strictObject({
    widget_type: v.literal('todo'),
    extra_data: v.strictObject({
      task_list_title: v.optional(line, 'Task list'),
      tasks: v.optional(list(v.strictObject({ task: line, desc: v.optional(line, '') })), []),
    }),
  }),
  v.strictObject({
    widget_type: v.literal('zform'),
    extra_data: v.strictObject({
      type: v.literal('choices'),
      heading: line,
      choices: list(v.object({ type: v.optional(line), short_name: line, long_name: line, reply: line })),
    }),
  }),
])

/**
 * Returns the first submessage for a widget that a program describes, as JSON or as the text of it.
 *
 * @throws ChatError BAD_REQUEST if it is no poll, to-do list or form
 */
export function widgetFrom(given: unknown): string {
  const value = typeof given === 'string' ? parsed(given) : given
  const result = v.safeParse(widgets, value)
  if (result.success) return JSON.stringify(result.output)
  const { issues } = result
  const where = v.getDotPath(issues[0])
  throw badRequest(`Widgets: ${where === null ? 'widget_content' : where} is invalid or missing.`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('Widgets: API programmer sent invalid JSON content')
  }
}
