import type { Chat } from './chat.ts'

/** A part of an open chat, found by its handle: `storeOf(chat)`. */
export interface Service<T> {
  (chat: Chat): T
  /** Called once, when the chat is opened. */
  provide(chat: Chat, value: T): void
}

/**
 * Defines the handle of a part that every chat has one of. The part's type stays on the floor that owns it, and the
 * chat's own type doesn't mention it.
 * @example
 * export const busOf = defineService<Bus>('bus')
 */
export function defineService<T>(name: string): Service<T> {
  const values = new WeakMap<Chat, { value: T }>()
  const service = (chat: Chat): T => {
    const held = values.get(chat)
    if (!held) throw new Error(`the chat has no ${name}; create it with openChat`)
    return held.value
  }
  return Object.assign(service, { provide: (chat: Chat, value: T) => void values.set(chat, { value }) })
}
