import { effect, signal } from '@preact/signals'
import { current } from '../../model/state/account.ts'

/** The language of dates and times; undefined for the browser's. */
export const locale = signal<string | undefined>(undefined)

/** Languages written from right to left. */
const fromTheRight = new Set(['ar', 'bqi', 'fa', 'he', 'ur'])

/**
 * Follows the account's language for dates, times and the writing direction. The page's own text is English. Call it
 * before anything is drawn, because each line has a time.
 */
export function followLanguage(): void {
  effect(() => {
    const session = current.value
    if (!session.isReady.value) return
    const { default_language } = session.read('settings').user_settings
    locale.value = localeFor(default_language, navigator.languages)
    const dir = fromTheRight.has(default_language.split('-')[0]!) ? 'rtl' : ''
    // Setting it to the same value would restyle the whole page.
    if (document.documentElement.dir !== dir) document.documentElement.dir = dir
  })
}

/** Where the browser has the same language with a country, as en-GB, the country's forms count. */
const localeFor = (language: string, ofBrowser: readonly string[]): string =>
  ofBrowser.find((one) => one.split('-')[0] === language) ?? language
