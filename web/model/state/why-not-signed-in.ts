import { isChatError } from '../../../src/client/index.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { wording } from './wording.ts'

const sentences: Readonly<Record<string, string>> = {
  AUTHENTICATION_FAILED: pieceTexts.signIn.wrongPassword,
  USER_DEACTIVATED: pieceTexts.signIn.deactivated,
  REALM_DEACTIVATED: pieceTexts.signIn.closed,
}

/** Why signing in failed, as a sentence that says what to do. */
export function whyNotSignedIn(error: unknown): string {
  if (!isChatError(error)) return pieceTexts.signIn.unreachable
  if (error.kind === 'rate') {
    const minutes = Math.ceil(Number(error.data['retry-after'] ?? 60) / 60)
    return pieceTexts.signIn.tooManyAttempts(minutes)
  }
  return sentences[error.code] ?? wording.of?.(error) ?? `${error.message}.`
}
