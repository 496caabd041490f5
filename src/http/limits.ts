import type { H3Event } from 'h3'
import type { SignedIn } from '../core/accounts/keys.ts'
import type { Chat } from '../core/chat.ts'
import { ChatError, errorCodes } from '../core/errors.ts'
import { MAX_EMAIL_LENGTH } from '../core/limits.ts'
import type { User } from '../core/user.ts'
import type { Headers } from './answers.ts'
import { addressKey, createRateLimiter, rules } from './rate-limit.ts'

/** What guards one request; the rates are those of the issue. */
export interface Limits {
  /** Runs the sign-in; failures use up what the address may fail. */
  signIn(event: H3Event, attempt: () => Promise<SignedIn>): Promise<SignedIn>
  visitor(event: H3Event): void
  /** Runs a password check; wrong ones use up what the account may fail. */
  password<T>(name: string, attempt: () => Promise<T>): Promise<T>
  headers(event: H3Event, user: User | undefined): Headers | undefined
}

export const noLimits: Limits = {
  signIn: (_, attempt) => attempt(),
  visitor: () => {},
  password: (_, attempt) => attempt(),
  headers: () => undefined,
}

export function createLimits(chat: Chat): Limits {
  const limiter = createRateLimiter(chat.clock)
  const addressOf = (event: H3Event) => addressKey(event.req.ip)
  return {
    async signIn(event, attempt) {
      try {
        const signedIn = await attempt()
        limiter.take(rules.user, String(signedIn.user.id))
        return signedIn
      } catch (error) {
        if (isCredentials(error)) limiter.take(rules.address, addressOf(event))
        throw error
      }
    },
    visitor: (event) => limiter.take(rules.address, addressOf(event)),
    async password(name, attempt) {
      // No account has a longer name; whole ones, a megabyte each, would fill the memory.
      const key = name.trim().normalize('NFC').toLowerCase().slice(0, MAX_EMAIL_LENGTH)
      // Taken first, so that attempts at the same time are counted too.
      limiter.take(rules.password, key)
      try {
        const value = await attempt()
        limiter.forgive(rules.password, key)
        return value
      } catch (error) {
        if (!isCredentials(error)) limiter.giveBack(rules.password, key)
        throw error
      }
    },
    headers: (event, user) =>
      user ? limiter.headers(rules.user, String(user.id)) : limiter.headers(rules.address, addressOf(event)),
  }
}

const isCredentials = (error: unknown): boolean =>
  error instanceof ChatError && errorCodes[error.code] === 'credentials'
