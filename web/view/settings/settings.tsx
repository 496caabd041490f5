import type { ComponentType } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ClientState } from '../../../src/client/index.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import '../../styles/settings.css'
import { go } from '../../model/state/route.ts'
import { onDemand } from '../parts/on-demand.tsx'
import { useSession } from '../session-context.ts'
import { Bots } from './bots/bots.tsx'
import { Display } from './display.tsx'
import { GroupPage } from './groups/group-page.tsx'
import { Groups } from './groups/groups.tsx'
import { Integrations } from './integrations/integrations.tsx'
import { Notifications } from './notifications.tsx'
import { CustomEmoji } from './organization/custom-emoji.tsx'
import { Domains } from './organization/domains.tsx'
import { Exports } from './organization/exports.tsx'
import { Folders } from './organization/folders.tsx'
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

const Audit = onDemand(async () => (await import('./organization/audit.tsx')).Audit)
const Imports = onDemand(async () => (await import('./imports/imports.tsx')).ImportsPage)
const Reports = onDemand(async () => (await import('./organization/reports.tsx')).Reports)
const ContentFilters = onDemand(async () => (await import('./organization/content-filters.tsx')).ContentFilters)
const MailPage = onDemand(async () => (await import('./organization/mail.tsx')).MailPage)
const Providers = onDemand(async () => (await import('./organization/providers.tsx')).Providers)

type Reader = Pick<ClientState, 'is_admin' | 'is_owner' | 'is_moderator' | 'is_guest'>
const administrators = ({ is_admin }: Reader) => is_admin
const moderators = ({ is_moderator }: Reader) => is_moderator
const owners = ({ is_owner }: Reader) => is_owner
const members = ({ is_guest }: Reader) => !is_guest

interface Section {
  title: string
  /** `item` is the part of the address after the section. */
  Page: ComponentType<{ item?: string | undefined }>
  /** Who sees the page; everyone by default. */
  who?: (reader: Reader) => boolean
}
type Sections = Readonly<Record<string, Section>>

/** The pages of the settings, by the last part of their address. A new page needs one line here. */
const own: Sections = {
  profile: { title: pageTexts.sections.profile, Page: Profile },
  account: { title: pageTexts.sections.account, Page: Account },
  display: { title: pageTexts.sections.display, Page: Display },
  writing: { title: pageTexts.sections.writing, Page: () => <UserForm page="writing" /> },
  notifications: { title: pageTexts.sections.notifications, Page: Notifications },
  words: { title: pageTexts.sections.words, Page: AlertWords },
  muted: { title: pageTexts.sections.muted, Page: MutedUsers },
  sessions: { title: pageTexts.sections.sessions, Page: Sessions },
  bots: { title: pageTexts.sections.bots, Page: Bots, who: members },
  apps: {
    title: pageTexts.sections.apps,
    Page: () => <UserForm page="otherApps" about={pageTexts.sections.appsHelp} />,
  },
}
const common: Sections = {
  groups: {
    title: pageTexts.sections.groups,
    Page: ({ item }) => (item ? <GroupPage key={item} group_id={Number(item)} /> : <Groups />),
  },
  invitations: { title: pageTexts.sections.invitations, Page: Invitations, who: members },
  reports: { title: pageTexts.sections.moderation, Page: Reports, who: moderators },
  filters: { title: pageTexts.sections.contentFilters, Page: ContentFilters, who: administrators },
  users: { title: pageTexts.sections.users, Page: Users, who: administrators },
  emoji: { title: pageTexts.sections.emoji, Page: CustomEmoji },
  organization: { title: pageTexts.sections.organization, Page: Organization, who: administrators },
  messages: { title: pageTexts.sections.messages, Page: organizationForm('messages'), who: administrators },
  accounts: { title: pageTexts.sections.accounts, Page: organizationForm('accounts'), who: administrators },
  permissions: { title: pageTexts.sections.permissions, Page: organizationForm('permissions'), who: administrators },
  newcomers: { title: pageTexts.sections.newcomers, Page: Newcomers, who: administrators },
  folders: { title: pageTexts.sections.folders, Page: Folders, who: administrators },
  fields: { title: pageTexts.sections.fields, Page: ProfileFields, who: administrators },
  linkifiers: { title: pageTexts.sections.linkifiers, Page: Linkifiers, who: administrators },
  integrations: { title: pageTexts.sections.integrations, Page: Integrations, who: administrators },
  playgrounds: { title: pageTexts.sections.playgrounds, Page: Playgrounds, who: administrators },
  domains: { title: pageTexts.sections.domains, Page: Domains, who: owners },
  providers: { title: pageTexts.sections.providers, Page: Providers, who: owners },
  audit: { title: pageTexts.sections.audit, Page: Audit, who: owners },
  mail: { title: pageTexts.sections.mail, Page: MailPage, who: owners },
  exports: { title: pageTexts.sections.exports, Page: Exports, who: administrators },
  imports: { title: pageTexts.sections.imports, Page: Imports, who: owners },
}

/** The pages that a reader sees, by the last part of their address. */
export const sectionsFor = (reader: Reader): readonly (readonly [name: string, section: Section])[] =>
  [...Object.entries(own), ...Object.entries(common)].filter(([, { who }]) => !who || who(reader))

interface SettingsProps {
  section: string
  item?: string | undefined
}

export function Settings({ section, item }: SettingsProps) {
  const reader = useSession().read('users')
  const offered = new Map(sectionsFor(reader))
  const present = offered.has(section) ? section : 'profile'
  const { title, Page } = offered.get(present)!
  const root = useRef<HTMLDivElement>(null)
  // Another page begins at its top.
  useLayoutEffect(() => {
    const element = root.current!
    element.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
    element.scrollTop = 0
  }, [present, item])
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
        <h1>{texts.places.settings}</h1>
      </header>
      <div ref={root} class="settings scrolling">
        <select
          class="pages-of-settings"
          aria-label={pageTexts.sections.section}
          value={present}
          onChange={(event) => go(`#settings/${event.currentTarget.value}`)}
        >
          <optgroup label={pageTexts.sections.own}>{options(own)}</optgroup>
          <optgroup label={reader.realm_name}>{options(common)}</optgroup>
        </select>
        <nav aria-label={texts.places.settings}>
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
