/** What surrounds the messages of a feed, loaded after the first view. */

export { FeedStart } from './feed-start.tsx'
export { HeaderFacts } from './header-facts.tsx'
export { UnreadPill } from './unread-pill.tsx'
