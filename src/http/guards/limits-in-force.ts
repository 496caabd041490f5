import type { Chat } from '../../core/kernel/chat.ts'
import { defaultRates, type Rates, rateTexts } from './rates.ts'

const inForce = new WeakMap<Chat, readonly string[]>()

/** Records the limits of the app that serves a chat; null if it has none. */
export const noteLimits = (chat: Chat, rates: Partial<Rates> | null): void =>
  void inForce.set(chat, rates ? rateTexts({ ...defaultRates, ...rates }) : [])

/** Returns the limits of the app that serves a chat, in the format of `parseRates`; undefined without an app. */
export const limitsInForce = (chat: Chat): readonly string[] | undefined => inForce.get(chat)
