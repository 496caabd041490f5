import type { Migration } from '../migration.ts'
import { createTables, id, maybe, partOf, text, time } from '../tables/table-list.ts'

/** Accounts at identity providers, and sign-ins in progress. */
export const signOn: Migration = {
  name: '2026-12-04-sign-on',
  up: (db, dialect) =>
    createTables(db, dialect, {
      identity: {
        columns: {
          id,
          user_id: partOf('user'),
          issuer: text,
          subject: text,
          provider: text,
          email: maybe(text),
          created_at: time,
          last_used_at: time,
        },
        indexes: {
          identity_subject: { on: ['issuer', 'subject'], unique: true },
          identity_user: { on: ['user_id'] },
        },
      },
      sign_on_step: {
        columns: {
          id,
          kind: text,
          digest: text,
          browser_digest: maybe(text),
          user_id: maybe(partOf('user')),
          data: text,
          expires_at: time,
        },
        indexes: {
          sign_on_step_digest: { on: ['digest'], unique: true },
          sign_on_step_end: { on: ['expires_at'] },
          sign_on_step_user: { on: ['user_id'] },
        },
      },
      sign_on_problem: { columns: { provider: text, since: time, problem: text }, primaryKey: ['provider'] },
    }),
}
