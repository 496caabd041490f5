import type { Migration } from '../migration.ts'
import { createTables, id, int, maybe, partOf, text, time } from '../tables/table-list.ts'

/** Authenticator apps, recovery codes, and sign-ins that wait for one of them. */
export const secondFactor: Migration = {
  name: '2026-12-03-second-factor',
  up: (db, dialect) =>
    createTables(db, dialect, {
      totp: {
        columns: {
          user_id: partOf('user'),
          secret: text,
          last_step: int,
          created_at: time,
          confirmed_at: maybe(time),
          wrong_codes: int,
          wrong_at: time,
        },
        primaryKey: ['user_id'],
      },
      recovery_code: {
        columns: { id, user_id: partOf('user'), digest: text },
        indexes: {
          recovery_code_digest: { on: ['digest'], unique: true },
          recovery_code_user: { on: ['user_id'] },
        },
      },
      sign_in_ticket: {
        columns: { id, user_id: partOf('user'), digest: text, session_name: text, expires_at: time, wrong_codes: int },
        indexes: {
          sign_in_ticket_digest: { on: ['digest'], unique: true },
          sign_in_ticket_user: { on: ['user_id'] },
        },
      },
    }),
}
