import type { Session } from '../../model/state/session.ts'
import { organizationPages } from './organization-table.ts'
import { sectionsFor } from './settings.tsx'
import { userPages } from './user-table.ts'

/** A page of settings, or one setting on it. */
export interface SettingPlace {
  label: string
  /** The page of a setting; undefined for the page itself. */
  page: string | undefined
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
  const reader = session.read('users')
  const titles = new Map(sectionsFor(reader).map(([name, { title }]) => [name, title]))
  const settings = pages.flatMap(([name, rows]) =>
    titles.has(name)
      ? rows
          .filter(({ who }) => who !== 'owner' || reader.is_owner)
          .map(({ label }) => ({ label, page: titles.get(name), address: `#settings/${name}` }))
      : [],
  )
  const sections = [...titles].map(([name, label]) => ({ label, page: undefined, address: `#settings/${name}` }))
  return [...sections, ...settings]
}
