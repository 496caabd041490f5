import type { Message } from '../../../src/client/index.ts'
import { onDemand } from '../parts/on-demand.tsx'
import { Content } from './content.tsx'

const Poll = onDemand(async () => (await import('./poll.tsx')).Poll, { asked: false })

const Todo = onDemand(async () => (await import('./todo.tsx')).Todo, { asked: false })

/** A message that is a poll or a list of tasks; of kinds that are not known, its text. */
export function Widget({ message }: { message: Message }) {
  const { widget_type, extra_data } = parsed(message.submessages[0]!.content)
  if (widget_type === 'poll') return <Poll message={message} data={extra_data} />
  if (widget_type === 'todo') return <Todo message={message} data={extra_data} />
  return <Content html={message.content} />
}

interface WidgetData {
  widget_type?: string
  // biome-ignore lint/suspicious/noExplicitAny: each widget reads its own data.
  extra_data?: any
}

/** The content of a submessage; undefined if it isn't JSON. */
export function parsed(content: string): WidgetData & Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === 'object' && value !== null ? (value as WidgetData & Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
