import type { Context } from '../kernel/context.ts'
import type { User } from '../kernel/user.ts'
import { settingsOf } from '../settings/organization.ts'
import { settingsOfUser } from '../settings/user.ts'
import type { MailTexts } from './texts/en.ts'
import { isFromTheRight } from './texts/isolating.ts'
import { spokenFor, textsIn } from './texts/languages.ts'

/** How somebody reads an email: its language, and the formats of its dates. */
export interface Reader {
  texts: MailTexts
  /** The BCP 47 tag of the language. */
  tag: string
  isFromRight: boolean
  /** The language with the account's region, for dates and lists. */
  locale: string
  timezone: string
  twentyFourHour: boolean
}

/** The time zone of emails to people who have not chosen one. */
const FALLBACK = 'UTC'

/**
 * Returns how an account reads its emails: in its own language, or else in the organization's, or else in English.
 *
 * @param inviter - for somebody without an account, whose language counts if emails don't exist in the organization's
 */
export async function readerOf(context: Context, user: User | undefined, inviter?: User): Promise<Reader> {
  const { default_language: organization } = await settingsOf(context)
  const account = user ?? inviter
  const settings = account && (await settingsOfUser(context, account.id))
  const own = settings?.default_language ?? organization
  const code = (user ? [own, organization] : [organization, own]).find(spokenFor) ?? 'en'
  return readerIn(code, { timezone: account?.timezone, twentyFourHour: settings?.twenty_four_hour_time })
}

/** Returns how an email is read in a language. */
export async function readerIn(
  code: string,
  { timezone, twentyFourHour = false }: { timezone?: string | undefined; twentyFourHour?: boolean | undefined } = {},
): Promise<Reader> {
  const language = spokenFor(code) ?? 'en'
  return {
    texts: await textsIn(language),
    tag: Intl.getCanonicalLocales(language)[0]!,
    isFromRight: isFromTheRight(language),
    locale: code,
    timezone: timezone || FALLBACK,
    twentyFourHour,
  }
}

/** Returns a day such as "January 5, 2026", in the reader's time zone. */
export const onDay = (seconds: number, { locale, timezone }: Reader): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: timezone }).format(seconds * 1000)

/** Returns a time such as "Jan 5, 2026, 3:04 PM GMT+1", in the reader's time zone and format. */
export const atTime = (seconds: number, { locale, timezone, twentyFourHour }: Reader): string =>
  new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: twentyFourHour ? 'h23' : 'h12',
    timeZone: timezone,
    timeZoneName: 'short',
  })
    .format(seconds * 1000)
    // Some versions of Node write a narrow space before AM and PM.
    .replace(/\u202f/g, ' ')
