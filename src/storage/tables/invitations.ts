import type { Generated } from 'kysely'
import type { Flag } from '../flags.ts'

/** An invitation to the organization, for one email address or for everyone with the link. */
export interface InvitationTable {
  id: Generated<number>
  inviter_id: number
  /** null for a reusable link. */
  email: string | null
  email_key: string | null
  /** Part of the link's token, together with the chat's secret, so that the token itself isn't stored. */
  nonce: string
  role: number
  created_at: number
  /** null if it doesn't expire. */
  expires_at: number | null
  /** Whether the inviter gets a message when it is accepted. */
  notify_referrer: Flag
  /** Whether the new user is subscribed to the default streams. */
  include_defaults: Flag
  is_multiuse: Flag
  /** Revoked reusable links keep their rows. Others are deleted when they are used or revoked. */
  revoked: Flag
  /** JSON lists of ids. */
  stream_ids: string
  group_ids: string
  /** Text that the Welcome Bot adds; null for the organization's text. */
  welcome_message: string | null
}

/** An allowed domain for the email addresses of accounts. */
export interface OrganizationDomainTable {
  id: Generated<number>
  domain: string
  allow_subdomains: Flag
}
