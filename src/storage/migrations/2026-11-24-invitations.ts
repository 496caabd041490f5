import type { Migration } from '../migration.ts'
import { createTables, flag, id, int, maybe, ref, type TableList, text, time } from '../tables/table-list.ts'

/** How people join: invitations, and the domains their addresses may be in. */
export const invitations: Migration = {
  name: '2026-11-24-invitations',
  up: (db, dialect) => createTables(db, dialect, tables),
}

const tables: TableList = {
  invitation: {
    columns: {
      id,
      inviter_id: ref('user'),
      email: maybe(text),
      email_key: maybe(text),
      nonce: text,
      role: int,
      created_at: time,
      expires_at: maybe(time),
      notify_referrer: flag,
      include_defaults: flag,
      is_multiuse: flag,
      revoked: flag,
      stream_ids: text,
      group_ids: text,
    },
    indexes: { invitation_inviter: { on: ['inviter_id', 'email_key'] } },
  },
  organization_domain: {
    columns: { id, domain: text, allow_subdomains: flag },
    indexes: { organization_domain_name: { on: ['domain'], unique: true } },
  },
}
