import { type ActionScope, actionScopes, type KeyScope, keyScopes } from './action-scopes.ts'
import { ChatError } from './errors.ts'

export { type KeyScope, keyScopes }

/** The scopes that another one includes. */
const included: Readonly<Record<KeyScope, readonly KeyScope[]>> = {
  read: [],
  send: [],
  webhook: [],
  write: ['read', 'send', 'webhook'],
  manage: ['read', 'send', 'webhook', 'write'],
  provision: [],
  provision_groups: ['provision'],
}

/** What a limited key permits. The account's own rights limit it further. */
export interface Grant {
  /** Missing after an action was permitted, so that it can call others. */
  readonly scopes?: readonly KeyScope[] | undefined
  /** The only channels it may send to; undefined for all. */
  readonly channels?: readonly number[] | undefined
}

/** Actions of keys that are limited to channels. Each sends a message, and nothing else. */
const inChannels: ReadonlySet<string> = new Set([
  ...['sendMessage', 'receiveWebhook', 'checkWebhook', 'receiveSlack', 'receiveSlackIncoming'],
  ...['postSlackMessage', 'testSlackToken'],
])

/** Returns what an action needs. An action that isn't in the table needs a key without limits. */
export const scopeOf = (action: string): ActionScope => actionScopes.get(action) ?? 'account'

/**
 * Throws unless a key permits an action.
 *
 * @throws ChatError INSUFFICIENT_SCOPE
 */
export function requireScope({ scopes, channels }: Grant, action: string): void {
  if (!scopes) return
  const required = scopeOf(action)
  const permits = (scope: KeyScope) => scope === required || included[scope].some((other) => other === required)
  if (!scopes.some(permits)) throw insufficientScope(required)
  if (channels && !inChannels.has(action)) throw outsideChannels()
}

/** Throws INSUFFICIENT_SCOPE unless a key permits sending to a channel; undefined is a direct message. */
export function requireChannel({ channels }: Grant, stream_id: number | undefined): void {
  if (channels && (stream_id === undefined || !channels.includes(stream_id))) throw outsideChannels()
}

const insufficientScope = (required: ActionScope) =>
  new ChatError(
    'INSUFFICIENT_SCOPE',
    required === 'account'
      ? 'This API key is limited. Sign in, or use a key without limits'
      : `This API key is limited. The request needs a key with the scope "${required}"`,
    { required },
  )

const outsideChannels = () =>
  new ChatError('INSUFFICIENT_SCOPE', 'This API key is limited to sending messages to certain channels', {
    required: 'channel',
  })
