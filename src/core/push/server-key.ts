import { createECDH } from 'node:crypto'
import type { Chat } from '../kernel/chat.ts'
import { secretsOf } from '../kernel/secrets.ts'

/** The key pair that identifies this server to push services: on P-256, in base64url. */
export interface ServerKey {
  publicKey: string
  privateKey: string
}

/**
 * Returns the keys, which are derived from the chat's secret. They exist from the first start, and are the same on
 * every node and after a restore. A new secret, which ends all sessions, changes them.
 */
export function serverKeyOf(chat: Chat): ServerKey {
  const bytes = Buffer.from(secretsOf(chat).digest('the private key of web push'), 'base64url')
  // Numbers beyond the order of the curve aren't keys. It is above half of the range of 32 bytes.
  bytes[0]! &= 0x7f
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(bytes)
  return { publicKey: pair.getPublicKey('base64url'), privateKey: bytes.toString('base64url') }
}
