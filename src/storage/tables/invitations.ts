import type { Generated } from 'kysely'
import type { Flag } from '../flags.ts'

/** A way into the organization, for one e-mail address or for everybody with the link. */
export interface InvitationTable {
  id: Generated<number>
  inviter_id: number
  /** null for a reusable link. */
  email: string | null
  email_key: string | null
  /** Goes into the link's token with the chat's secret, so that the token itself is not stored. */
  nonce: string
  role: number
  created_at: number
  /** null for one that does not end. */
  expires_at: number | null
  /** Whether the inviter gets a message when it is accepted. */
  notify_referrer: Flag
  /** Whether the new user is subscribed to the default streams. */
  include_defaults: Flag
  is_multiuse: Flag
  /** Reusable links stay as rows when they are revoked; others are removed, as they are when they are used. */
  revoked: Flag
  /** JSON lists of ids. */
  stream_ids: string
  group_ids: string
}

/** A domain that e-mail addresses of accounts may be in. */
export interface OrganizationDomainTable {
  id: Generated<number>
  domain: string
  allow_subdomains: Flag
}
