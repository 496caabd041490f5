import { type ChatError, isChatError } from '../core/kernel/errors.ts'

/**
 * Whether the server has answered that it does not do it. Otherwise it may have been done all the same, or is when it is asked for
 * again: without a session too, as who asked may begin another.
 *
 * @example
 * await client.sendMessage(message).catch((error) => console.log(isRefused(error) ? 'not sent' : 'perhaps sent'))
 */
export const isRefused = (error: unknown): error is ChatError =>
  isChatError(error) && !['unavailable', 'bug', 'rate', 'credentials'].includes(error.kind)
