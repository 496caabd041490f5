import type { Context } from '../../kernel/context.ts'
import { ChatError } from '../../kernel/errors.ts'

/** Why a sign-in through a provider failed, and what people read about it. */
const sentences = {
  provider_unreachable: 'The sign-in service is not answering. Try again in a few minutes',
  denied: 'The sign-in was canceled',
  attempt_expired: 'This sign-in has expired, was already used, or began in another browser. Start again',
  rejected: 'The sign-in service sent an invalid answer. Start again',
  not_in_group: "Your account at the sign-in service isn't in a group that may sign in here. Ask an administrator",
  not_invited: "You don't have an account here. Ask an administrator to invite you",
  address_unverified: "The sign-in service hasn't verified your email address, so no account can be created",
  account_exists: 'An account with your email address already exists here. Sign in another way',
  deactivated: 'Your account has been deactivated',
  not_named: "The proxy in front of this server didn't identify you. Tell an administrator",
  unknown_provider: 'This server has no such sign-in service',
} as const
export type SignOnFailure = keyof typeof sentences

/** The error of a failed sign-in. The provider's own words are only logged. */
export const signOnFailed = (reason: SignOnFailure): ChatError =>
  new ChatError('SIGN_ON_FAILED', sentences[reason], { reason })

/** Logs what the provider, or the package, said. */
export function logFailure({ chat }: Pick<Context, 'chat'>, provider: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error)
  const { cause } = Object(error) as { cause?: unknown }
  const more = cause instanceof Error ? ` (${cause.message})` : ''
  chat.options.logger.warn({ provider }, `a sign-in failed: ${reason}${more}`.slice(0, 500))
}
