import assert from 'node:assert/strict'
import test from 'node:test'
import { beginPasskeySession, getPasskeyOptions } from '../../../src/core/accounts/passkey-session.ts'
import {
  createScimUser,
  deactivateScimUser,
  patchScimUser,
  replaceScimUser,
} from '../../../src/core/accounts/provisioning/scim.ts'
import {
  createScimGroup,
  deactivateScimGroup,
  patchScimGroup,
  replaceScimGroup,
} from '../../../src/core/accounts/provisioning/scim-group-actions.ts'
import { codeOf, stepAt } from '../../../src/core/accounts/second-factor/totp.ts'
import { beginSession, completeSession, endSession } from '../../../src/core/accounts/sessions.ts'
import { importerOf } from '../../../src/core/files/import-uploads.ts'
import { contextOf } from '../../../src/core/kernel/context.ts'
import type { ChatError } from '../../../src/core/kernel/errors.ts'
import { storeOf } from '../../../src/core/kernel/store.ts'
import { exporterOf } from '../../../src/core/organization/exports/exporter.ts'
import type { AnyAction } from '../../../src/http/route-types.ts'
import { sections } from '../../../src/http/routes/api.ts'
import { compatibleSection } from '../../../src/http/routes/compatible.ts'
import { scimSection } from '../../../src/http/routes/scim.ts'
import { sessionSection } from '../../../src/http/routes/session.ts'
import { siteSection } from '../../../src/http/routes/site.ts'
import { actAs, uploadLogo } from '../../../src/index.ts'
import { apiOf, type World, world } from '../../../src/testing/index.ts'
import { PASSWORD } from '../../../src/testing/person.ts'
import { type Authenticator, authenticator } from '../../accounts/authenticator.ts'
import { onePixelPng } from '../../fixtures/images.ts'
import { ArchiveFolder, importInto, jsonLines } from '../../import/archives.ts'

/** Why an action has no row. */
const own = "changes only what is the caller's own"
const message = 'a message records its sender, and its history its edits'
const passing = 'changes nothing that lasts'
const other = (action: string) => `an action that it calls has a row: ${action}`

const unaudited: Readonly<Record<string, string>> = {
  addAlertWords: own,
  addApnsToken: own,
  addFcmToken: own,
  addNavigationView: own,
  addReaction: message,
  addSubmessage: message,
  addWebPushSubscription: own,
  beginConfirmation: passing,
  confirmWithPasskey: own,
  beginPasskey: passing,
  beginTotp: passing,
  changeSubscriptions: own,
  confirmEmailChange: 'it writes its row itself, as test/mail/email-change.test.ts shows',
  continueTusUpload: own,
  createConstructorGroupsCall: passing,
  createDrafts: own,
  createNextcloudTalkCall: passing,
  createReminder: own,
  createSavedSnippet: own,
  createScheduledMessage: own,
  createTusUpload: own,
  createZoomCall: passing,
  deleteAttachment: own,
  deleteDraft: own,
  deleteQueue: own,
  deleteReminder: own,
  deleteSavedSnippet: own,
  deleteScheduledMessage: own,
  withdrawHeldMessage: own,
  deleteWebhookMessage: other('deleteMessage'),
  editWebhookMessage: message,
  endProviderSession: 'it writes its row itself, as test/sign-on/back-channel.test.ts shows',
  endTusUpload: own,
  executeGithubWebhook: message,
  executeSlackWebhook: message,
  executeWebhook: message,
  fetchApiKeyByToken: other('signIn'),
  getPasskeyOptions: passing,
  renamePasskey: own,
  markAllAsRead: own,
  markOnboardingStep: own,
  markStreamAsRead: own,
  markTopicAsRead: own,
  mergeUser: 'it writes its row itself, as test/accounts/merge.test.ts shows',
  muteTopic: own,
  muteUser: own,
  postAppPage: other('signIn'),
  postConfirmEmailPage: other('confirmEmailChange'),
  postJoinPage: other('acceptInvitation'),
  postKeyPage: other('signIn'),
  postTermsPage: 'it writes its row itself, as test/accounts/terms.test.ts shows',
  postLinkPage: other('linkIdentity'),
  postPasswordPage: other('setPasswordByLink'),
  postPasswordResetPage: other('requestPasswordReset'),
  postSecondFactorPage: other('signIn'),
  postSetUpFactorPage: other('confirmOwnTotp'),
  postSetUpPage: other('setUp'),
  postSlackMessage: message,
  postUndoEmailPage: other('undoEmailChange'),
  postUnsubscribePage: own,
  receiveSlack: message,
  receiveSlackIncoming: message,
  receiveWebhook: message,
  register: own,
  registerDevice: own,
  registerPush: own,
  removeAlertWords: own,
  removeApnsToken: own,
  removeAvatar: own,
  removeDevice: own,
  removeFcmToken: own,
  removeNavigationView: own,
  removeProfileData: own,
  removeReaction: message,
  removeStorage: own,
  removeWebPushSubscription: own,
  renderMessage: passing,
  requestSignUp: 'it only asks for an email, and the account has a row: acceptInvitation',
  requestPasswordReset: 'it only asks for an email, and the new password has a row: setPasswordByLink',
  runCommand: own,
  sendMessage: message,
  setTyping: passing,
  setTypingForEdit: passing,
  testEncryptedNotification: own,
  testMail: passing,
  testNotification: own,
  testSignOnProvider: passing,
  testSlackToken: passing,
  testWebhookTemplate: passing,
  testWelcomeText: own,
  undoEmailChange: 'it writes its row itself, as test/mail/email-change.test.ts shows',
  unmuteUser: own,
  updateDraft: own,
  updateFlags: own,
  updateFlagsForNarrow: own,
  updateNavigationView: own,
  updatePresence: own,
  updateProfileData: own,
  updateProperties: own,
  updateProperty: own,
  updateSavedSnippet: own,
  updateScheduledMessage: own,
  updateStatus: own,
  updateStorage: own,
  updateUserTopic: own,
  uploadAvatar: own,
  uploadFile: own,
  searchScim: passing,
  searchScimGroups: passing,
  searchScimUsers: passing,
}

interface Scene {
  w: World
  api: World['people']['iago']['api']
  /** Ids that earlier steps have made. */
  ids: Record<string, number>
  /** Of an authenticator app, and the recovery codes beside it. */
  secret?: string
  recovery?: string[]
  passkey?: Authenticator
}
const hamletOf = ({ w }: Scene) => w.people.hamlet
/** Links an account of an identity provider, as a sign-in does. Returns the ID of the link. */
const linkedTo = ({ w }: Scene, user_id: number): Promise<number> =>
  w.people.iago.write(async ({ db }) => {
    const row = {
      user_id,
      issuer: 'https://id.example.com',
      subject: `subject ${user_id}`,
      provider: 'company',
      email: null,
    }
    const times = { created_at: 0, last_used_at: 0 }
    return (
      await db
        .insertInto('identity')
        .values({ ...row, ...times })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  })
const codeNow = ({ w, secret }: Scene) => codeOf(secret!, stepAt(w.clock.now() / 1000))
const general = ({ w }: Scene) => w.streamId('general')
const password = 'alas poor Yorick'
const mailServer = { host: 'mail.example.com', port: 465, security: 'tls', from: 'chat@example.com' }
const confirmed = { account_password: PASSWORD }

/** How each action with rows is called, by the owner iago if it isn't said. Later ones use what earlier ones made. */
const examples: Readonly<Record<string, (s: Scene) => Promise<unknown>>> = {
  createUser: async (s) => {
    const made = await s.api.post('/users', { email: 'yorick@example.com', full_name: 'Yorick', password })
    s.ids.yorick = made.user_id
  },
  updateUser: ({ api, ids }) => api.patch(`/users/${ids.yorick}`, { full_name: 'Poor Yorick', role: 600 }),
  updateUserByEmail: ({ api }) => api.patch('/users/yorick@example.com', { role: 400 }),
  createPasswordLink: ({ api, ids }) => api.post(`/users/${ids.yorick}/password_link`),
  updateStatusOf: ({ api, ids }) => api.post(`/users/${ids.yorick}/status`, { status_text: 'dead' }),
  deactivateUser: ({ api, ids }) => api.delete(`/users/${ids.yorick}`, { actions: { delete_profile: true } }),
  reactivateUser: ({ api, ids }) => api.post(`/users/${ids.yorick}/reactivate`),
  createScimGroup: async (s) => {
    const document = JSON.stringify({ displayName: 'Provisioned' })
    const made = await createScimGroup(await actAs(s.w.chat, { user_id: s.w.iago.id }), { document })
    s.ids.provisioned = Number((made.document as { id: string }).id)
  },
  replaceScimGroup: async (s) => {
    const params = { group_id: s.ids.provisioned!, document: JSON.stringify({ displayName: 'Replaced' }) }
    await replaceScimGroup(await actAs(s.w.chat, { user_id: s.w.iago.id }), params)
  },
  patchScimGroup: async (s) => {
    const document = JSON.stringify({ Operations: [{ op: 'replace', path: 'displayName', value: 'Patched' }] })
    await patchScimGroup(await actAs(s.w.chat, { user_id: s.w.iago.id }), { group_id: s.ids.provisioned!, document })
  },
  deactivateScimGroup: async (s) => {
    await deactivateScimGroup(await actAs(s.w.chat, { user_id: s.w.iago.id }), { group_id: s.ids.provisioned! })
  },
  createScimUser: async (s) => {
    const document = JSON.stringify({ userName: 'marcellus@example.com', displayName: 'Marcellus' })
    const made = await createScimUser(await actAs(s.w.chat, { user_id: s.w.iago.id }), { document })
    s.ids.marcellus = made.id!
  },
  replaceScimUser: async (s) => {
    const document = JSON.stringify({ displayName: 'Young Marcellus' })
    const params = { user_id: s.ids.marcellus!, document }
    await replaceScimUser(await actAs(s.w.chat, { user_id: s.w.iago.id }), params)
  },
  patchScimUser: async (s) => {
    const document = JSON.stringify({ Operations: [{ op: 'replace', path: 'role', value: 'guest' }] })
    await patchScimUser(await actAs(s.w.chat, { user_id: s.w.iago.id }), { user_id: s.ids.marcellus!, document })
  },
  deactivateScimUser: async (s) => {
    await deactivateScimUser(await actAs(s.w.chat, { user_id: s.w.iago.id }), { user_id: s.ids.marcellus! })
  },
  updateSettings: (s) => hamletOf(s).api.patch('/settings', { full_name: 'Prince Hamlet' }),

  createBot: async (s) => {
    const made = await s.api.post('/bots', { full_name: 'Horatio', short_name: 'horatio', bot_type: 1 })
    s.ids.bot = made.user_id
  },
  updateBot: ({ api, ids }) => api.patch(`/bots/${ids.bot}`, { full_name: 'Horatio II' }),
  regenerateBotKey: ({ api, ids }) => api.post(`/bots/${ids.bot}/api_key/regenerate`),
  showBotKey: ({ api, ids }) => api.get(`/bots/${ids.bot}/api_key`),
  registerBotCommand: async (s) => {
    const command = { bot_id: s.ids.bot, name: 'skull', description: 'Finds a skull' }
    s.ids.command = (await s.api.post('/bot_commands', command)).id
  },
  removeBotCommand: ({ api, ids }) => api.delete(`/bot_commands/${ids.command}`),
  addFeed: async (s) => {
    const feed = { url: 'https://example.com/feed', stream: 'general', topic: 'news' }
    s.ids.feed = (await s.api.post(`/bots/${s.ids.bot}/feeds`, feed)).id
  },
  removeFeed: ({ api, ids }) => api.delete(`/bots/${ids.bot}/feeds/${ids.feed}`),
  deactivateBot: ({ api, ids }) => api.delete(`/bots/${ids.bot}`),

  sendInvites: ({ api }) => api.post('/invites', { invitee_emails: 'laertes@example.com', stream_ids: [] }),
  resendInvite: async ({ api }) => api.post(`/invites/${(await api.get('/invites')).invites[0].id}/resend`),
  revokeInvite: async ({ api }) => api.delete(`/invites/${(await api.get('/invites')).invites[0].id}`),
  createInviteLink: ({ api }) => api.post('/invites/multiuse', { stream_ids: [] }),
  acceptInvitation: async (s) => {
    const [{ link_url }] = (await s.api.get('/invites')).invites
    const token = new URL(link_url).searchParams.get('token')
    await apiOf(s.w.chat).post('/invitation', { token, email: 'osric@example.com', full_name: 'Osric', password })
  },
  revokeInviteLink: async ({ api }) => api.delete(`/invites/multiuse/${(await api.get('/invites')).invites[0].id}`),

  createChannel: async (s) => {
    const cordelia = s.w.people.cordelia.id
    s.ids.hall = (await s.api.post('/channels/create', { name: 'hall', subscribers: [cordelia] })).id
  },
  updateStream: ({ api, ids }) => api.patch(`/streams/${ids.hall}`, { new_name: 'great hall', is_private: true }),
  subscribe: (s) =>
    s.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'ward' }], principals: [hamletOf(s).id] }),
  unsubscribe: (s) =>
    s.api.delete('/users/me/subscriptions', { subscriptions: ['ward'], principals: [hamletOf(s).id] }),
  addDefaultStream: async (s) => s.api.post('/default_streams', { stream_id: await s.w.streamId('ward') }),
  removeDefaultStream: async (s) => s.api.delete('/default_streams', { stream_id: await s.w.streamId('ward') }),
  createStreamGroup: ({ api }) =>
    api.post('/default_stream_groups/create', { group_name: 'all', description: 'x', stream_names: ['ward'] }),
  updateStreamGroup: ({ api }) => api.patch('/default_stream_groups/1', { new_description: 'y' }),
  changeStreamGroup: ({ api }) =>
    api.patch('/default_stream_groups/1/streams', { op: 'remove', stream_names: ['ward'] }),
  removeStreamGroup: ({ api }) => api.delete('/default_stream_groups/1'),
  createChannelFolder: async (s) => {
    s.ids.folder = (await s.api.post('/channel_folders/create', { name: 'Rooms', description: '' })).channel_folder_id
  },
  updateChannelFolder: ({ api, ids }) => api.patch(`/channel_folders/${ids.folder}`, { name: 'Halls' }),
  reorderChannelFolders: ({ api, ids }) => api.patch('/channel_folders', { order: [ids.folder] }),
  revokeStreamEmail: ({ api, ids }) => api.delete(`/streams/${ids.hall}/email_address`),
  archiveStream: ({ api, ids }) => api.delete(`/streams/${ids.hall}`),

  updateMessage: async (s) => s.api.patch(`/messages/${(await hamletOf(s).says('x')).id}`, { topic: 'elsewhere' }),
  deleteMessage: async (s) => s.api.delete(`/messages/${(await hamletOf(s).says('y')).id}`),
  deleteTopic: async (s) => {
    await hamletOf(s).says('z', { topic: 'over' })
    await s.api.post(`/streams/${await general(s)}/delete_topic`, { topic_name: 'over' })
  },
  moderateUser: async (s) => {
    const moderated = { actions: ['silence'], minutes: 5, reason: 'Loud' }
    await s.api.post(`/users/${hamletOf(s).id}/moderate`, moderated)
    await s.api.post(`/users/${hamletOf(s).id}/moderate`, { actions: ['end_silence'], reason: 'Sorry' })
  },
  pinMessage: async (s) => {
    s.ids.pinned = (await hamletOf(s).says('p')).id
    await s.api.post(`/messages/${s.ids.pinned}/pin`)
  },
  unpinMessage: ({ api, ids }) => api.delete(`/messages/${ids.pinned}/pin`),
  reportMessage: async (s) => {
    await s.api.post('/channels/create', { name: 'reports', subscribers: [s.w.people.iago.id], invite_only: true })
    await s.api.patch('/realm', { moderation_request_channel_id: await s.w.streamId('reports') })
    await s.w.people.cordelia.api.post(`/messages/${(await hamletOf(s).says('n')).id}/report`, { report_type: 'spam' })
  },
  updateReport: async ({ api }) => {
    const { reports } = await api.get('/reports')
    await api.patch(`/reports/${reports[0].id}`, { state: 'closed', decision: 'Fine' })
  },
  decideHeldMessage: async (s) => {
    await s.api.patch('/realm', { hold_first_messages: 50 })
    const to = { type: 'stream', to: 'general', topic: 'x', content: 'words' }
    const { held_message_id } = await hamletOf(s).api.post('/messages', to)
    await s.api.patch('/realm', { hold_first_messages: 0 })
    await s.api.patch(`/held_messages/${held_message_id}`, { decision: 'reject' })
  },

  createGroup: async (s) => {
    const { group_id } = await s.api.post('/user_groups/create', { name: 'royals', description: '', members: [] })
    s.ids.group = group_id
  },
  updateGroup: ({ api, ids }) => api.patch(`/user_groups/${ids.group}`, { name: 'nobles' }),
  changeMembers: (s) => s.api.post(`/user_groups/${s.ids.group}/members`, { add: [hamletOf(s).id] }),
  changeSubgroups: async (s) =>
    s.api.post(`/user_groups/${s.ids.group}/subgroups`, { add: [await s.w.groupId('role:moderators')] }),
  deactivateGroup: ({ api, ids }) => api.post(`/user_groups/${ids.group}/deactivate`),

  uploadCustomEmoji: ({ api }) => api.upload('/realm/emoji/skull_of_yorick', onePixelPng()),
  deactivateCustomEmoji: ({ api }) => api.delete('/realm/emoji/skull_of_yorick'),
  updateOrganization: ({ api }) => api.patch('/realm', { name: 'Kronborg' }),
  uploadIcon: ({ api }) => api.upload('/realm/icon', onePixelPng()),
  removeIcon: ({ api }) => api.delete('/realm/icon'),
  uploadLogo: ({ w }) => uploadLogo(w.people.iago, { night: false, file: { name: 'logo.png', bytes: onePixelPng() } }),
  removeLogo: ({ api }) => api.delete('/realm/logo', { night: false }),
  updateSettingsDefaults: ({ api }) => api.patch('/realm/user_settings_defaults', { color_scheme: 2 }),
  addDomain: ({ api }) => api.post('/realm/domains', { domain: 'example.com', allow_subdomains: false }),
  updateDomain: ({ api }) => api.patch('/realm/domains/example.com', { allow_subdomains: true }),
  removeDomain: ({ api }) => api.delete('/realm/domains/example.com'),
  startExport: async (s) => {
    s.ids.export = (await s.api.post('/export/realm', { export_type: 'public' })).id
    await exporterOf(s.w.chat).settled()
  },
  deleteExport: ({ api, ids }) => api.delete(`/export/realm/${ids.export}`),
  startOwnExport: async (s) => {
    s.ids.ownExport = (await s.api.post('/users/me/exports')).id
    await exporterOf(s.w.chat).settled()
  },
  deleteOwnExport: ({ api, ids }) => api.delete(`/users/me/exports/${ids.ownExport}`),
  exportAudit: ({ api }) => api.get('/audit/export', { format: 'csv' }),
  createProfileField: async (s) => {
    s.ids.field = (await s.api.post('/realm/profile_fields', { name: 'Realm', hint: '', field_type: 1 })).id
  },
  updateProfileField: ({ api, ids }) => api.patch(`/realm/profile_fields/${ids.field}`, { name: 'House' }),
  reorderProfileFields: ({ api, ids }) => api.patch('/realm/profile_fields', { order: [ids.field] }),
  removeProfileField: ({ api, ids }) => api.delete(`/realm/profile_fields/${ids.field}`),
  createLinkifier: async (s) => {
    const linkifier = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' }
    s.ids.linkifier = (await s.api.post('/realm/filters', linkifier)).id
  },
  updateLinkifier: ({ api, ids }) =>
    api.patch(`/realm/filters/${ids.linkifier}`, { pattern: '!(?P<id>[0-9]+)', url_template: 'https://x.test/{id}' }),
  reorderLinkifiers: ({ api, ids }) => api.patch('/realm/linkifiers', { ordered_linkifier_ids: [ids.linkifier] }),
  removeLinkifier: ({ api, ids }) => api.delete(`/realm/filters/${ids.linkifier}`),
  createWebhookTemplate: async (s) => {
    const template = { name: 'foundry', event: '', topic: 'x', content: 'y' }
    s.ids.template = (await s.api.post('/realm/webhook_templates', template)).id
  },
  updateWebhookTemplate: ({ api, ids }) => api.patch(`/realm/webhook_templates/${ids.template}`, { content: 'z' }),
  removeWebhookTemplate: ({ api, ids }) => api.delete(`/realm/webhook_templates/${ids.template}`),
  createSignOnProvider: async (s) => {
    const provider = { issuer: 'https://id.example.com', client_id: 'chat' }
    s.ids.provider = (
      await s.api.post('/sign_on/providers', {
        name: 'company',
        provider,
        client_secret: 'a secret',
        password: PASSWORD,
      })
    ).id
  },
  updateSignOnProvider: ({ api, ids }) => {
    const provider = { issuer: 'https://id.example.com', client_id: 'other' }
    return api.patch(`/sign_on/providers/${ids.provider}`, { provider, password: PASSWORD })
  },
  removeSignOnProvider: ({ api, ids }) => api.delete(`/sign_on/providers/${ids.provider}`, { password: PASSWORD }),
  createPlayground: async (s) => {
    const playground = { name: 'Rust', pygments_language: 'Rust', url_template: 'https://play.example.com/{code}' }
    s.ids.playground = (await s.api.post('/realm/playgrounds', playground)).id
  },
  createContentFilter: async (s) => {
    const filter = { kind: 'word', pattern: 'denmark', action: 'flag' }
    s.ids.filter = (await s.api.post('/content_filters', filter)).id
  },
  removeContentFilter: ({ api, ids }) => api.delete(`/content_filters/${ids.filter}`),
  removePlayground: ({ api, ids }) => api.delete(`/realm/playgrounds/${ids.playground}`),

  fetchApiKey: (s) => {
    const { email: username, password } = hamletOf(s)
    return apiOf(s.w.chat).post('/fetch_api_key', { username, password })
  },
  devFetchApiKey: (s) => apiOf(s.w.chat).post('/dev_fetch_api_key', { username: hamletOf(s).email }),
  beginSession: (s) =>
    beginSession(contextOf(s.w.chat), { username: hamletOf(s).email, password: hamletOf(s).password }),
  endSession: async (s) => {
    const { email: username, password } = hamletOf(s)
    const { api_key } = await beginSession(contextOf(s.w.chat), { username, password })
    await endSession(await actAs(s.w.chat, { api_key: api_key! }))
  },
  createApiKey: (s) => {
    const { api, password } = hamletOf(s)
    return api.post('/users/me/api_keys', { name: 'Script', scopes: ['read'], password })
  },
  endApiKey: async (s) => {
    const { api_keys } = await hamletOf(s).api.get('/users/me/api_keys')
    await hamletOf(s).api.delete(`/users/me/api_keys/${api_keys.at(-1).id}`)
  },
  setPasswordByLink: async (s) => {
    const { link_url } = await s.api.post(`/users/${s.ids.yorick}/password_link`)
    await apiOf(s.w.chat).post('/password_link', { token: new URL(link_url).searchParams.get('token'), password })
  },
  confirmOwnTotp: async (s) => {
    const { api, password } = s.w.people.cordelia
    s.secret = (await api.post('/users/me/totp', { password })).secret
    s.recovery = (await api.post('/users/me/totp/confirm', { code: codeNow(s) })).recovery_codes
  },
  replaceRecoveryCodes: async (s) => {
    const { api, password } = s.w.people.cordelia
    s.recovery = (await api.post('/users/me/recovery_codes', { password, code: s.recovery![0] })).recovery_codes
  },
  completeSession: async (s) => {
    const { email: username, password } = s.w.people.cordelia
    const context = contextOf(s.w.chat)
    const refused = await beginSession(context, { username, password }).catch((error: ChatError) => error)
    await completeSession(context, { ticket: String((refused as ChatError).data.ticket), code: s.recovery![1]! })
  },
  removeOwnTotp: (s) => {
    const { api, password } = s.w.people.cordelia
    return api.delete('/users/me/totp', { password, code: s.recovery![2] })
  },
  resetSecondFactor: async (s) => {
    const { api, password, id } = s.w.people.cordelia
    s.secret = (await api.post('/users/me/totp', { password })).secret
    await api.post('/users/me/totp/confirm', { code: codeNow(s) })
    await s.api.delete(`/users/${id}/second_factor`)
  },
  addPasskey: async (s) => {
    const { api, password } = hamletOf(s)
    const { options } = await api.post('/users/me/passkeys/options', { password })
    s.passkey = authenticator('http://localhost:9991')
    const response = s.passkey.create(options)
    s.ids.passkey = (await api.post('/users/me/passkeys', { response, name: 'Laptop' })).id
  },
  beginPasskeySession: async (s) => {
    const visitor = contextOf(s.w.chat)
    const { options } = await getPasskeyOptions(visitor, {})
    await beginPasskeySession(visitor, { response: s.passkey!.get(options) })
  },
  removePasskey: (s) => {
    const { api, password } = hamletOf(s)
    return api.delete(`/users/me/passkeys/${s.ids.passkey}`, { password })
  },
  unlinkAccount: async (s) => {
    const { api, password, id } = hamletOf(s)
    const linked_account_id = await linkedTo(s, id)
    await api.delete(`/users/me/linked_accounts/${linked_account_id}`, { password })
  },
  unlinkAccountsOf: async (s) => {
    const { id } = s.w.people.polonius
    await linkedTo(s, id)
    await s.api.delete(`/users/${id}/linked_accounts`)
  },
  createImportJob: ({ api }) => api.post('/import_job', { filename: 'export.zip', size: 10 }),
  updateImportJob: async (s) => {
    const ready = { phase: 'ready', upload_id: null } as const
    await hamletOf(s).write(({ db }) => db.updateTable('import_job').set(ready).execute())
    return s.api.patch('/import_job', { topics: 'by-day' })
  },
  startImportJob: async ({ api, w }) => {
    await api.post('/import_job/start', { dry_run: true })
    await importerOf(w.chat).settled()
  },
  discardImportJob: ({ api }) => api.delete('/import_job'),
  inviteNewcomers: async ({ api, w, ids }) => {
    using archive = new ArchiveFolder({
      'a.jsonl': jsonLines({ type: 'user', id: 'u', name: 'Newcomer', email: 'newcomer@example.com' }),
    })
    ids.import = (await importInto(w.chat, archive, { into: true })).import_id!
    return await api.post(`/imports/${ids.import}/invite`)
  },
  undoImport: async ({ api, w, ids }) => {
    await api.post(`/imports/${ids.import}/undo`)
    await importerOf(w.chat).settled()
  },
  retryMail: async (s) => {
    const row = { kind: 'invitation', dedup_key: 'x', address: 'a@x', address_key: 'a@x', data: '{}', message_id: 'x' }
    const times = { next_at: 0, expires_at: 0, created_at: 0, attempts: 0, state: 'failed' } as const
    await hamletOf(s).write(async ({ db }) => {
      await db
        .insertInto('mail')
        .values({ ...row, ...times })
        .execute()
      const suppressed = { address: 'b@x', address_key: 'b@x', reason: 'gone', since: 0 }
      await db.insertInto('mail_suppressed').values(suppressed).execute()
    })
    const { mails } = await s.api.get('/mail')
    s.ids.mail = mails[0].id
    return s.api.post(`/mail/${s.ids.mail}/retry`)
  },
  dropMail: ({ api, ids }) => api.delete(`/mail/${ids.mail}`),
  setMailServer: ({ api }) => api.put('/mail/server', { ...mailServer, ...confirmed }),
  removeMailServer: ({ api }) => api.delete('/mail/server', confirmed),
  allowMailTo: ({ api }) => api.delete('/mail/suppressed', { address: 'b@x' }),
  signOutEverywhere: async (s) => {
    const { email: username, password } = s.w.people.cordelia
    await apiOf(s.w.chat).post('/fetch_api_key', { username, password })
    return s.w.people.cordelia.api.delete('/users/me/api_keys')
  },
  regenerateApiKey: (s) => s.w.people.cordelia.api.post('/users/me/api_key/regenerate'),
  deactivateOwnUser: (s) => hamletOf(s).api.delete('/users/me'),
  deactivateOrganization: ({ api }) => api.post('/realm/deactivate', {}),
}

/** Actions whose rows have another name, as several do the same. */
const namedOtherwise: Readonly<Record<string, string>> = {
  fetchApiKey: 'signIn',
  devFetchApiKey: 'signIn',
  beginSession: 'signIn',
  completeSession: 'signIn',
  beginPasskeySession: 'signIn',
}

const all: Map<string, AnyAction> = new Map()
const changing = new Set<string>()
for (const { routes } of [...sections, sessionSection, siteSection, compatibleSection, scimSection]) {
  for (const row of Object.values(routes)) {
    for (const [method, action] of Object.entries(row)) {
      all.set(action.name, action)
      if (!/^(GET|HEAD|OPTIONS)$/.test(method) || action.audit) changing.add(action.name)
    }
  }
}

test('every action that changes something for others writes to the audit log, or says why not', () => {
  const known = [...Object.keys(examples), ...Object.keys(unaudited)]
  assert.deepEqual(known.toSorted(), [...changing].toSorted())
  for (const name of Object.keys(unaudited)) assert.equal(all.get(name)!.audit, undefined, name)
})

test('each of these actions writes who did what, in the commit of the change', async () => {
  await using w = await world({ chat: { dev: true, publicUrl: 'http://localhost:9991' } })
  const s: Scene = { w, api: w.people.iago.api, ids: {} }
  const rows = async (after: number) =>
    storeOf(w.chat).db.selectFrom('audit').selectAll().where('id', '>', after).orderBy('id').execute()
  let last = 0
  for (const [name, act] of Object.entries(examples)) {
    await act(s)
    const written = await rows(last)
    last = written.at(-1)?.id ?? last
    const row = written.find(({ action }) => action === (namedOtherwise[name] ?? name))
    assert.ok(row, `${name} wrote ${written.map(({ action }) => action).join(', ') || 'nothing'}`)
    assert.equal(row.outcome, 'ok', name)
    assert.notEqual(row.actor_id, null, name)
    assert.ok(row.before !== null || row.after !== null, name)
    for (const json of [row.before, row.after]) {
      assert.doesNotMatch(
        json ?? '',
        /scrypt|password_hash":"(?!\(hidden)|digest":"(?!\(hidden)|nonce":"(?!\(hidden)/,
        name,
      )
    }
  }
})
