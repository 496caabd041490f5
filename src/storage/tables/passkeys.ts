import type { Generated } from 'kysely'

/** A passkey of an account. */
export interface PasskeyTable {
  id: Generated<number>
  user_id: number
  /** Chosen by the authenticator, in base64url, as are the key and the handle. */
  credential_id: string
  /** The host name that it belongs to: browsers offer it to no other. */
  host: string
  /** Random, and the same for all passkeys of an account. Authenticators return it instead of a name. */
  user_handle: string
  /** In the format of COSE. */
  public_key: string
  /** Grows with each use; 0 forever for passkeys that devices share. */
  counter: number
  /** How browsers reach the authenticator, separated by spaces. */
  transports: string
  /** Whether the passkey is kept in an account of the device's maker. */
  backed_up: number
  name: string
  created_at: number
  last_used_at: number | null
}

/** A random text that a browser signs with a passkey. Deleted when it is answered. */
export interface PasskeyChallengeTable {
  id: Generated<number>
  /** null for a sign-in, which names nobody. */
  user_id: number | null
  digest: string
  purpose: 'add' | 'sign_in' | 'second_factor' | 'confirm'
  /** Of what recognizes the browser that asked. */
  browser_digest: string
  /** For a new passkey. */
  user_handle: string | null
  expires_at: number
}
