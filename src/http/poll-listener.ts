import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Answers a plain poll of an event queue, or a plain message, directly. Returns false, or a promise of false, if the
 * request is for the entire shell. Nothing has been read or answered then.
 */
export type PollListener = (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | false

/**
 * Whether a header was sent twice. Node keeps the first value of some, such as credentials, where the shell reads both and
 * rejects the request.
 */
export const repeatsHeader = ({ rawHeaders, headers }: IncomingMessage): boolean =>
  rawHeaders.length > 2 * Object.keys(headers).length
