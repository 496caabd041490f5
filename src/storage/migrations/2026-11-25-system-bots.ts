import type { Migration } from '../migration.ts'

/** The server's own accounts besides the first: one that welcomes, one that stands for arriving mail. */
export const systemBots: Migration = {
  name: '2026-11-25-system-bots',
  async up(db) {
    const first = await db
      .selectFrom('user')
      .selectAll()
      .where('is_system_bot', '=', 1)
      .orderBy('id')
      .executeTakeFirst()
    // A new database has no organization yet, which brings all of them.
    if (!first) return
    const { id: _, ...like } = first
    for (const [email, full_name] of [
      ['welcome-bot@chat.invalid', 'Welcome Bot'],
      ['emailgateway@chat.invalid', 'Email Gateway'],
    ] as const) {
      const names = { email, delivery_email: email, email_key: email, full_name, name_key: full_name.toLowerCase() }
      await db
        .insertInto('user')
        .values({ ...like, ...names, avatar_source: 'G', avatar_blob_id: null, avatar_medium_blob_id: null })
        .execute()
    }
  },
}
