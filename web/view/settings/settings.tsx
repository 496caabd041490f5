import type { ComponentType } from 'preact'
import type { ClientState } from '../../../src/client/index.ts'
import '../../styles/settings.css'
import { go } from '../../model/state/route.ts'
import { useSession } from '../session-context.ts'
import { Bots } from './bots/bots.tsx'
import { Display } from './display.tsx'
import { GroupPage } from './groups/group-page.tsx'
import { Groups } from './groups/groups.tsx'
import { Notifications } from './notifications.tsx'
import { CustomEmoji } from './organization/custom-emoji.tsx'
import { Domains } from './organization/domains.tsx'
import { Exports } from './organization/exports.tsx'
import { Invitations } from './organization/invitations.tsx'
import { Linkifiers } from './organization/linkifiers.tsx'
import { Newcomers } from './organization/newcomers.tsx'
import { Organization } from './organization/organization.tsx'
import { Playgrounds } from './organization/playgrounds.tsx'
import { ProfileFields } from './organization/profile-fields.tsx'
import { organizationForm } from './organization-form.tsx'
import { Account } from './own/account.tsx'
import { AlertWords } from './own/alert-words.tsx'
import { MutedUsers } from './own/muted-users.tsx'
import { Sessions } from './own/sessions.tsx'
import { Profile } from './profile.tsx'
import { UserForm } from './user-form.tsx'
import { Users } from './users/users.tsx'

type Reader = Pick<ClientState, 'is_admin' | 'is_owner' | 'is_guest'>
const administrators = ({ is_admin }: Reader) => is_admin
const owners = ({ is_owner }: Reader) => is_owner
const members = ({ is_guest }: Reader) => !is_guest

interface Section {
  title: string
  /** `item` is what follows the section in the address. */
  Page: ComponentType<{ item?: string | undefined }>
  /** Who has the page; everybody when absent. */
  who?: (reader: Reader) => boolean
}
type Sections = Readonly<Record<string, Section>>

/** The pages of the settings, by the last part of their address. A new page is one line here. */
const own: Sections = {
  profile: { title: 'Profile', Page: Profile },
  account: { title: 'Account', Page: Account },
  display: { title: 'Display', Page: Display },
  writing: { title: 'Writing and privacy', Page: () => <UserForm page="writing" /> },
  notifications: { title: 'Notifications', Page: Notifications },
  words: { title: 'Alert words', Page: AlertWords },
  muted: { title: 'Muted people', Page: MutedUsers },
  sessions: { title: 'Sessions and keys', Page: Sessions },
  bots: { title: 'Bots', Page: Bots, who: members },
  apps: {
    title: 'Other apps',
    Page: () => <UserForm page="otherApps" about="For apps on your devices: this page has nothing to do with it." />,
  },
}
const common: Sections = {
  groups: {
    title: 'Groups',
    Page: ({ item }) => (item ? <GroupPage key={item} group_id={Number(item)} /> : <Groups />),
  },
  invitations: { title: 'Invitations', Page: Invitations, who: members },
  users: { title: 'Users', Page: Users, who: administrators },
  emoji: { title: 'Custom emoji', Page: CustomEmoji },
  organization: { title: 'Organization', Page: Organization, who: administrators },
  messages: { title: 'Messages', Page: organizationForm('messages'), who: administrators },
  accounts: { title: 'Accounts', Page: organizationForm('accounts'), who: administrators },
  permissions: { title: 'Permissions', Page: organizationForm('permissions'), who: administrators },
  newcomers: { title: 'New people', Page: Newcomers, who: administrators },
  fields: { title: 'Profile fields', Page: ProfileFields, who: administrators },
  linkifiers: { title: 'Linkifiers', Page: Linkifiers, who: administrators },
  playgrounds: { title: 'Code playgrounds', Page: Playgrounds, who: administrators },
  domains: { title: 'Domains', Page: Domains, who: owners },
  exports: { title: 'Data exports', Page: Exports, who: administrators },
}

interface SettingsProps {
  section: string
  item?: string | undefined
}

export function Settings({ section, item }: SettingsProps) {
  const reader = useSession().read('users')
  const all = [...Object.entries(own), ...Object.entries(common)].filter(([, { who }]) => !who || who(reader))
  const offered = new Map(all)
  const present = offered.has(section) ? section : 'profile'
  const { title, Page } = offered.get(present)!
  const list = (names: Sections) =>
    Object.entries(names).map(([name, each]) =>
      offered.has(name) ? (
        <li key={name}>
          <a class="row" href={`#settings/${name}`} aria-current={name === present ? 'page' : undefined}>
            {each.title}
          </a>
        </li>
      ) : null,
    )
  const options = (names: Sections) =>
    Object.entries(names).map(([name, each]) =>
      offered.has(name) ? (
        <option key={name} value={name}>
          {each.title}
        </option>
      ) : null,
    )
  return (
    <div class="list-page">
      <header class="page-header">
        <h1>Settings</h1>
      </header>
      <div class="settings scrolling">
        <select
          class="pages-of-settings"
          aria-label="Page of the settings"
          value={present}
          onChange={(event) => go(`#settings/${event.currentTarget.value}`)}
        >
          <optgroup label="You">{options(own)}</optgroup>
          <optgroup label={reader.realm_name}>{options(common)}</optgroup>
        </select>
        <nav aria-label="Settings">
          <ul>{list(own)}</ul>
          <p class="quiet small">{reader.realm_name}</p>
          <ul>{list(common)}</ul>
        </nav>
        <section tabIndex={-1} aria-labelledby="settings-title">
          <h2 id="settings-title">{title}</h2>
          <Page key={present} item={item} />
        </section>
      </div>
    </div>
  )
}
