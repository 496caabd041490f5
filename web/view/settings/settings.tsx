import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { go } from '../../model/state/route.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import '../../styles/settings.css'
import { useSession } from '../session-context.ts'
import { SectionIcon } from './section-icon.tsx'
import { type Reader, type SectionName, sectionGroups, sectionsFor } from './sections.tsx'
import { findSettings } from './setting-places.ts'

interface SettingsProps {
  section: string
  /** What the page shows first: a group, or the name of a setting. */
  item?: string | undefined
}

/** The pages of settings, in groups, with a search for one of them or for a setting. */
export function Settings({ section, item }: SettingsProps) {
  const reader = useSession().read('users', 'organization')
  const query = useSignal('')
  const offered = new Map<string, ReturnType<typeof sectionsFor>[number][1]>(sectionsFor(reader))
  const present = (offered.has(section) ? section : 'profile') as SectionName
  const { title, Page } = offered.get(present)!
  const root = useRef<HTMLDivElement>(null)
  const begin = () => {
    const element = root.current!
    query.value = ''
    element.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
    element.scrollTop = 0
    const setting = item && element.querySelector(`#setting-${CSS.escape(item)}`)
    if (!setting) return
    setting.scrollIntoView({ block: 'center' })
    setting.querySelector<HTMLElement>('input, select, textarea, button')?.focus({ preventScroll: true })
  }
  // Another page begins at its top, or at the setting in its address.
  useLayoutEffect(begin, [present, item])
  const choose = (address: string) => {
    query.value = ''
    // The present address is no other one, and its setting may be out of sight.
    if (address === location.hash) begin()
  }
  return (
    <div class="list-page">
      <header class="page-header">
        <h1>{texts.places.settings}</h1>
      </header>
      <div ref={root} class="settings scrolling">
        <div class="settings-rail">
          <input
            type="search"
            aria-label={pageTexts.sections.search}
            placeholder={pageTexts.sections.search}
            value={query.value}
            onInput={(event) => (query.value = event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              root.current!.querySelector<HTMLElement>('.found-settings a')?.click()
            }}
          />
          {query.value.trim() ? (
            <FoundSettings query={query.value} onChoose={choose} />
          ) : (
            <Pages reader={reader} present={present} />
          )}
        </div>
        <section tabIndex={-1} aria-labelledby="settings-title">
          <h2 id="settings-title">{title}</h2>
          <Page key={present} item={item} />
        </section>
      </div>
    </div>
  )
}

/** The list of pages; on phones a select. */
function Pages({ reader, present }: { reader: Reader; present: SectionName }) {
  const groups = sectionGroups(reader)
  return (
    <>
      <select
        class="pages-of-settings"
        aria-label={pageTexts.sections.section}
        value={present}
        onChange={(event) => go(`#settings/${event.currentTarget.value}`)}
      >
        {groups.map(({ title, sections }, i) => (
          <optgroup key={i} label={title}>
            {sections.map(([name, each]) => (
              <option key={name} value={name}>
                {each.title}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <nav aria-label={texts.places.settings}>
        {groups.map(({ title, sections }, i) => (
          <div key={i}>
            <p id={`settings-group-${i}`}>{title}</p>
            <ul aria-labelledby={`settings-group-${i}`}>
              {sections.map(([name, each]) => (
                <li key={name}>
                  <a class="row" href={`#settings/${name}`} aria-current={name === present ? 'page' : undefined}>
                    <SectionIcon name={name} />
                    <span class="name">{each.title}</span>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </>
  )
}

/** Pages and settings whose names or descriptions have the words. */
function FoundSettings({ query, onChoose }: { query: string; onChoose(address: string): void }) {
  const found = findSettings(useSession(), query)
  return (
    <>
      <ul class="found-settings" aria-label={pageTexts.sections.found}>
        {found.map(({ section, label, page, address }) => (
          <li key={address}>
            <a class="row" href={address} onClick={() => onChoose(address)}>
              <SectionIcon name={section} />
              <span class="name">
                {label}
                {page && <span class="quiet small">{page}</span>}
              </span>
            </a>
          </li>
        ))}
      </ul>
      <p class="quiet" role="status">
        {found.length === 0 && pageTexts.sections.noneFound}
      </p>
    </>
  )
}
