import assert from 'node:assert/strict'
import test from 'node:test'
import type { operations } from '../../src/client/operations.ts'
import { isChatError } from '../../src/core/kernel/errors.ts'
import { exporterOf } from '../../src/core/organization/exports/exporter.ts'
import type { AnyAction } from '../../src/http/route-types.ts'
import { routes } from '../../src/http/routes/api.ts'
import * as library from '../../src/index.ts'
import { type Caller, uploadFile } from '../../src/index.ts'
import { type Person, world } from '../../src/testing/index.ts'
import { onePixelPng } from '../fixtures/images.ts'

/** Actions that the typed client leaves out, because they don't answer with JSON. */
type OtherActions =
  | 'continueTusUpload'
  | 'createTusUpload'
  | 'describeTus'
  | 'endTusUpload'
  | 'exportAudit'
  | 'getTusOffset'
  | 'receiveSlack'
  | 'receiveSlackIncoming'
  | 'redirectToIcon'
  | 'redirectToLogo'
  | 'streamEvents'

type Scene = Awaited<ReturnType<typeof scene>>

/** Parameters with which an outsider asks for something that is hidden from them. */
interface Rejected {
  readonly rejects: (s: Scene) => object
  /** The outsider: cordelia, a member, unless the guest polonius is named. */
  readonly by?: 'polonius'
  /** Who may: hamlet, unless the owner iago is named. */
  readonly allows?: 'iago'
}
/** Checks what the outsider cordelia, or polonius, is shown. */
interface Hidden {
  readonly hides: (s: Scene) => Promise<void>
}

/**
 * What keeps others' data from the caller of each action:
 * - `public`: it needs no account, and shows only public data or needs a token.
 * - `own`: it reads and changes only the caller's own data.
 * - `shared`: every account may see everything that it shows.
 * - `role`: lower roles are rejected, whatever they ask for.
 */
type Access = 'public' | 'own' | 'shared' | 'role' | Rejected | Hidden

const rejects = (params: Rejected['rejects'], by?: 'polonius'): Rejected => ({ rejects: params, ...(by && { by }) })
const message = (more: object = {}) => rejects((s) => ({ message_id: s.message_id, ...more }))
const stream = (more: object = {}) => rejects((s) => ({ stream_id: s.stream_id, ...more }))
const bot = (more: object = {}) => rejects((s) => ({ bot_id: s.bot_id, ...more }))
const forOwner = (params: Rejected['rejects']): Rejected => ({ rejects: params, allows: 'iago' })
const group = (more: object = {}) => forOwner((s) => ({ user_group_id: s.user_group_id, ...more }))
const person = (more: object = {}) => rejects((s) => ({ user_id: s.hamlet.id, ...more }), 'polonius')
const window = { anchor: 'newest', num_before: 1, num_after: 0 }
const soon = (s: Scene) => Math.floor(s.now / 1000) + 3600
const notShown = (text: string, answer: object) => assert.ok(!JSON.stringify(answer).includes(text), text)

/** The table. An action that is missing here doesn't compile, and one without a proof fails the tests below. */
const access: Readonly<Record<keyof typeof operations | OtherActions, Access>> = {
  acceptInvitation: 'public',
  addAlertWords: 'own',
  allowMailTo: 'role',
  dropMail: 'role',
  listMail: 'role',
  retryMail: 'role',
  testMail: 'role',
  removeMailServer: 'role',
  setMailServer: 'role',
  addApnsToken: 'own',
  addDefaultStream: 'role',
  addDomain: 'role',
  addFcmToken: 'own',
  addNavigationView: 'own',
  addReaction: message({ emoji_name: 'smile' }),
  addSubmessage: message({ msg_type: 'widget', content: '{}' }),
  addWebPushSubscription: 'own',
  archiveStream: stream(),
  changeMembers: forOwner((s) => ({ user_group_id: s.user_group_id, add: [s.cordelia.id] })),
  changeStreamGroup: 'role',
  changeSubgroups: forOwner((s) => ({ user_group_id: s.user_group_id, add: [s.members_id] })),
  changeSubscriptions: rejects(() => ({ add: [{ name: 'undisclosed' }] })),
  checkWebhook: 'own',
  confirmEmailChange: 'public',
  continueTusUpload: rejects((s) => ({ token: s.token, tus_resumable: '1.0.0', upload_offset: 0, chunk: upload('x') })),
  createBigBlueButtonCall: 'own',
  createApiKey: 'own',
  addPasskey: 'own',
  beginConfirmation: 'own',
  confirmWithPasskey: 'own',
  beginPasskey: 'own',
  listPasskeys: 'own',
  listLinkedAccounts: 'own',
  unlinkAccount: 'own',
  removePasskey: 'own',
  renamePasskey: 'own',
  createBot: 'role',
  createChannel: 'role',
  createChannelFolder: 'role',
  createConstructorGroupsCall: 'own',
  createDrafts: rejects((s) => ({ drafts: [{ type: 'stream', to: [s.stream_id], topic: 't', content: 'x' }] })),
  createGroup: rejects(() => ({ name: 'x', description: '', members: [] }), 'polonius'),
  createInviteLink: forOwner(() => ({ stream_ids: [] })),
  createLinkifier: 'role',
  createNextcloudTalkCall: 'own',
  createPasswordLink: 'role',
  createContentFilter: 'role',
  listContentFilters: 'role',
  removeContentFilter: 'role',
  createPlayground: 'role',
  createProfileField: 'role',
  createReminder: rejects((s) => ({ message_id: s.message_id, scheduled_delivery_timestamp: soon(s) })),
  createSavedSnippet: 'own',
  createScheduledMessage: rejects((s) => ({
    ...{ type: 'stream', to: s.stream_id, topic: 't', content: 'x' },
    scheduled_delivery_timestamp: soon(s),
  })),
  createSignOnProvider: 'role',
  createStreamGroup: 'role',
  createTusUpload: 'own',
  createUser: 'role',
  createWebhookTemplate: 'role',
  createZoomCall: 'own',
  deactivateBot: bot(),
  getEmailChange: 'public',
  getEmailUndo: 'public',
  getSignUpChallenge: 'public',
  requestSignUp: 'public',
  requestPasswordReset: 'public',
  showBotKey: bot(),
  deactivateCustomEmoji: forOwner(() => ({ emoji_name: 'skull' })),
  deactivateGroup: group(),
  deactivateOrganization: 'role',
  deactivateOwnUser: 'own',
  deactivateUser: 'role',
  mergeUser: 'role',
  deleteAttachment: rejects((s) => ({ attachment_id: s.attachment_id })),
  deleteDraft: rejects((s) => ({ draft_id: s.draft_id })),
  createImportJob: 'role',
  discardImportJob: 'role',
  getImport: 'role',
  inviteNewcomers: 'role',
  listImportPeople: 'role',
  listImports: 'role',
  startImportJob: 'role',
  undoImport: 'role',
  updateImportJob: 'role',
  deleteExport: 'role',
  deleteOwnExport: rejects((s) => ({ export_id: s.export_id })),
  deleteMessage: message(),
  deleteQueue: rejects((s) => ({ queue_id: s.queue_id })),
  deleteReminder: rejects((s) => ({ reminder_id: s.reminder_id })),
  deleteSavedSnippet: rejects((s) => ({ saved_snippet_id: s.saved_snippet_id })),
  deleteScheduledMessage: rejects((s) => ({ scheduled_message_id: s.scheduled_message_id })),
  deleteTopic: stream({ topic_name: 'plot' }),
  describeTus: 'public',
  devFetchApiKey: 'public',
  devListUsers: 'public',
  beginTotp: 'own',
  confirmOwnTotp: 'own',
  getSecondFactor: 'own',
  removeOwnTotp: 'own',
  replaceRecoveryCodes: 'own',
  getModeration: 'role',
  listReports: 'role',
  decideHeldMessage: 'role',
  listHeldMessages: 'own',
  withdrawHeldMessage: rejects((s) => ({ held_message_id: s.held_message_id })),
  moderateUser: 'role',
  updateReport: 'role',
  resetSecondFactor: 'role',
  unlinkAccountsOf: 'role',
  endApiKey: rejects((s) => ({ key_id: s.key_id })),
  exportAudit: 'role',
  listAudit: 'role',
  endTusUpload: rejects((s) => ({ token: s.token, tus_resumable: '1.0.0' })),
  fetchApiKey: 'public',
  fetchApiKeyByToken: 'public',
  getAlertWords: 'own',
  getEvents: rejects((s) => ({ queue_id: s.queue_id, last_event_id: -1, dont_block: true })),
  getFileUrl: rejects((s) => ({ realm_id: '1', filename: s.filename })),
  getThumbnailStatus: rejects((s) => ({ realm_id: '1', filename: s.filename })),
  getHistory: message(),
  getInvitation: 'public',
  getMessage: message(),
  getMessages: rejects(() => ({ ...window, narrow: [['channel', 'undisclosed']] })),
  getOwnUser: 'own',
  getPasswordLink: 'public',
  getPresence: person(),
  getPresenceByEmail: rejects((s) => ({ email: s.hamlet.email }), 'polonius'),
  getReadReceipts: message(),
  getRealmPresence: { hides: async (s) => notShown('hamlet@', await library.getRealmPresence(s.polonius, {})) },
  getServerSettings: 'public',
  getStatus: person(),
  getStorage: 'own',
  getStream: stream(),
  getStreamEmail: stream(),
  getStreamId: rejects(() => ({ stream: 'undisclosed' })),
  getSubscribers: stream(),
  getSubscriptions: 'own',
  getTopics: stream(),
  getTusOffset: rejects((s) => ({ token: s.token, tus_resumable: '1.0.0' })),
  getUser: person(),
  getUserByEmail: rejects((s) => ({ email: s.hamlet.email }), 'polonius'),
  getUserChannels: person(),
  isMember: 'role',
  isSubscribed: stream({ user_id: 1 }),
  listApiKeys: 'own',
  signOutEverywhere: 'own',
  listAttachments: 'own',
  listBots: 'role',
  listChannelFolders: 'shared',
  listCustomEmoji: 'shared',
  listDeliveries: bot(),
  listDomains: 'shared',
  listDrafts: 'own',
  listExportConsents: 'role',
  listExports: 'role',
  listOwnExports: 'own',
  listFailures: bot(),
  listGroups: 'role',
  listInvites: 'role',
  listLinkifiers: 'shared',
  listMembers: 'role',
  listNavigationViews: 'own',
  listPinnedMessages: stream(),
  listProfileFields: 'shared',
  listReminders: 'own',
  listSavedSnippets: 'own',
  listScheduledMessages: 'own',
  listSignOnProviders: 'role',
  listStreams: { hides: async (s) => notShown('undisclosed', await library.listStreams(s.cordelia, {})) },
  listSubgroups: 'role',
  listUsers: { hides: async (s) => notShown('"hamlet"', await library.listUsers(s.polonius, {})) },
  listWebPushSubscriptions: 'own',
  addFeed: bot({ url: 'https://example.com/x', stream: 'general', topic: 'x' }),
  listFeeds: bot(),
  removeFeed: bot({ feed_id: 1 }),
  listBotCommands: 'own',
  registerBotCommand: bot({ name: 'deploy', description: 'Deploys.' }),
  removeBotCommand: rejects((s) => ({ command_id: s.command_id })),
  listWebhookTemplates: 'role',
  markAllAsRead: 'own',
  markOnboardingStep: 'own',
  markStreamAsRead: stream(),
  markTopicAsRead: stream({ topic_name: 'plot' }),
  matchesNarrow: {
    hides: async (s) => {
      const { messages } = await library.matchesNarrow(s.cordelia, { msg_ids: [s.message_id], narrow: [] })
      assert.deepEqual(messages, {})
    },
  },
  muteTopic: rejects((s) => ({ stream_id: s.stream_id, topic: 'plot', op: 'add' })),
  muteUser: 'own',
  receiveSlack: rejects(() => ({ stream: 'undisclosed', channel_name: 'x', user_name: 'x', text: 'x' })),
  receiveSlackIncoming: rejects(() => ({ stream: 'undisclosed', payload: { text: 'x' } })),
  receiveWebhook: rejects(() => ({ integration: 'json', stream: 'undisclosed', topic: 't', payload: '{"a":1}' })),
  redirectToIcon: 'shared',
  redirectToLogo: 'shared',
  regenerateApiKey: 'own',
  regenerateBotKey: bot(),
  register: { hides: async (s) => notShown('undisclosed', await library.register(s.cordelia, {})) },
  registerDevice: 'own',
  reactivateUser: 'role',
  registerPush: 'own',
  removeAlertWords: 'own',
  removeApnsToken: rejects(() => ({ token: APPLE })),
  removeAvatar: 'own',
  removeDefaultStream: 'role',
  removeDevice: 'own',
  removeDomain: 'role',
  removeFcmToken: rejects(() => ({ token: GOOGLE })),
  removeIcon: 'role',
  removeLinkifier: 'role',
  removeLogo: 'role',
  removeNavigationView: rejects(() => ({ fragment: 'narrow/is/starred' })),
  removePlayground: 'role',
  removeProfileData: 'own',
  removeProfileField: 'role',
  removeReaction: message({ emoji_name: 'smile' }),
  removeSignOnProvider: 'role',
  removeStorage: 'own',
  removeStreamGroup: 'role',
  removeWebPushSubscription: 'own',
  removeWebhookTemplate: 'role',
  renderMessage: {
    hides: async (s) =>
      notShown('narrow/channel', await library.renderMessage(s.cordelia, { content: '#**undisclosed** x' })),
  },
  reorderChannelFolders: 'role',
  reorderLinkifiers: 'role',
  reorderProfileFields: 'role',
  pinMessage: message(),
  reportMessage: message({ report_type: 'spam' }),
  resendInvite: forOwner((s) => ({ invite_id: s.invite_id })),
  revokeStreamEmail: stream(),
  revokeInvite: forOwner((s) => ({ invite_id: s.invite_id })),
  revokeInviteLink: forOwner((s) => ({ invite_id: s.link_id })),
  runCommand: 'own',
  sendInvites: rejects((s) => ({ invitee_emails: 'x@example.com', stream_ids: [s.stream_id] })),
  sendMessage: rejects((s) => ({ type: 'stream', to: s.stream_id, topic: 't', content: 'x' })),
  setPasswordByLink: 'public',
  setTyping: rejects((s) => ({ op: 'start', type: 'stream', stream_id: s.stream_id, topic: 't' })),
  setTypingForEdit: message({ op: 'start' }),
  startExport: 'role',
  startOwnExport: 'own',
  streamEvents: rejects((s) => ({ queue_id: s.queue_id, last_event_id: -1 })),
  subscribe: rejects(() => ({ subscriptions: [{ name: 'undisclosed' }] })),
  summarizeMessages: 'own',
  testEncryptedNotification: 'own',
  testNotification: rejects(() => ({ token: APPLE })),
  testSignOnProvider: 'role',
  testWebhookTemplate: 'role',
  testWelcomeText: 'role',
  undoEmailChange: 'public',
  unmuteUser: 'own',
  unpinMessage: message(),
  unsubscribe: rejects((s) => ({ subscriptions: ['general'], principals: [s.hamlet.id] })),
  updateBot: bot({ full_name: 'Laertes' }),
  updateChannelFolder: 'role',
  updateDomain: 'role',
  updateDraft: rejects((s) => ({
    draft_id: s.draft_id,
    draft: { type: 'stream', to: [s.general_id], topic: 't', content: 'x' },
  })),
  updateFlags: rejects((s) => ({ messages: [s.message_id], op: 'add', flag: 'starred' })),
  updateFlagsForNarrow: rejects(() => ({
    ...window,
    narrow: [['channel', 'undisclosed']],
    op: 'add',
    flag: 'starred',
  })),
  updateGroup: group({ description: 'x' }),
  updateLinkifier: 'role',
  updateMessage: message({ content: 'x' }),
  updateNavigationView: rejects(() => ({ fragment: 'narrow/is/starred', is_pinned: false })),
  updateOrganization: 'role',
  updatePresence: {
    hides: async (s) => notShown('hamlet@', await library.updatePresence(s.polonius, { status: 'active' })),
  },
  updateProfileData: 'own',
  updateProfileField: 'role',
  updateProperties: rejects((s) => ({
    subscription_data: [{ stream_id: s.stream_id, property: 'pin_to_top', value: true }],
  })),
  updateProperty: stream({ property: 'pin_to_top', value: true }),
  updateSavedSnippet: rejects((s) => ({ saved_snippet_id: s.saved_snippet_id, title: 'x' })),
  updateScheduledMessage: rejects((s) => ({ scheduled_message_id: s.scheduled_message_id, content: 'x' })),
  updateSettings: 'own',
  updateSettingsDefaults: 'role',
  updateSignOnProvider: 'role',
  updateStatus: 'own',
  updateStatusOf: forOwner((s) => ({ user_id: s.hamlet.id, status_text: 'x' })),
  updateStorage: 'own',
  updateStream: stream({ description: 'x' }),
  updateStreamGroup: 'role',
  updateUser: 'role',
  updateUserByEmail: 'role',
  updateUserTopic: stream({ topic: 'plot', visibility_policy: 3 }),
  updateWebhookTemplate: 'role',
  uploadAvatar: 'own',
  uploadCustomEmoji: rejects(
    () => ({ emoji_name: 'x', filename: { name: 'x.png', content_type: '', bytes: new Uint8Array() } }),
    'polonius',
  ),
  uploadFile: 'own',
  uploadIcon: 'role',
  uploadLogo: 'role',
}

const APPLE = 'a'.repeat(64)
const GOOGLE = 'google'
const upload = (text: string) => ({
  name: 'x',
  content_type: 'text/plain',
  chunks: (async function* () {
    yield Buffer.from(text)
  })(),
})

/** hamlet has something of everything, in a private stream if possible. cordelia and polonius have nothing. */
async function scene() {
  const w = await world({
    streams: { undisclosed: { private: true, members: ['hamlet'], topics: { plot: ['To be'] } } },
    groups: { players: ['hamlet'] },
  })
  const { hamlet, cordelia, polonius, iago } = w.people
  const stream_id = await w.streamId('undisclosed')
  const general_id = await w.streamId('general')
  const groups = (await hamlet.api.get('/user_groups')).user_groups as { id: number; name: string }[]
  const idOf = (name: string) => groups.find((one) => one.name === name)!.id
  const { messages } = await hamlet.api.get('/messages', { ...window, narrow: [['channel', 'undisclosed']] })
  const message_id = messages.at(-1).id as number
  const to = { type: 'stream', to: stream_id, topic: 'plot', content: 'x' }
  const now = w.clock.now()
  const scheduled_delivery_timestamp = Math.floor(now / 1000) + 3600
  /** The members of a response. Throws if it is an error. */
  const make = async ({ api }: Person, path: string, params: object) => {
    const answer = await api.post(path, { ...params })
    assert.equal(answer.result, 'success', `${path}: ${answer.msg}`)
    return answer
  }
  await iago.api.patch('/realm', { can_access_all_users_group: { new: idOf('role:members') } })
  await iago.api.upload('/realm/emoji/skull', onePixelPng())
  await make(iago, '/invites/multiuse', { stream_ids: [] })
  await make(iago, '/invites', { invitee_emails: 'yorick@example.com', stream_ids: [general_id] })
  const { invites } = await iago.api.get('/invites')
  const inviteOf = (isLink: boolean) => invites.find((one: { is_multiuse: boolean }) => one.is_multiuse === isLink).id
  await make(hamlet, '/users/me/apns_device_token', { token: APPLE, appid: 'x' })
  await make(hamlet, '/users/me/android_gcm_reg_id', { token: GOOGLE })
  await make(hamlet, '/navigation_views', { fragment: 'narrow/is/starred', is_pinned: true })
  const { url } = await uploadFile(hamlet, { filename: upload('x') })
  const bot_id = (await make(hamlet, '/bots', { full_name: 'Bot', short_name: 'b' })).user_id as number
  const { headers } = await library.createTusUpload(hamlet, {
    ...{ tus_resumable: '1.0.0', upload_length: 5, upload_metadata: 'filename eA==' },
  })
  const export_id = (await make(hamlet, '/users/me/exports', {})).id as number
  await exporterOf(w.chat).settled()
  return {
    ...{ w, iago, hamlet, cordelia, polonius, now, stream_id, general_id, message_id, export_id },
    user_group_id: idOf('players'),
    members_id: idOf('role:members'),
    bot_id,
    command_id: (await make(hamlet, '/bot_commands', { bot_id, name: 'x', description: 'x' })).id as number,
    draft_id: (await make(hamlet, '/drafts', { drafts: [{ ...to, to: [stream_id] }] })).ids[0] as number,
    reminder_id: (await make(hamlet, '/reminders', { message_id, scheduled_delivery_timestamp })).reminder_id as number,
    saved_snippet_id: (await make(hamlet, '/saved_snippets', { title: 'x', content: 'x' })).saved_snippet_id as number,
    scheduled_message_id: (await make(hamlet, '/scheduled_messages', { ...to, scheduled_delivery_timestamp }))
      .scheduled_message_id as number,
    held_message_id: await heldMessageOf(iago, hamlet),
    queue_id: (await make(hamlet, '/register', {})).queue_id as string,
    attachment_id: (await hamlet.api.get('/attachments')).attachments[0].id as number,
    filename: url.replace('/user_uploads/1/', ''),
    token: headers.location!.split('/').at(-1)!,
    key_id: (await hamlet.api.get('/users/me/api_keys')).api_keys[0].id as number,
    invite_id: inviteOf(false) as number,
    link_id: inviteOf(true) as number,
  }
}

/** Has a message wait for a moderator, and returns its ID. */
async function heldMessageOf(owner: Person, author: Person): Promise<number> {
  await owner.api.patch('/realm', { hold_first_messages: 50 })
  const message = { type: 'stream', to: 'general', topic: 'x', content: 'waiting' }
  const { held_message_id } = await author.api.post('/messages', message)
  await owner.api.patch('/realm', { hold_first_messages: 0 })
  return held_message_id
}

type Call = ((caller: Caller, params: object) => Promise<unknown>) & Pick<AnyAction, 'role'>
const actions = library as unknown as Readonly<Record<string, Call>>

/** The error of a call; undefined if it succeeds. Anything but a rejection fails the test. */
async function errorOf(name: string, caller: Caller, params: object): Promise<string | undefined> {
  try {
    await actions[name]!(caller, params)
    return undefined
  } catch (error) {
    assert.ok(isChatError(error), `${name}: ${error}`)
    return error.message
  }
}

test('every action of the API has an access proof', () => {
  const names = new Set(Object.values(routes).flatMap((row) => Object.values(row).map(({ name }) => name)))
  assert.deepEqual(Object.keys(access).sort(), [...names].sort())
})

test('actions that need no account or a role say so', () => {
  const roles = { public: ['visitor'], role: ['member', 'moderator', 'administrator', 'owner'] }
  for (const [name, proof] of Object.entries(access)) {
    const { role = 'anyone' } = actions[name]!
    const allowed = typeof proof === 'string' && proof in roles ? roles[proof as keyof typeof roles] : ['anyone']
    assert.ok(allowed.includes(role), `${name} is for ${role}, and its proof is ${JSON.stringify(proof)}`)
  }
})

test("rejects what outsiders ask for and shows them nothing of others'", async () => {
  const s = await scene()
  await using _ = s.w.chat
  const start = await s.w.snapshot()
  for (const [name, proof] of Object.entries(access)) {
    if (typeof proof === 'string') continue
    await s.w.restore(start)
    if ('hides' in proof) {
      await proof.hides(s)
      continue
    }
    const outsider = await errorOf(name, s[proof.by ?? 'cordelia'], proof.rejects(s))
    assert.ok(outsider, `${name} accepts an outsider`)
    // Otherwise the parameters are wrong, and the rejection proves nothing.
    assert.notEqual(
      await errorOf(name, s[proof.allows ?? 'hamlet'], proof.rejects(s)),
      outsider,
      `${name} rejects everyone`,
    )
  }
})
