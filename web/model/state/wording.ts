import type { ChatError } from '../../../src/client/index.ts'

/** Words the server's errors in the page's language, once `problem-words.ts` is loaded. */
export const wording: { of?(error: ChatError): string | undefined } = {}
