import { createECDH } from 'node:crypto'
import type { Chat } from '../kernel/chat.ts'
import { secretsOf } from '../kernel/secrets.ts'

/** How push services know this server: a pair of keys on P-256, in base64url. */
export interface ServerKey {
  publicKey: string
  privateKey: string
}

/**
 * The keys follow from the chat's secret: they are there from its first start, the same at every node and after a
 * restore, and with a new secret, with which all sessions end, they are others.
 */
export function serverKeyOf(chat: Chat): ServerKey {
  const bytes = Buffer.from(secretsOf(chat).digest('the private key of web push'), 'base64url')
  // Numbers from the order of the curve on are no keys; it is above half of what 32 bytes hold.
  bytes[0]! &= 0x7f
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(bytes)
  return { publicKey: pair.getPublicKey('base64url'), privateKey: bytes.toString('base64url') }
}
