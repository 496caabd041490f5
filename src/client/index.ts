/** The API for programs in browsers and Node: typed calls, a live state, messages by narrow, an outbox. */

export { defaultDescription } from '../core/accounts/default-description.ts'
export type { ChatEvent, EventType } from '../core/events/types/table.ts'
export { ChatError, type ErrorCode, isChatError } from '../core/kernel/errors.ts'
export type { MessageView as Message } from '../core/shapes/message.ts'
export { drawnAvatarUrl } from '../core/users/avatars/drawn-avatar.ts'
export { beginBrowserSession, completeBrowserSession, endBrowserSession, pageHeaders } from './browser-session.ts'
export { type Answered, type CallOptions, type Client, type ClientOptions, createClient } from './client.ts'
export { isRefused } from './is-refused.ts'
export type { Connection } from './live/connection.ts'
export { type Change, type Live, type LiveOptions, live } from './live/live.ts'
export type { Timers } from './live/timers.ts'
export { type Feed, type Loaded, messagesPath, sentNarrow, type Window } from './messages/feed.ts'
export type { KeptMessages } from './messages/keep.ts'
export type { StoreChange } from './messages/known.ts'
export {
  type MessageStore,
  messageStore,
  type StoreOptions,
} from './messages/message-store.ts'
export { isInNarrow, type Narrow, narrowKey, type Term } from './messages/narrow.ts'
export { isIn, type Span } from './messages/spans.ts'
export { newId } from './new-id.ts'
export { type Outbox, type OutboxOptions, outbox } from './outbox.ts'
export type { OutboxEntry, OutboxStorage, Outgoing } from './outbox-entry.ts'
export { beginPasskeyBrowserSession, type PasskeyRequest, passkeyRequest } from './passkey-session.ts'
export { ConnectionError } from './request.ts'
export { applyEvent } from './state/apply-event.ts'
export { type ClientState, isSpectator } from './state/client-state.ts'
export { administersStream, hasPermission, isAllowed, type OrganizationPermission } from './state/own-rights.ts'
