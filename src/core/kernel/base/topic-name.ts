import { EMPTY_TOPIC_DISPLAY_NAME } from './limits.ts'

/** The prefix of resolved topics, a convention of clients that the server follows. */
export const RESOLVED_PREFIX = '✔ '

/** Returns a topic's name in its stored form. Clients send two names for the empty one. */
export const storedTopicName = (name: string): string =>
  name === '(no topic)' || name === EMPTY_TOPIC_DISPLAY_NAME ? '' : name

/** Returns a topic's name for a client. A client that doesn't know empty names gets a display name. */
export const displayTopicName = (name: string, allowsEmpty: boolean): string =>
  name === '' && !allowsEmpty ? EMPTY_TOPIC_DISPLAY_NAME : name
