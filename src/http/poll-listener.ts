import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Answers a plain poll of an event queue, or a plain message, directly. Returns false, or a promise of false, if the
 * request is for the entire shell. Nothing has been read or answered then.
 */
export type PollListener = (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | false
