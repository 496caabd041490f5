import type { Generated } from 'kysely'

/** An account at an identity provider that signs in to an account here. */
export interface IdentityTable {
  id: Generated<number>
  user_id: number
  issuer: string
  /** Never changes at the provider, unlike the address. */
  subject: string
  /** The provider's name. */
  provider: string
  /** The address at the last sign-in, for people to read. */
  email: string | null
  created_at: number
  last_used_at: number
  /** When the sync with the directory deactivated the account; null if it didn't. */
  gone_at: number | null
}

/** A provider that owners have set up in the page. */
export interface SignOnProviderTable {
  id: Generated<number>
  /** In addresses. Never changes. */
  name: string
  /** JSON of its members, as in the sign-on file. */
  config: string
  /** Sealed with the secret outside the database. */
  client_secret: string | null
}

/** A sign-in that waits for its next step: the provider's answer, a code, or a press on a button. Deleted when used. */
export interface SignOnStepTable {
  id: Generated<number>
  kind: string
  digest: string
  /** Of the cookie of the browser that began it; null if another program finishes it. */
  browser_digest: string | null
  user_id: number | null
  /** JSON, sealed with the secret outside the database. */
  data: string
  expires_at: number
}

/** Why a provider doesn't work now. */
export interface SignOnProblemTable {
  provider: string
  since: number
  problem: string
}
