import { isChatError } from '../../../src/client/index.ts'

const sentences: Readonly<Record<string, string>> = {
  AUTHENTICATION_FAILED: 'That e-mail address and password do not go together. Look at both, and try again.',
  USER_DEACTIVATED: 'This account has been deactivated. An administrator can open it again.',
  REALM_DEACTIVATED: 'This organization has been closed.',
}

/** Why signing in failed, as a sentence that says what to do. */
export function whyNotSignedIn(error: unknown): string {
  if (!isChatError(error)) return 'The server cannot be reached. Your connection may be down; try again in a moment.'
  if (error.kind === 'rate') {
    const minutes = Math.ceil(Number(error.data['retry-after'] ?? 60) / 60)
    return `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
  }
  return sentences[error.code] ?? `${error.message}.`
}
