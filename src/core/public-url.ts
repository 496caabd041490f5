import type { Chat } from './chat.ts'

/** Base URL of a chat that was given none. It may not be reachable. */
export const DEFAULT_PUBLIC_URL = 'http://localhost'

const addresses = new WeakMap<Chat, string>()

/** Notes where a server of this chat listens. */
export const noteAddress = (chat: Chat, url: string): void => void addresses.set(chat, url)

/** Base URL that the chat was given for its links; undefined where it is what each request calls the server. */
export const configuredUrl = ({ options }: Chat): string | undefined =>
  options.publicUrl === DEFAULT_PUBLIC_URL ? undefined : options.publicUrl

/** Base URL of links that are made without a request; undefined where the chat is not served. */
export const linkBase = (chat: Chat): string | undefined => configuredUrl(chat) ?? addresses.get(chat)
