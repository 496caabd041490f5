import type { Store } from '../storage/index.ts'
import type { Chat } from './chat.ts'
import { defineService } from './service.ts'

/** The chat's database. */
export const storeOf = defineService<Store>('store')

/** What differs between databases in a query: lists of ids, rows as a table, search. */
export const dialectOf = (chat: Chat): Store['dialect'] => storeOf(chat).dialect
