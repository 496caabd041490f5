import type { ComponentType } from 'preact'
import { Display } from './display.tsx'
import { Notifications } from './notifications.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'

interface Section {
  title: string
  Page: ComponentType
}

/** The pages of the settings, by the last part of their address. A new page is one line here. */
const sections: Readonly<Record<string, Section>> = {
  profile: { title: 'Profile', Page: Profile },
  display: { title: 'Display', Page: Display },
  notifications: { title: 'Notifications', Page: Notifications },
  sessions: { title: 'Sessions and keys', Page: Sessions },
}

export function Settings({ section }: { section: string }) {
  const { title, Page } = sections[section] ?? sections.profile!
  return (
    <div class="list-page">
      <header class="page-header">
        <h1>Settings</h1>
      </header>
      <div class="settings scrolling">
        <nav aria-label="Settings">
          <ul>
            {Object.entries(sections).map(([name, each]) => (
              <li key={name}>
                <a class="row" href={`#settings/${name}`} aria-current={each.title === title ? 'page' : undefined}>
                  {each.title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <section aria-labelledby="settings-title">
          <h2 id="settings-title">{title}</h2>
          <Page />
        </section>
      </div>
    </div>
  )
}
