import { EMPTY_TOPIC_DISPLAY_NAME } from './limits.ts'

/** A topic whose name begins with this is resolved: a convention of clients that the server follows. */
export const RESOLVED_PREFIX = '✔ '

/** A topic's name for a client: one that does not know empty names gets a display name for it. */
export const displayTopicName = (name: string, allowsEmpty: boolean): string =>
  name === '' && !allowsEmpty ? EMPTY_TOPIC_DISPLAY_NAME : name
