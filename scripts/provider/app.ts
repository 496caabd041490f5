import assert from 'node:assert/strict'
import { createDecipheriv, randomBytes } from 'node:crypto'

// What the official mobile app does in lib/api/model/web_auth.dart and lib/widgets/login.dart.

/** A pad for one sign-in. */
export const generateOtp = (): string => randomBytes(32).toString('hex')

/** Returns the address that the app opens: a path of the server, whose query it replaces. */
export function loginAddress(realmUrl: string, loginUrl: string, otp: string): string {
  const url = new URL(loginUrl, realmUrl)
  url.search = new URLSearchParams({ mobile_flow_otp: otp }).toString()
  return url.href
}

interface Account {
  email: string
  user_id: number
  key: string
}

/** Reads the address that came back, and fails for everything that the app rejects. */
export function readAnswer(address: string, realmUrl: string, otp: string): Account {
  const url = new URL(address)
  assert.equal(url.protocol, 'zulip:')
  assert.equal(url.host, 'login')
  const { realm, email, user_id, otp_encrypted_api_key: encrypted } = Object.fromEntries(url.searchParams)
  assert.equal(new URL(realm!).origin, new URL(realmUrl).origin)
  assert.match(email!, /^[^@]+@[^@]+$/)
  assert.match(user_id!, /^\d+$/)
  assert.match(encrypted!, /^[0-9a-f]{64}$/i)
  const pad = Buffer.from(otp, 'hex')
  const key = Buffer.from(encrypted!, 'hex').map((byte, i) => byte ^ pad[i]!)
  return { email: email!, user_id: Number(user_id), key: Buffer.from(key).toString('ascii') }
}

/** Decrypts the text that people copy into the desktop app, as its preload script does. */
export function decryptToken(text: string, otp: string): string {
  const bytes = Buffer.from(text, 'hex')
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(otp, 'hex'), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(-16))
  return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
}
