import { after, type Db, type Soon } from '../../storage/index.ts'
import { defineCache } from '../kernel/cache.ts'
import type { Context } from '../kernel/context.ts'

/** An alert word, or several words, and its users. */
interface AlertWord {
  key: string
  user_ids: number[]
}

/** All users' alert words by the first word in each. `others` has the ones without letters and digits. */
interface AlertWords {
  byFirst: ReadonlyMap<string, readonly AlertWord[]>
  others: readonly AlertWord[]
}

/** In memory because each message is compared with them. */
export const allAlertWords = defineCache('alert-words', loadAlertWords)

/** Runs of letters, digits and underscores, without letters beyond 16 bits. */
const words = /(?:(?![\u{10000}-\u{10ffff}])[\p{L}\p{N}_])+/gu
const plainWords = /[a-z0-9_]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const isPlain = /^[\x00-\x7f]*$/

async function loadAlertWords(db: Db): Promise<AlertWords> {
  const rows = await db.selectFrom('alert_word').select(['user_id', 'word_key']).execute()
  const byKey = new Map<string, AlertWord>()
  for (const { user_id, word_key: key } of rows) {
    const known = byKey.get(key)
    if (known) known.user_ids.push(user_id)
    else byKey.set(key, { key, user_ids: [user_id] })
  }
  const byFirst = new Map<string, AlertWord[]>()
  const others: AlertWord[] = []
  for (const word of byKey.values()) {
    const [first] = word.key.match(words) ?? []
    if (first === undefined) others.push(word)
    else byFirst.set(first, [...(byFirst.get(first) ?? []), word])
  }
  return { byFirst, others }
}

/**
 * Returns the users with an alert word in this text. Only alert words that begin with one of the text's words are
 * compared.
 */
export const usersAlertedBy = (context: Context, content: string): Soon<number[]> =>
  after(allAlertWords.get(context), (stored) => alertedBy(stored, content))

function alertedBy({ byFirst, others }: AlertWords, content: string): number[] {
  if (byFirst.size === 0 && others.length === 0) return []
  const text = content.toLowerCase()
  const tried = [...others]
  if (byFirst.size > 0) {
    for (const word of new Set(text.match(isPlain.test(text) ? plainWords : words))) {
      const beginning = byFirst.get(word)
      if (beginning) tried.push(...beginning)
    }
  }
  return tried.filter(({ key }) => containsWord(text, key)).flatMap(({ user_ids }) => user_ids)
}

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character)

/** Returns whether the text contains a phrase that isn't part of a longer word. */
function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return true
  }
  return false
}
