import type { Context } from '../../core/kernel/context.ts'
import type { User } from '../../core/kernel/user.ts'
import { spokenFor } from '../../core/mail/texts/languages.ts'
import type { Language } from '../../core/mail/texts/plural.ts'
import { settingsOf } from '../../core/settings/organization.ts'
import { settingsOfUser } from '../../core/settings/user.ts'
import { findUserByEmail } from '../../core/users/access.ts'
import type { FormTexts } from '../page-texts/en.ts'
import { pageTextsIn } from '../page-texts/languages.ts'
import type { Page } from '../serve/page.ts'

/** Longer headers come from no browser. */
const MAX_ACCEPTED = 500

/** Returns the first language of an Accept-Language header that the pages have. */
export function acceptedLanguage(header: string | null): Language | undefined {
  const wanted = (header ?? '')
    .slice(0, MAX_ACCEPTED)
    .toLowerCase()
    .split(',')
    .map((entry) => {
      const [code = '', ...parameters] = entry.trim().split(/\s*;\s*/)
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return { code, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { code } of wanted) {
    const language = spokenFor(code)
    if (language) return language
  }
  return undefined
}

/**
 * Returns the texts of a page: in the language of the account that it is for, or else in the browser's, or else in the
 * organization's. As in the web client, English may only be the default where it is the organization's language.
 */
export async function textsFor(context: Context, { reader, style }: Page, accepted: string | null): Promise<FormTexts> {
  // A page with a stylesheet of its own is for developers.
  if (style !== undefined) return pageTextsIn('en')
  const { default_language: organization } = await settingsOf(context)
  const own = reader && (await settingsOfUser(context, reader.id)).default_language
  const chosen = own === 'en' && organization === 'en' ? undefined : (own && spokenFor(own)) || undefined
  return pageTextsIn(chosen ?? acceptedLanguage(accepted) ?? spokenFor(organization) ?? 'en')
}

/** Returns the account with one of these addresses, which a link has proved. */
export async function readerWith(context: Context, ...addresses: readonly string[]): Promise<User | undefined> {
  for (const address of addresses) {
    const user = await findUserByEmail(context.db, address)
    if (user) return user
  }
  return undefined
}
