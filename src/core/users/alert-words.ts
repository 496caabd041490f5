import type { Visitor } from '../caller.ts'

export const ALERT_WORDS_KEY = 'alert-words'

/** Everybody's alert words: each message is held against them, so they stay in memory. */
export const alertWordsByUser = (caller: Visitor): Promise<readonly { user_id: number; word_key: string }[]> =>
  caller.memo(ALERT_WORDS_KEY, (db) => db.selectFrom('alert_word').select(['user_id', 'word_key']).execute())
