import type { Session } from '../state/session.ts'

export type Which = 'change_one' | 'change_later' | 'change_all'

export const moveMessages = (
  { client }: Session,
  message_id: number,
  { stream_id, topic, which }: { stream_id: number; topic: string; which: Which },
  before: { stream_id: number },
) =>
  client.updateMessage({
    message_id,
    topic,
    propagate_mode: which,
    ...(stream_id !== before.stream_id && { stream_id }),
  })

const RESOLVED = '✔ '

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED)

/** The name of a topic after it is marked as resolved or unresolved. */
export const resolvedName = (topic: string, longest: number): string =>
  isResolved(topic) ? topic.replace(/^[✔ ]+/u, '') : [...(RESOLVED + topic)].slice(0, longest).join('')
