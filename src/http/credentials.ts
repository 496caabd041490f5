import { authenticate, type SignedIn } from '../core/accounts/keys.ts'
import type { Chat } from '../core/chat.ts'
import { ChatError } from '../core/errors.ts'

/** The user of `Authorization: Basic e-mail:key`; one answer for every cause why there is none. */
export async function signIn(chat: Chat, authorization: string | null): Promise<SignedIn> {
  const given = basicCredentials(authorization)
  const signedIn = given && (await authenticate(chat, given.name, given.password))
  if (!signedIn) throw new ChatError('INVALID_API_KEY', 'Invalid API key')
  return signedIn
}

function basicCredentials(header: string | null): { name: string; password: string } | undefined {
  if (!header || header.length > 4096 || !/^basic /i.test(header)) return undefined
  const text = Buffer.from(header.slice(6).trim(), 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) }
}
