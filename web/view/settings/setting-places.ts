import { ranked, wordsOf } from '../../model/palette/match.ts'
import type { Session } from '../../model/state/session.ts'
import { folded } from '../../model/writing/matching.ts'
import { organizationPages } from './organization-table.ts'
import { type SectionName, sectionsFor } from './sections.tsx'
import { userPages } from './user-table.ts'

/** A page of settings, or one setting on it. */
export interface SettingPlace {
  label: string
  /** What a setting does. */
  about: string
  /** The page of a setting; undefined for the page itself. */
  page: string | undefined
  /** The page's name in addresses. */
  section: SectionName
  address: string
}

/** The page of each table of settings. */
const pages = [
  ['display', userPages.display],
  ['writing', userPages.writing],
  ['notifications', userPages.notifications],
  ['apps', userPages.otherApps],
  ['organization', organizationPages.about],
  ['messages', organizationPages.messages],
  ['accounts', organizationPages.accounts],
  ['permissions', organizationPages.permissions],
] as const

/** All settings and pages of settings that the reader can open: pages first. */
export function settingPlaces(session: Session): SettingPlace[] {
  const reader = session.read('users', 'organization')
  const titles = new Map(sectionsFor(reader).map(([name, { title }]) => [name, title]))
  const settings = pages.flatMap(([section, rows]) =>
    titles.has(section)
      ? rows
          .filter(({ who }) => who !== 'owner' || reader.is_owner)
          .map(({ name, label, about, theme }) => ({
            label,
            about,
            page: theme ? `${titles.get(section)} › ${theme}` : titles.get(section),
            section,
            address: `#settings/${section}/${name}`,
          }))
      : [],
  )
  const sections = [...titles].map(([section, label]) => ({
    label,
    about: '',
    page: undefined,
    section,
    address: `#settings/${section}`,
  }))
  return [...sections, ...settings]
}

/** So many are found at most. */
const MOST = 12

/** The pages and settings that match a query, by name, page or description: the best first. */
export function findSettings(session: Session, query: string): SettingPlace[] {
  const words = wordsOf(query)
  const places = settingPlaces(session)
  const named = ranked(places, words, ({ label, page = '' }) => folded(`${label} ${page}`), MOST)
  const isNamed = new Set(named.map(({ thing }) => thing.address))
  const described = ranked(
    places.filter(({ address }) => !isNamed.has(address)),
    words,
    ({ label, about }) => folded(`${label} ${about}`),
    MOST,
  )
  return [...named, ...described].map(({ thing }) => thing).slice(0, MOST)
}
