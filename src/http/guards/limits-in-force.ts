import type { Chat } from '../../core/kernel/chat.ts'
import { defaultRates, type Rates, rateTexts } from './rates.ts'

const inForce = new WeakMap<Chat, readonly string[]>()

/** Notes the limits of the app that serves a chat; null when it has none. */
export const noteLimits = (chat: Chat, rates: Partial<Rates> | null): void =>
  void inForce.set(chat, rates ? rateTexts({ ...defaultRates, ...rates }) : [])

/** The limits of the app that serves a chat, as `parseRates` reads them; undefined where none serves it. */
export const limitsInForce = (chat: Chat): readonly string[] | undefined => inForce.get(chat)
