import * as v from 'valibot'
import { fold } from '../../storage/index.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import { MAX_ALERT_WORD_LENGTH } from '../kernel/base/limits.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, maxCharacters, none, text } from '../kernel/fields.ts'
import { dialectOf } from '../kernel/store.ts'
import { allAlertWords } from './alerted.ts'

const word = v.pipe(text, v.trim(), v.nonEmpty('{name} cannot be blank'), maxCharacters(MAX_ALERT_WORD_LENGTH))
const params = v.object({ alert_words: described(v.array(word), 'The words.') })
const result = v.strictObject({ alert_words: v.array(v.string()) })

/**
 * GET /users/me/alert_words: lists the caller's alert words.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 */
export const getAlertWords = action(
  { name: 'getAlertWords', summary: 'Get your alert words', params: none, result },
  async (caller) => ({
    alert_words: await alertWordsOf(caller),
  }),
)

/**
 * POST /users/me/alert_words: adds alert words. Existing ones stay unchanged.
 *
 * @throws BAD_REQUEST for a blank or too long word, and for too many
 */
export const addAlertWords = action(
  { name: 'addAlertWords', summary: 'Add alert words', params, result },
  (caller, { alert_words }) =>
    caller.write(async (tx) => {
      const known = new Set((await alertWordsOf(tx)).map(fold))
      const added = new Map(alert_words.filter((w) => !known.has(fold(w))).map((w) => [fold(w), w]))
      const most = tx.chat.options.limits.alertWordsPerUser
      if (known.size + added.size > most) throw badRequest(`Too many alert words; at most ${most}`)
      for (const [word_key, word] of added) {
        await tx.db.insertInto('alert_word').values({ user_id: tx.user.id, word, word_key }).execute()
      }
      return answer(tx, added.size > 0)
    }),
)

/**
 * DELETE /users/me/alert_words: removes alert words. Unknown ones are ignored.
 *
 * @throws BAD_REQUEST for a blank word
 */
export const removeAlertWords = action(
  { name: 'removeAlertWords', summary: 'Remove alert words', params, result },
  (caller, { alert_words }) =>
    caller.write(async (tx) => {
      const removed = await tx.db
        .deleteFrom('alert_word')
        .where('user_id', '=', tx.user.id)
        .where('word_key', 'in', dialectOf(tx.chat).textsIn(alert_words.map(fold)))
        .returning('word')
        .execute()
      return answer(tx, removed.length > 0)
    }),
)

async function answer(tx: Tx, changed: boolean) {
  const alert_words = await alertWordsOf(tx)
  if (changed) {
    allAlertWords.invalidate(tx)
    await emit(tx, { type: 'alert_words', alert_words }, only(tx.user.id))
  }
  return { alert_words }
}

/** The caller's alert words, in alphabetical order. */
export async function alertWordsOf({ db, user }: Caller): Promise<string[]> {
  const rows = await db
    .selectFrom('alert_word')
    .select('word')
    .where('user_id', '=', user.id)
    .orderBy('word_key')
    .execute()
  return rows.map((row) => row.word)
}
