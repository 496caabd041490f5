import { storedName } from '../here.ts'
import { browserStorage } from './browser-storage.ts'

/**
 * Texts that the server doesn't have yet, stored across reloads without a connection and closed tabs. They are in the
 * browser's plain storage, which can be written while the page unloads.
 */
const PREFIX = storedName('text ')

const nameOf = (user_id: number, key: string): string => `${PREFIX}${user_id} ${key}`

export interface StoredText {
  text: string
  /** Its conversation. */
  of: unknown
  at: number
  /** The server's draft with an older text. */
  draft?: number | undefined
  asked?: { key: string; draft: unknown } | undefined
  edit?: { id: number; base: string; isOpen: boolean } | undefined
}

export function storeText(user_id: number, key: string, kept: StoredText | undefined): void {
  try {
    if (kept) browserStorage().setItem(nameOf(user_id, key), JSON.stringify(kept))
    else browserStorage().removeItem(nameOf(user_id, key))
  } catch {
    // Without space in the browser, the text is only in this page.
  }
}

const names = (prefix: string): string[] => Object.keys(browserStorage()).filter((name) => name.startsWith(prefix))

/** Returns a user's stored texts by key. */
export const storedTexts = (user_id: number): ReadonlyMap<string, StoredText> =>
  new Map(
    names(nameOf(user_id, '')).map((name) => [
      name.slice(nameOf(user_id, '').length),
      JSON.parse(browserStorage().getItem(name)!) as StoredText,
    ]),
  )

export function clearStoredTexts(): void {
  for (const name of names(PREFIX)) browserStorage().removeItem(name)
}
