import type { Store } from '../../storage/index.ts'
import type { Chat } from './chat.ts'
import { defineService } from './service.ts'

/** The chat's database. */
export const storeOf = defineService<Store>('store')

/** The differences between databases in a query: lists of ids, rows as a table, search. */
export const dialectOf = (chat: Chat): Store['dialect'] => storeOf(chat).dialect

/** Makes something once per type of database, such as statements with lists in them. */
export function byDialect<S>(make: (dialect: Store['dialect']) => S): (chat: Chat) => S {
  const made = new WeakMap<Store['dialect'], S>()
  return (chat) => {
    const dialect = dialectOf(chat)
    const known = made.get(dialect)
    if (known !== undefined) return known
    const value = make(dialect)
    made.set(dialect, value)
    return value
  }
}
