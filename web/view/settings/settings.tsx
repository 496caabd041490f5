import type { ComponentType } from 'preact'
import { useSession } from '../session-context.ts'
import { CustomEmoji } from './custom-emoji.tsx'
import { Display } from './display.tsx'
import { Notifications } from './notifications.tsx'
import { organizationForm } from './organization-form.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'
import { Users } from './users.tsx'

interface Section {
  title: string
  Page: ComponentType
  /** Of the organization's pages, those for administrators; the others are for everybody. */
  who?: 'administrator'
}

/** The pages of the settings, by the last part of their address. A new page is one line here. */
const sections: Readonly<Record<string, Section>> = {
  profile: { title: 'Profile', Page: Profile },
  display: { title: 'Display', Page: Display },
  notifications: { title: 'Notifications', Page: Notifications },
  sessions: { title: 'Sessions and keys', Page: Sessions },
  organization: { title: 'Organization', Page: organizationForm('about'), who: 'administrator' },
  messages: { title: 'Messages', Page: organizationForm('messages'), who: 'administrator' },
  accounts: { title: 'Accounts', Page: organizationForm('accounts'), who: 'administrator' },
  permissions: { title: 'Permissions', Page: organizationForm('permissions'), who: 'administrator' },
  users: { title: 'Users', Page: Users, who: 'administrator' },
  emoji: { title: 'Custom emoji', Page: CustomEmoji },
}

export function Settings({ section }: { section: string }) {
  const { is_admin } = useSession().read('users')
  const offered = Object.fromEntries(Object.entries(sections).filter(([, { who }]) => !who || is_admin))
  const { title, Page } = offered[section] ?? sections.profile!
  return (
    <div class="list-page">
      <header class="page-header">
        <h1>Settings</h1>
      </header>
      <div class="settings scrolling">
        <nav aria-label="Settings">
          <ul>
            {Object.entries(offered).map(([name, each]) => (
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
          <Page key={title} />
        </section>
      </div>
    </div>
  )
}
