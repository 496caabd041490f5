import { lengthOf, MAX_TOPIC_LENGTH } from '../../kernel/base/limits.ts'
import { RESOLVED_PREFIX } from '../../kernel/base/topic-name.ts'

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED_PREFIX)

const withoutResolvedPrefix = (topic: string): string => topic.replace(/^[✔ ]+/, '')

/** The prefix must not make a name too long. */
export const truncateResolved = (topic: string): string =>
  isResolved(topic) && lengthOf(withoutResolvedPrefix(topic)) <= MAX_TOPIC_LENGTH
    ? [...topic].slice(0, MAX_TOPIC_LENGTH).join('')
    : topic

/** Whether the new name only marks the topic as resolved, or as unresolved. */
export const isResolveToggle = (from: string, to: string): boolean =>
  isResolved(to)
    ? !isResolved(from) && to === truncateResolved(RESOLVED_PREFIX + from)
    : isResolved(from) && to === withoutResolvedPrefix(from)
