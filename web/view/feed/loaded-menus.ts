/** Loaded together when the first of them may be opened. */

export { conversationActions } from './conversation-actions.ts'
export { openJumpToDate } from './jump-to-date.tsx'
export { messageItems, preparePins } from './message-menu.ts'
export { pickReaction } from './pick-reaction.tsx'
export { mention, quote } from './quote.ts'
export { streamActions, topicActions } from './topic-actions.ts'
