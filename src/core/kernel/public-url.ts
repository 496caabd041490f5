import type { Chat } from './chat.ts'

/** Base URL of a chat that was given none. It may not be reachable. */
export const DEFAULT_PUBLIC_URL = 'http://localhost'

const addresses = new WeakMap<Chat, string>()

/** Records where a server of this chat listens. */
export const noteAddress = (chat: Chat, url: string): void => void addresses.set(chat, url)

/** Returns the base URL that the chat was given for its links; undefined if each request decides. */
export const configuredUrl = ({ options }: Chat): string | undefined =>
  options.publicUrl === DEFAULT_PUBLIC_URL ? undefined : options.publicUrl

/** Returns the base URL of links made outside a request; undefined if the chat isn't served. */
export const linkBase = (chat: Chat): string | undefined => configuredUrl(chat) ?? addresses.get(chat)

/** Returns the path of a base URL without its last slash; empty for most URLs. */
export const basePathIn = (url: string): string => new URL(url).pathname.replace(/\/$/, '')

const bases = new WeakMap<Chat, string>()

/** Characters that h3 takes literally in a route and no proxy rewrites. */
const PATH = /^(?:\/[\w.~-]+)*$/

/**
 * Returns a base path without a trailing slash.
 *
 * @throws Error for anything but segments of letters, digits, `-`, `.`, `_` and `~`
 */
export function checkedBasePath(path: string): string {
  const base = path.replace(/\/$/, '')
  if (PATH.test(base) && !/\/\.{1,2}(?:\/|$)/.test(base)) return base
  throw new Error(
    `${JSON.stringify(path)} is not a valid base path. Use letters, digits, -, ., _ and ~, such as /chat.`,
  )
}

/**
 * Sets the path below which the chat is served, and returns it without a trailing slash. Without an argument it stays
 * unchanged, by default the path of the chat's public URL.
 *
 * @throws Error like `checkedBasePath`, and if another path was set
 */
export function serveBelow(chat: Chat, path?: string): string {
  const base = checkedBasePath(path ?? basePath(chat))
  const before = bases.get(chat)
  if (path !== undefined && before !== undefined && before !== base) {
    throw new Error(`this chat is already served below ${before || '/'}, so it cannot be served below ${base || '/'}`)
  }
  if (path !== undefined) bases.set(chat, base)
  return base
}

/** Returns the path below which the chat is served, without a trailing slash; empty at the root. */
export function basePath(chat: Chat): string {
  const url = configuredUrl(chat)
  return bases.get(chat) ?? (url === undefined ? '' : basePathIn(url))
}

/** The chat's public URL, with its base path. */
export function publicUrlOf(chat: Chat): string {
  const { publicUrl } = chat.options
  const base = basePath(chat)
  return base === '' ? publicUrl : new URL(publicUrl).origin + base
}

/** Returns a path of this server as clients request it. Other addresses are returned unchanged. */
export const servedPath = (chat: Chat, path: string): string => (path.startsWith('/') ? basePath(chat) + path : path)

/** The opposite of `servedPath`: returns a path as the chat itself names it. */
export function ownPath(chat: Chat, path: string): string {
  const base = basePath(chat)
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path
}

const TAG = /<[a-z][^>]*>/g
const OWN_ADDRESS = /(?:="|url\(&quot;)(?=\/(?:#|(?:user_uploads|user_avatars|avatar|static|thumbnail)\b))/g

/**
 * Returns rendered HTML for clients. Stored HTML names files, emoji and messages without the base path, so that it
 * outlives a move of the server. Attribute values never contain `"` or `>`.
 */
export function servedHtml(chat: Chat, html: string): string {
  const base = basePath(chat)
  if (base === '' || !/(?:="|;)\//.test(html)) return html
  return html.replace(TAG, (tag) => tag.replace(OWN_ADDRESS, `$&${base}`))
}
