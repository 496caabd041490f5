import type { Chat } from '../../core/kernel/chat.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import type { WebFiles } from '../web/client-files.ts'

/** A script of the web client that estimates a new password while it is typed. */
const PATH = '/password-meter.js'

const withMeter = new WeakSet<Chat>()

/** Lets the pages of a chat use the meter, if its web client is served. */
export function offerPasswordMeter(chat: Chat, files: WebFiles | undefined): void {
  if (files?.has(PATH)) withMeter.add(chat)
}

/** Returns the address of the meter's script, if it is served. */
export const passwordMeter = (chat: Chat): string | undefined =>
  withMeter.has(chat) ? servedPath(chat, PATH) : undefined
