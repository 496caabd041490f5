import { type ChatError, isChatError } from '../core/kernel/errors.ts'

/**
 * Returns whether the server rejected the request. Any other error leaves it open whether the request took effect or
 * would when repeated. That includes a missing session, because the user may sign in again.
 * @example
 * await client.sendMessage(message).catch((error) => console.log(isRefused(error) ? 'not sent' : 'perhaps sent'))
 */
export const isRefused = (error: unknown): error is ChatError =>
  isChatError(error) && !['unavailable', 'bug', 'rate', 'credentials'].includes(error.kind)
