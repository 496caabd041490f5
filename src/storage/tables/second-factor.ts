import type { Generated } from 'kysely'

/** The authenticator app of an account. */
export interface TotpTable {
  user_id: number
  /** Sealed with the secret outside the database. */
  secret: string
  /** A code of this step, or an earlier one, works no more. */
  last_step: number
  created_at: number
  /** null until a code has shown that the app has the secret. */
  confirmed_at: number | null
  /** Wrong codes since the last right one, and when the last of them came. */
  wrong_codes: number
  wrong_at: number
}

/** A code that replaces the authenticator app once. Used ones are deleted. */
export interface RecoveryCodeTable {
  id: Generated<number>
  user_id: number
  digest: string
}

/** A sign-in whose password was right, and whose second factor is still missing. */
export interface SignInTicketTable {
  id: Generated<number>
  user_id: number
  digest: string
  /** What the session will be called. */
  session_name: string
  expires_at: number
  wrong_codes: number
}
