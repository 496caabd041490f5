import type { ComponentType } from 'preact'
import type { ClientState } from '../../../src/client/index.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { limitedInSettings } from '../parts/limited-settings.ts'
import { limitedThings } from '../parts/limited-things.ts'
import { onDemand } from '../parts/on-demand.tsx'
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

limitedThings.push(...limitedInSettings)

const Audit = onDemand(async () => (await import('./organization/audit.tsx')).Audit)
const Imports = onDemand(async () => (await import('./imports/imports.tsx')).ImportsPage)
const Reports = onDemand(async () => (await import('./organization/reports.tsx')).Reports)
const ContentFilters = onDemand(async () => (await import('./organization/content-filters.tsx')).ContentFilters)
const MailPage = onDemand(async () => (await import('./organization/mail.tsx')).MailPage)
const Providers = onDemand(async () => (await import('./organization/providers.tsx')).Providers)

export type Reader = Pick<ClientState, 'is_admin' | 'is_owner' | 'is_moderator' | 'is_guest' | 'realm_name'>
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

/**
 * The pages of the settings, by the last part of their address. A new page needs one line here, and an icon in
 * `section-icon.tsx`.
 */
const own = {
  profile: { title: pageTexts.sections.profile, Page: Profile },
  account: { title: pageTexts.sections.account, Page: Account },
  sessions: { title: pageTexts.sections.sessions, Page: Sessions },
  display: { title: pageTexts.sections.display, Page: Display },
  writing: { title: pageTexts.sections.writing, Page: () => <UserForm page="writing" /> },
  notifications: { title: pageTexts.sections.notifications, Page: Notifications },
  words: { title: pageTexts.sections.words, Page: AlertWords },
  muted: { title: pageTexts.sections.muted, Page: MutedUsers },
  bots: { title: pageTexts.sections.bots, Page: Bots, who: members },
  apps: {
    title: pageTexts.sections.apps,
    Page: () => <UserForm page="otherApps" about={pageTexts.sections.appsHelp} />,
  },
} satisfies Sections
const people = {
  users: { title: pageTexts.sections.users, Page: Users, who: administrators },
  groups: {
    title: pageTexts.sections.groups,
    Page: ({ item }) => (item ? <GroupPage key={item} group_id={Number(item)} /> : <Groups />),
  },
  invitations: { title: pageTexts.sections.invitations, Page: Invitations, who: members },
  newcomers: { title: pageTexts.sections.newcomers, Page: Newcomers, who: administrators },
  fields: { title: pageTexts.sections.fields, Page: ProfileFields, who: administrators },
  reports: { title: pageTexts.sections.moderation, Page: Reports, who: moderators },
  filters: { title: pageTexts.sections.contentFilters, Page: ContentFilters, who: administrators },
} satisfies Sections
const organization = {
  organization: { title: pageTexts.sections.organization, Page: Organization, who: administrators },
  permissions: { title: pageTexts.sections.permissions, Page: organizationForm('permissions'), who: administrators },
  messages: { title: pageTexts.sections.messages, Page: organizationForm('messages'), who: administrators },
  folders: { title: pageTexts.sections.folders, Page: Folders, who: administrators },
  emoji: { title: pageTexts.sections.emoji, Page: CustomEmoji },
  linkifiers: { title: pageTexts.sections.linkifiers, Page: Linkifiers, who: administrators },
  playgrounds: { title: pageTexts.sections.playgrounds, Page: Playgrounds, who: administrators },
  integrations: { title: pageTexts.sections.integrations, Page: Integrations, who: administrators },
} satisfies Sections
const security = {
  accounts: { title: pageTexts.sections.accounts, Page: organizationForm('accounts'), who: administrators },
  domains: { title: pageTexts.sections.domains, Page: Domains, who: owners },
  providers: { title: pageTexts.sections.providers, Page: Providers, who: owners },
  mail: { title: pageTexts.sections.mail, Page: MailPage, who: owners },
  audit: { title: pageTexts.sections.audit, Page: Audit, who: owners },
  exports: { title: pageTexts.sections.exports, Page: Exports, who: administrators },
  imports: { title: pageTexts.sections.imports, Page: Imports, who: owners },
} satisfies Sections

const all = { ...own, ...people, ...organization, ...security }
export type SectionName = keyof typeof all

/** The pages that a reader sees, in groups. */
export const sectionGroups = (reader: Reader): { title: string; sections: (readonly [SectionName, Section])[] }[] =>
  [
    { title: pageTexts.sections.own, of: own },
    { title: texts.places.people, of: people },
    { title: reader.realm_name, of: organization },
    { title: pageTexts.sections.security, of: security },
  ].flatMap(({ title, of }) => {
    const sections = (Object.entries(of as Sections) as [SectionName, Section][]).filter(
      ([, { who }]) => !who || who(reader),
    )
    return sections.length > 0 ? [{ title, sections }] : []
  })

/** The pages that a reader sees, by the last part of their address. */
export const sectionsFor = (reader: Reader): readonly (readonly [name: SectionName, section: Section])[] =>
  sectionGroups(reader).flatMap(({ sections }) => sections)
