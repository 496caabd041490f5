import { nameOf } from '../../../model/reading/people.ts'
import { isolated } from '../../../model/state/isolated.ts'
import { namesList } from '../../../model/state/language.ts'
import type { Session } from '../../../model/state/session.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { roleName } from '../roles.ts'

type Thing = keyof typeof pageTexts.auditThings
type Act = keyof typeof pageTexts.auditActs

/** What each action of the audit log concerns, and what it does. A test names actions that are missing here. */
export const actionWords: Readonly<Record<string, readonly [thing: Thing, act?: Act]>> = {
  signIn: ['sign_in'],
  endSession: ['sign_out'],
  endProviderSession: ['sign_out'],
  signOutEverywhere: ['session', 'revoke'],
  createUser: ['user', 'create'],
  createUserBySignOn: ['user', 'create'],
  createScimUser: ['user', 'create'],
  updateUser: ['user', 'change'],
  updateUserByEmail: ['user', 'change'],
  replaceScimUser: ['user', 'change'],
  patchScimUser: ['user', 'change'],
  deactivateUser: ['user', 'deactivate'],
  deactivateOwnUser: ['user', 'deactivate'],
  deactivateScimUser: ['user', 'deactivate'],
  reactivateUser: ['user', 'reactivate'],
  eraseUser: ['user', 'erase'],
  mergeUser: ['user', 'merge'],
  moderateUser: ['user', 'moderate'],
  updateSettings: ['settings', 'change'],
  updateStatusOf: ['status', 'change'],
  linkIdentity: ['linked_account', 'link'],
  unlinkAccount: ['linked_account', 'remove'],
  unlinkAccountsOf: ['linked_account', 'remove'],
  syncDirectory: ['directory', 'sync'],
  confirmEmailChange: ['email_address', 'change'],
  undoEmailChange: ['email_address', 'undo'],
  setPassword: ['password', 'change'],
  setPasswordByLink: ['password', 'change'],
  createPasswordLink: ['password', 'reset'],
  confirmOwnTotp: ['second_factor', 'add'],
  removeOwnTotp: ['second_factor', 'remove'],
  resetSecondFactor: ['second_factor', 'reset'],
  replaceRecoveryCodes: ['recovery_codes', 'replace'],
  addPasskey: ['passkey', 'add'],
  removePasskey: ['passkey', 'remove'],
  createApiKey: ['key', 'create'],
  issueKey: ['key', 'create'],
  regenerateApiKey: ['key', 'replace'],
  endApiKey: ['key', 'revoke'],
  createBot: ['bot', 'create'],
  updateBot: ['bot', 'change'],
  deactivateBot: ['bot', 'deactivate'],
  regenerateBotKey: ['bot_key', 'replace'],
  showBotKey: ['bot_key', 'show'],
  registerBotCommand: ['command', 'add'],
  removeBotCommand: ['command', 'remove'],
  addFeed: ['feed', 'add'],
  removeFeed: ['feed', 'remove'],
  createWebhookTemplate: ['webhook_template', 'create'],
  updateWebhookTemplate: ['webhook_template', 'change'],
  removeWebhookTemplate: ['webhook_template', 'remove'],
  sendInvites: ['invitation', 'send'],
  resendInvite: ['invitation', 'resend'],
  revokeInvite: ['invitation', 'revoke'],
  acceptInvitation: ['invitation', 'accept'],
  acceptTerms: ['terms', 'accept'],
  inviteNewcomers: ['invitation', 'send'],
  createInviteLink: ['invitation_link', 'create'],
  revokeInviteLink: ['invitation_link', 'revoke'],
  createChannel: ['channel', 'create'],
  updateStream: ['channel', 'change'],
  archiveStream: ['channel', 'archive'],
  revokeStreamEmail: ['channel_email', 'revoke'],
  subscribe: ['channel_members', 'add'],
  unsubscribe: ['channel_members', 'remove'],
  addDefaultStream: ['default_channels', 'add'],
  removeDefaultStream: ['default_channels', 'remove'],
  createStreamGroup: ['default_channel_groups', 'create'],
  updateStreamGroup: ['default_channel_groups', 'change'],
  changeStreamGroup: ['default_channel_groups', 'change'],
  removeStreamGroup: ['default_channel_groups', 'remove'],
  createChannelFolder: ['folder', 'create'],
  updateChannelFolder: ['folder', 'change'],
  reorderChannelFolders: ['folder', 'reorder'],
  updateMessage: ['message', 'change'],
  deleteMessage: ['message', 'remove'],
  undelete: ['message', 'restore'],
  deleteTopic: ['topic', 'remove'],
  pinMessage: ['message', 'change'],
  unpinMessage: ['message', 'change'],
  reportMessage: ['report', 'send'],
  updateReport: ['report', 'change'],
  decideHeldMessage: ['held_message', 'moderate'],
  createContentFilter: ['content_filter', 'create'],
  removeContentFilter: ['content_filter', 'remove'],
  createGroup: ['group', 'create'],
  updateGroup: ['group', 'change'],
  deactivateGroup: ['group', 'deactivate'],
  createScimGroup: ['group', 'create'],
  replaceScimGroup: ['group', 'change'],
  patchScimGroup: ['group', 'change'],
  deactivateScimGroup: ['group', 'deactivate'],
  createSignOnProvider: ['provider', 'create'],
  updateSignOnProvider: ['provider', 'change'],
  removeSignOnProvider: ['provider', 'remove'],
  changeMembers: ['group_members', 'change'],
  changeSubgroups: ['subgroups', 'change'],
  setUp: ['organization', 'set_up'],
  updateOrganization: ['organization', 'change'],
  deactivateOrganization: ['organization', 'deactivate'],
  reactivateOrganization: ['organization', 'reactivate'],
  uploadIcon: ['icon', 'upload'],
  removeIcon: ['icon', 'remove'],
  uploadLogo: ['logo', 'upload'],
  removeLogo: ['logo', 'remove'],
  updateSettingsDefaults: ['defaults_of_accounts', 'change'],
  addDomain: ['domain', 'add'],
  updateDomain: ['domain', 'change'],
  removeDomain: ['domain', 'remove'],
  uploadCustomEmoji: ['emoji', 'upload'],
  deactivateCustomEmoji: ['emoji', 'remove'],
  createProfileField: ['profile_field', 'create'],
  updateProfileField: ['profile_field', 'change'],
  reorderProfileFields: ['profile_field', 'reorder'],
  removeProfileField: ['profile_field', 'remove'],
  createLinkifier: ['linkifier', 'create'],
  updateLinkifier: ['linkifier', 'change'],
  reorderLinkifiers: ['linkifier', 'reorder'],
  removeLinkifier: ['linkifier', 'remove'],
  createPlayground: ['playground', 'create'],
  removePlayground: ['playground', 'remove'],
  startExport: ['export', 'create'],
  exportData: ['export', 'create'],
  deleteExport: ['export', 'remove'],
  startOwnExport: ['export', 'create'],
  deleteOwnExport: ['export', 'remove'],
  exportAudit: ['audit', 'export'],
  backup: ['backup', 'create'],
  import: ['import', 'create'],
  createImportJob: ['import', 'upload'],
  updateImportJob: ['import', 'change'],
  discardImportJob: ['import', 'cancel'],
  startImportJob: ['import', 'create'],
  undoImport: ['import', 'undo'],
  retryMail: ['mail', 'resend'],
  dropMail: ['mail', 'cancel'],
  allowMailTo: ['blocked_address', 'allow'],
  setMailServer: ['mail_server', 'change'],
  removeMailServer: ['mail_server', 'remove'],
}

/** Returns the name of an action, such as "Channel: archive". */
export function actionName(action: string): string {
  const words = actionWords[action]
  if (!words) return wordsOf(action)
  const [thing, act] = words
  const name = pageTexts.auditThings[thing]
  return act ? pageTexts.audit.pair(name, pageTexts.auditActs[act]) : name
}

/** Returns the code of something that has no name in the page, as words. */
export function wordsOf(code: string): string {
  const words = code.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the name of a kind of object. */
export const kindName = (kind: string): string => pageTexts.auditThings[kind as Thing] ?? wordsOf(kind)

/** The names of values that are not settings. */
const facts: Readonly<Record<string, string>> = {
  full_name: pageTexts.people.name,
  delivery_email: pageTexts.account.email,
  role: pageTexts.invite.role,
  bot_type: pageTexts.common.kind,
  kind: pageTexts.common.kind,
  bot_owner_id: pageTexts.bots.owner,
  members: pageTexts.groups.members,
  subgroups: pageTexts.groups.subgroups,
  topic: texts.compose.topic,
  stream_id: pageTexts.common.channel,
  conversation_id: pageTexts.common.channel,
  channels: texts.places.channels,
  reason: pageTexts.common.reason,
  url: pageTexts.feeds.url,
  pattern: pageTexts.linkifiers.pattern,
  url_template: pageTexts.linkifiers.template,
  password_hash: pageTexts.account.password,
}

const settings: readonly Readonly<Record<string, { label: string }>>[] = [
  pageTexts.channelSettings,
  pageTexts.groupSettings,
  pageTexts.organizationSettings,
  pageTexts.userSettings,
]

/** Returns the name of a value that an action changed. */
export const factName = (name: string): string =>
  facts[name] ?? settings.find((table) => name in table)?.[name]?.label ?? wordsOf(name)

/** Returns a value that an action changed, as text. */
export function factText(session: Session, name: string, value: unknown): string {
  if (value === null || value === undefined) return '—'
  if (typeof value === 'boolean') return value ? pageTexts.choices.yes : pageTexts.choices.no
  if (typeof value === 'number' && name === 'role') return roleName(value)
  if (typeof value === 'number' && /^(?:bot_owner|sender|author|user)_id$|^taken_by$/.test(name))
    return nameOf(session, value)
  if (Array.isArray(value) && name === 'members')
    return namesList(value.map((id) => isolated(nameOf(session, Number(id)))))
  return typeof value === 'string' ? value : JSON.stringify(value)
}
