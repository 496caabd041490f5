import { storedName } from '../state/here.ts'
import { browserStorage } from './browser-storage.ts'

/**
 * Texts that the server does not have yet, kept by the browser until it has: over a reload without a connection, or a tab that
 * is closed before the draft is saved. In its plain storage, which is written even as the page goes.
 */
const PREFIX = storedName('text ')

const nameOf = (user_id: number, key: string): string => `${PREFIX}${user_id} ${key}`

export interface StoredText {
  text: string
  /** What it is for. */
  of: unknown
  /** The draft that the server has of it, with an older text. */
  draft?: number | undefined
  /** What was begun for the same before this one came from another place. */
  covered?: StoredText | undefined
}

export function storeText(user_id: number, key: string, kept: StoredText | undefined): void {
  try {
    if (kept) browserStorage().setItem(nameOf(user_id, key), JSON.stringify(kept))
    else browserStorage().removeItem(nameOf(user_id, key))
  } catch {
    // Without room it is only on the page.
  }
}

const names = (prefix: string): string[] => Object.keys(browserStorage()).filter((name) => name.startsWith(prefix))

/** What is kept of somebody, by its key. */
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
