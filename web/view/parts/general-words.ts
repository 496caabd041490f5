import type { ErrorCode } from '../../../src/client/index.ts'
import { language, locale } from '../../model/state/language.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { limitedThings } from './limited-things.ts'

const { refusals, problems } = pieceTexts

type Wording = string | ((match: RegExpExecArray) => string)

const numberIn = (text: string): string =>
  new Intl.NumberFormat(locale.value).format(Number(text.replaceAll(/\D/g, '')))

/** Says which limit was reached, if the sentence names something that the page has a word for. */
function limitIn(sentence: string, most: string): string {
  const thing = limitedThings.find(([words]) => words.test(sentence))
  return thing ? refusals.limitOf(thing[1], most) : refusals.limit(most)
}

/** What sentences of the general code have in common. The first that matches decides. */
const kinds: readonly (readonly [RegExp, Wording])[] = [
  [/^Your password is managed by (.*)\. Change it there\.$/, ([, name]) => refusals.passwordElsewhere(name!)],
  [/^Wrong password/, refusals.wrongPassword],
  [/^Password must|^Password is too long|easy to guess/, refusals.weakPassword],
  [/^Wrong code/, refusals.wrongCode],
  [/identity provider/, refusals.identityProvider],
  [/requires an invitation|^This invitation is no longer valid/, refusals.invitationNeeded],
  [/^This is your only way to sign in/, refusals.onlySignIn],
  [/only organization owner|^No owner could sign in/, refusals.ownerNeeded],
  [/in progress|is running/, refusals.busy],
  [/must be in the future|too far in the future/, refusals.past],
  [/expired|took too long|[Ss]tart again|could not be verified/, refusals.expired],
  [/valid email/, refusals.badAddress],
  [
    /already (?:in use|exists|using|has|is|a part|present|belongs)\b|in use!|duplicate|^Unique names|belongs to an/i,
    refusals.taken,
  ],
  [/(?:limit: |at most )(\d+) characters/, ([, most]) => refusals.tooLong(numberIn(most!))],
  [/(?:at most|up to) \d+ [KMG]iB/, problems.TOO_LARGE],
  [/too long$|too large$|too many entries/, problems.TOO_LARGE],
  [/expire after at most/, refusals.badValue],
  [/(?:at most |up to |^You have |^Only )(\d+)/, ({ input, 1: most }) => limitIn(input, numberIn(most!))],
  [/regular expression|too complex|pattern|template/i, refusals.badPattern],
  [/too many|too often|^Exceeded rate limit|Try again later/i, problems.RATE_LIMIT_HIT],
  [
    /blank|empty|a name\.$|at least one|is required|^Missing |unnamed choice|^You must (?:upload|specify)/,
    refusals.blank,
  ],
  [/already|not (?:muted|archived|deactivated|stopped)|has taken/i, refusals.alreadyDone],
  [/disabled|not enabled|doesn't (?:send|receive)|not (?:been )?configured/, refusals.turnedOff],
  [
    /permission|not (?:allowed|authorized)|^Only \w+ can|^Must be|^You can't|^Unable to access/i,
    problems.UNAUTHORIZED_PRINCIPAL,
  ],
  [/invalid characters|Invalid format|too short|Bad name|Invalid (?:custom )?emoji name/i, refusals.badName],
  [
    /^No such|do(?:es)?(?: not|n't) exist|no longer exists|[Nn]ot? (?:entry )?found|^There is no|deactivated|^Invalid .*\bID\b/,
    refusals.gone,
  ],
  [
    /^Invalid|^Bad |malformed|must (?:be|not|define)|is not (?:an?|valid|positive)|^Enter |cannot be|not supported/i,
    refusals.badValue,
  ],
]

/** Names in quotes. People chose them, so their words say nothing about the kind. */
const QUOTED = /(?<!\w)'.*?'(?!\w)/gs

/** Sentences with the API's names, which say nothing to people, in English neither. */
const WITH_NAMES = /^[a-z_]+(?:\[.*\])? (?:is|must|cannot|contains|has)\b|^Invalid [a-z_]+$|^Bad value for/

/** Codes whose English sentences say more than these texts. */
const byCode: Partial<Record<ErrorCode, string>> = {
  BAD_PASSWORD_LINK: refusals.expired,
  BAD_EMAIL_LINK: refusals.expired,
  BAD_SET_UP_LINK: refusals.expired,
  BAD_INVITATION: refusals.expired,
}

/** Returns the server's sentence in English, and in other languages words for it, or else the sentence as a quotation. */
export const asSaid = (sentence: string, words: () => string | undefined = () => undefined): string =>
  language === 'en' ? sentence : (words() ?? refusals.serverSays(sentence))

/** Returns what the page says in place of a sentence that is neither known nor in the reader's language. */
export function inGeneral(sentence: string, code: ErrorCode = 'BAD_REQUEST'): string | undefined {
  if (language === 'en' && !WITH_NAMES.test(sentence)) return undefined
  if (byCode[code] !== undefined) return byCode[code]
  const unnamed = sentence.replaceAll(QUOTED, "''")
  for (const [kind, words] of kinds) {
    const match = kind.exec(unnamed)
    if (match) return typeof words === 'string' ? words : words(match)
  }
  return language === 'en' ? undefined : refusals.serverSays(sentence)
}
