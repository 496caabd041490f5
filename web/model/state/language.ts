import { computed, signal } from '@preact/signals'
import { loaded } from '../../texts/loaded.ts'
import type { Language } from '../../texts/plural.ts'
import { loadRest, offered, speak } from '../../texts/spoken.ts'
import { browserStorage } from '../persistence/browser-storage.ts'
import { isolated } from './isolated.ts'

/** The language that the page begins with, and the one that somebody chose in this browser. */
const SHOWN = 'language'
const CHOSEN = 'chosen-language'
/** Set where somebody chose how to write times in this browser. */
const CHOSEN_HOURS = 'chosen-hours'

/** Languages written from right to left. */
const fromTheRight: readonly Language[] = ['ar']

/** Returns the page's language for a language of a browser or an account, such as de-AT; undefined if it has none. */
export function spokenFor(code: string | null | undefined): Language | undefined {
  const wanted = code?.toLowerCase() ?? ''
  const [base] = wanted.split('-')
  // Readers of traditional characters have another language.
  const found = base === 'pt' ? 'pt-br' : /^zh(?:$|-cn|-sg|-hans)/.test(wanted) ? 'zh-hans' : base
  return offered.find((language) => language === found)
}

/** The first of the browser's languages that the page speaks. */
const ofBrowser = (): Language | undefined => {
  for (const code of globalThis.navigator?.languages ?? []) {
    const language = spokenFor(code)
    if (language) return language
  }
  return undefined
}

/** The organization's language, in which the server sends the page. English is also the language without a choice. */
const ofPage = (): Language | undefined => {
  const code = globalThis.document?.documentElement.lang
  return code === 'en' ? undefined : spokenFor(code)
}

const stored = (name: string): Language | undefined => spokenFor(browserStorage().getItem(name))

/** The page's language. To change it, the page is loaded again. */
export const language: Language = stored(SHOWN) ?? ofPage() ?? ofBrowser() ?? 'en'

/** English in the region of a browser that has no English, such as en-SE. */
function englishHere(): string {
  const { region } = new Intl.Locale(globalThis.navigator?.language ?? 'en')
  return region ? `en-${region}` : 'en'
}

/**
 * The language with a region where the browser or the account has one, for dates, numbers and sorting. Arabic has none,
 * as its texts have Latin digits, and some regions have others.
 */
const formatOf = (code: string): string =>
  /^ar/.test(code)
    ? 'ar'
    : code.includes('-')
      ? code
      : (globalThis.navigator?.languages.find((one) => one.split('-')[0] === code) ??
        (code === 'en' ? englishHere() : code))

/** The language of dates, numbers and sorting. */
export const locale = signal(formatOf(language))
loaded.locale = () => locale.value

/** Whether nobody has chosen how to write times, neither by the setting nor by a language, which the setting follows. */
const areHoursFree = signal(true)

/** Returns whether times are written as 14:05, for the account's setting. Without a choice, the browser's region decides. */
export const hasDayHours = (setting: boolean): boolean =>
  setting ||
  (areHoursFree.value &&
    /h2/.test(new Intl.DateTimeFormat(locale.value, { hour: 'numeric' }).resolvedOptions().hourCycle!))

/** Notes that somebody chose how to write times, so that the setting decides. */
export function chooseHours(): void {
  browserStorage().setItem(CHOSEN_HOURS, '1')
  areHoursFree.value = false
}

/** A list as the language writes it in sentences, such as "Ann, Bob, and Cid", or as the options say. */
export const listOf = (items: readonly string[], options?: Intl.ListFormatOptions): string =>
  new Intl.ListFormat(locale.value, options).format(items)

/** Made once, as lists of conversations have many names, and only for several, as it takes long. */
const narrow = computed(() => new Intl.ListFormat(locale.value, { style: 'narrow' }))

/** Names in a label, such as "Ann, Bob, Cid". */
export const namesList = (names: readonly string[]): string =>
  names.length === 1 ? names[0]! : narrow.value.format(names.map(isolated))

/** Begins to load the language. Resolves before the first frame needs its texts; undefined for English. */
export function beginLanguage(): Promise<unknown> | undefined {
  showAs(language)
  return speak(language)?.then((isLoaded) => isLoaded || showAs('en'))
}

function showAs(shown: Language): void {
  const { documentElement: page } = document
  page.lang = shown
  page.dir = fromTheRight.includes(shown) ? 'rtl' : ''
}

/** Loads a part of the page, and before it the texts of its language, which it may read when it is evaluated. */
export const inLanguage = <T>(load: () => Promise<T>): Promise<T> => loadRest()?.then(load) ?? load()

interface LanguageSettings {
  /** The account's. */
  own: string
  /** The one that new accounts get. */
  organization: string
}

const isUnchosen = ({ own, organization }: LanguageSettings) => own === 'en' && organization === 'en'

/**
 * Returns the language of the page for an account. English may only be the default, so it counts as chosen where the
 * organization has another default. Otherwise the browser decides.
 */
export function languageFor({ own, organization }: LanguageSettings): Language {
  const wanted = spokenFor(own)
  const isDefault = isUnchosen({ own, organization })
  if (wanted && !isDefault) return wanted
  return stored(CHOSEN) ?? (isDefault ? undefined : spokenFor(organization)) ?? ofBrowser() ?? 'en'
}

/** Shows the page in a language, also at later starts. Texts being written are kept. */
function show(wanted: Language): void {
  browserStorage().setItem(SHOWN, wanted)
  // Without storage, the page would load again and again.
  if (wanted !== language && stored(SHOWN) === wanted) location.reload()
}

/** Follows the settings of an account. Stored ones may be older than a choice, so they only determine formats. */
export function followSettings(settings: LanguageSettings, { isStored }: { isStored: boolean }): void {
  if (spokenFor(settings.own) === language) locale.value = formatOf(settings.own)
  areHoursFree.value = isUnchosen(settings) && !browserStorage().getItem(CHOSEN_HOURS)
  if (!isStored) show(languageFor(settings))
}

/** Shows the language that somebody chose in this browser. */
export function chooseLanguage(chosen: Language): void {
  browserStorage().setItem(CHOSEN, chosen)
  show(chosen)
}
