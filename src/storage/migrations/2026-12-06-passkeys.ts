import type { Migration } from '../migration.ts'
import { createTables, flag, id, int, maybe, partOf, text, time } from '../tables/table-list.ts'

/** Passkeys, and the challenges that browsers answer with them. */
export const passkeys: Migration = {
  name: '2026-12-06-passkeys',
  up: (db, dialect) =>
    createTables(db, dialect, {
      passkey: {
        columns: {
          id,
          user_id: partOf('user'),
          credential_id: text,
          host: text,
          user_handle: text,
          public_key: text,
          counter: int,
          transports: text,
          backed_up: flag,
          name: text,
          created_at: time,
          last_used_at: maybe(time),
        },
        indexes: {
          passkey_credential: { on: ['credential_id'], unique: true },
          passkey_user: { on: ['user_id'] },
        },
      },
      passkey_challenge: {
        columns: {
          id,
          user_id: maybe(partOf('user')),
          digest: text,
          purpose: text,
          browser_digest: text,
          user_handle: maybe(text),
          expires_at: time,
        },
        indexes: {
          passkey_challenge_digest: { on: ['digest'], unique: true },
          passkey_challenge_user: { on: ['user_id'] },
          passkey_challenge_end: { on: ['expires_at'] },
        },
      },
    }),
}
