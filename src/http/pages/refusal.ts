import type { ChatError, ErrorCode } from '../../core/kernel/errors.ts'
import { escapeText } from '../../core/markup/html.ts'
import type { FormTexts } from '../page-texts/en.ts'
import type { Words } from '../serve/page.ts'

type Refusals = FormTexts['refusals']

const byCode: Partial<Record<ErrorCode, keyof Refusals>> = {
  USER_DEACTIVATED: 'deactivated',
  REALM_DEACTIVATED: 'closed',
  BAD_INVITATION: 'invitationUsed',
  BAD_PASSWORD_LINK: 'linkUsed',
  TERMS_NOT_ACCEPTED: 'termsFirst',
  PASSWORD_AUTH_DISABLED: 'passwordsOff',
  RATE_LIMIT_HIT: 'tooManyTries',
  MAIL_NOT_CONFIGURED: 'noMail',
}

type Wording = (refusals: Refusals, match: RegExpExecArray) => string

/** What sentences of the general codes have in common. The first that matches decides. */
const kinds: readonly (readonly [RegExp, Wording])[] = [
  [/^Password must have at least (\d+)/, (refusals, [, least]) => refusals.passwordShort(least!)],
  [/^Password is too long/, (refusals) => refusals.passwordLong],
  [/easy to guess/, (refusals) => refusals.passwordEasy],
  [/^Your username or password is incorrect/, (refusals) => refusals.wrongPassword],
  [/^Wrong code/, (refusals) => refusals.wrongCode],
  [/^Confirm that it is you/, (refusals) => refusals.confirm],
  [/^This sign-in has expired/, (refusals) => refusals.signInExpired],
  [/^Enter a valid email|^Missing 'email'/, (refusals) => refusals.email],
  [/^Email '(.*)' already in use/s, (refusals, [, address]) => refusals.emailTaken(escapeText(address!))],
  [/not in one of the domains|^Email '.*' not allowed/s, (refusals) => refusals.emailNotAllowed],
  [/real email address/, (refusals) => refusals.emailDisposable],
  [/^Unique names required/, (refusals) => refusals.nameTaken],
  [/^Name too long|^Invalid characters in name|'full_name'|\bname\b.*(?:blank|empty)/, (refusals) => refusals.name],
  [/sender can't invite/, (refusals) => refusals.inviterGone],
  [/requires an invitation/, (refusals) => refusals.invitationNeeded],
  [/already set up/, (refusals) => refusals.isSetUp],
  [/^This link is incomplete/, (refusals) => refusals.setUpLink],
  [/^This link is not valid/, (refusals) => refusals.linkInvalid],
  [/^This link has expired/, (refusals) => refusals.linkUsed],
]

const sentence = (text: string): string => `${escapeText(text.replace(/\.$/, ''))}.`

/** Returns what a page says about an error. The server's own sentence says more in English. */
export function wordsFor({ code, message, data }: ChatError): Words {
  return ({ refusals, signOnFailures, language }) => {
    if (language === 'en') return sentence(message)
    const { reason } = data
    if (typeof reason === 'string' && Object.hasOwn(signOnFailures, reason)) {
      return signOnFailures[reason as keyof typeof signOnFailures]
    }
    const known = byCode[code]
    const words = known && refusals[known]
    if (typeof words === 'string') return words
    for (const [kind, words] of kinds) {
      const match = kind.exec(message)
      if (match) return words(refusals, match)
    }
    return `<span lang="en" dir="ltr">${sentence(message)}</span>`
  }
}
