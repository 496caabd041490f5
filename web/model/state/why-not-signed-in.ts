import { isChatError } from '../../../src/client/index.ts'
import { texts } from '../../texts/texts.ts'

const sentences: Readonly<Record<string, string>> = {
  AUTHENTICATION_FAILED: texts.signIn.wrongPassword,
  USER_DEACTIVATED: texts.signIn.deactivated,
  REALM_DEACTIVATED: texts.signIn.closed,
}

/** Why signing in failed, as a sentence that says what to do. */
export function whyNotSignedIn(error: unknown): string {
  if (!isChatError(error)) return texts.signIn.unreachable
  if (error.kind === 'rate') {
    const minutes = Math.ceil(Number(error.data['retry-after'] ?? 60) / 60)
    return texts.signIn.tooManyAttempts(minutes)
  }
  return sentences[error.code] ?? `${error.message}.`
}
