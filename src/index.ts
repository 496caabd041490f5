/** The chat as a library: open one, act as its users. The HTTP server is './http', test worlds are './testing'. */
export { actAs, type Identity } from './core/accounts/act-as.ts'
export { removeAvatar, uploadAvatar } from './core/accounts/avatar.ts'
export { confirmEmailChange, getEmailChange, getEmailUndo, undoEmailChange } from './core/accounts/change-email.ts'
export { beginConfirmation, confirmWithPasskey } from './core/accounts/confirm-with-passkey.ts'
export { createUser } from './core/accounts/create.ts'
export { createApiKey } from './core/accounts/create-api-key.ts'
export {
  type CreateOptions,
  createOrganization,
  hasOrganization,
  type NewOrganization,
  systemCaller,
} from './core/accounts/create-organization.ts'
export { deactivateOwnUser, deactivateUser, reactivateUser } from './core/accounts/deactivate.ts'
export { devFetchApiKey, devListUsers } from './core/accounts/dev/dev-keys.ts'
export { registerDevice, removeDevice } from './core/accounts/devices.ts'
export { fetchApiKey } from './core/accounts/fetch-api-key.ts'
export { acceptInvitation, getInvitation } from './core/accounts/invitations/join.ts'
export { createInviteLink } from './core/accounts/invitations/links.ts'
export { listInvites } from './core/accounts/invitations/list.ts'
export { resendInvite, revokeInvite, revokeInviteLink } from './core/accounts/invitations/revoke.ts'
export { sendInvites } from './core/accounts/invitations/send.ts'
export { authenticate, endKeys, issueKey, type SignedIn, setPassword, type WhichKeys } from './core/accounts/keys.ts'
export { mergeUser } from './core/accounts/merging/merge-user.ts'
export { markOnboardingStep } from './core/accounts/onboarding.ts'
export {
  endApiKey,
  type KeyView,
  keysOf,
  listApiKeys,
  regenerateApiKey,
  signOutEverywhere,
} from './core/accounts/own-keys.ts'
export { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from './core/accounts/own-passkeys.ts'
export {
  beginTotp,
  confirmOwnTotp,
  getSecondFactor,
  removeOwnTotp,
  replaceRecoveryCodes,
} from './core/accounts/own-second-factor.ts'
export {
  createPasswordLink,
  getPasswordLink,
  issuePasswordLink,
  type PasswordLink,
  setPasswordByLink,
} from './core/accounts/password-links.ts'
export { requestPasswordReset } from './core/accounts/password-reset.ts'
export { resetSecondFactor } from './core/accounts/reset-second-factor.ts'
export { fetchApiKeyByToken } from './core/accounts/sign-on/fetch-api-key-by-token.ts'
export { listLinkedAccounts, unlinkAccount, unlinkAccountsOf } from './core/accounts/sign-on/linked-accounts.ts'
export {
  createSignOnProvider,
  listSignOnProviders,
  removeSignOnProvider,
  updateSignOnProvider,
} from './core/accounts/sign-on/page-providers.ts'
export { testSignOnProvider } from './core/accounts/sign-on/test-provider.ts'
export { getSignUpChallenge, requestSignUp } from './core/accounts/sign-up/request.ts'
export { updateSettings } from './core/accounts/update-settings.ts'
export { updateUser, updateUserByEmail } from './core/accounts/update-user.ts'
export { testWelcomeText } from './core/accounts/welcome.ts'
export { runCommand } from './core/accounts/zcommand.ts'
export { listBotCommands, registerBotCommand, removeBotCommand } from './core/bots/commands.ts'
export { createBot } from './core/bots/create.ts'
export { deactivateBot } from './core/bots/deactivate.ts'
export { addFeed, listFeeds, removeFeed } from './core/bots/feeds/feeds.ts'
export { listDeliveries } from './core/bots/incoming/deliveries.ts'
export {
  createWebhookTemplate,
  listWebhookTemplates,
  removeWebhookTemplate,
  updateWebhookTemplate,
} from './core/bots/incoming/edit-templates.ts'
export { checkWebhook, receiveWebhook } from './core/bots/incoming/receive.ts'
export { receiveSlackIncoming } from './core/bots/incoming/slack/incoming.ts'
export { receiveSlack } from './core/bots/incoming/slack/outgoing.ts'
export { testWebhookTemplate } from './core/bots/incoming/try-template.ts'
export { listBots } from './core/bots/list.ts'
export { listFailures } from './core/bots/outgoing/failures.ts'
export { regenerateBotKey } from './core/bots/regenerate-key.ts'
export { showBotKey } from './core/bots/show-key.ts'
export { getStorage, removeStorage, updateStorage } from './core/bots/storage.ts'
export { updateBot } from './core/bots/update.ts'
export type { RegisterState } from './core/events/queues/initial-state.ts'
export { deleteQueue, getEvents } from './core/events/queues/poll.ts'
export { register } from './core/events/queues/register.ts'
export { streamEvents } from './core/events/queues/stream-events.ts'
export { type SubscribeOptions, subscribeToEvents } from './core/events/queues/subscribe.ts'
export type { ChatEvent, EventType } from './core/events/types/table.ts'
export { deleteAttachment, listAttachments } from './core/files/attachments.ts'
export { getFileUrl, getThumbnailStatus } from './core/files/served.ts'
export {
  continueTusUpload,
  createTusUpload,
  describeTus,
  endTusUpload,
  getTusOffset,
} from './core/files/tus/uploads.ts'
export { uploadFile } from './core/files/upload.ts'
export { createGroup } from './core/groups/create.ts'
export { deactivateGroup } from './core/groups/deactivate.ts'
export { listGroups } from './core/groups/list.ts'
export { isMember, listMembers } from './core/groups/members.ts'
export { changeMembers } from './core/groups/membership/change-members.ts'
export { changeSubgroups, listSubgroups } from './core/groups/subgroups.ts'
export { updateGroup } from './core/groups/update.ts'
export type { Action, ActionSpec, ParamsSchema, PublicAction, ResultSchema, Role } from './core/kernel/action.ts'
export type { EventFeed, FeedEvent } from './core/kernel/answers.ts'
export { type Clock, type ManualClock, manualClock, systemClock } from './core/kernel/base/clock.ts'
export type { Logger } from './core/kernel/base/logger.ts'
export type { Random } from './core/kernel/base/random.ts'
export type {
  CallServers,
  Chat,
  ChatOptions,
  GifApiKeys,
  MailInOptions,
  MailOptions,
  OutgoingOptions,
  SignOnOptions,
} from './core/kernel/chat.ts'
export {
  type Caller,
  type CallerOptions,
  type Context,
  contextOf,
  type PasswordGuard,
  type PasswordVerdict,
  type SystemTx,
  type Tx,
} from './core/kernel/context.ts'
export { ChatError, type ErrorCode, type ErrorKind, errorCodes, isChatError } from './core/kernel/errors.ts'
export type { FileStream, UploadedFile } from './core/kernel/fields.ts'
export type { KeyRule } from './core/kernel/idempotency.ts'
export { type RoleName, roles } from './core/kernel/roles.ts'
export { type Grant, type KeyScope, keyScopes } from './core/kernel/scopes.ts'
export type { AnswerKind, FileRule, Transport, WholeBody } from './core/kernel/transport.ts'
export type { User } from './core/kernel/user.ts'
export { getStreamEmail, revokeStreamEmail } from './core/mail/receiving/channel-address.ts'
export { createDrafts, deleteDraft, listDrafts, updateDraft } from './core/messages/drafts.ts'
export { deleteMessage } from './core/messages/edit/delete.ts'
export { deleteTopic } from './core/messages/edit/delete-topic.ts'
export { updateMessage } from './core/messages/edit/edit.ts'
export { updateFlags } from './core/messages/flags.ts'
export { withdrawHeldMessage } from './core/messages/held-messages.ts'
export { getHistory } from './core/messages/history.ts'
export { markAllAsRead, markStreamAsRead, markTopicAsRead } from './core/messages/mark-as-read.ts'
export { muteUser, unmuteUser } from './core/messages/mute-user.ts'
export { listPinnedMessages, pinMessage, unpinMessage } from './core/messages/pins.ts'
export { addReaction, removeReaction } from './core/messages/reactions.ts'
export { getReadReceipts } from './core/messages/receipts.ts'
export { reportMessage } from './core/messages/report.ts'
export {
  createSavedSnippet,
  deleteSavedSnippet,
  listSavedSnippets,
  updateSavedSnippet,
} from './core/messages/saved-snippets.ts'
export { createReminder, deleteReminder, listReminders } from './core/messages/scheduled/reminders.ts'
export {
  createScheduledMessage,
  deleteScheduledMessage,
  listScheduledMessages,
  updateScheduledMessage,
} from './core/messages/scheduled/scheduled-messages.ts'
export { renderMessage } from './core/messages/send/preview.ts'
export { sendMessage } from './core/messages/send/send.ts'
export { setTyping, setTypingForEdit } from './core/messages/typing.ts'
export { addSubmessage } from './core/messages/widgets/submessages.ts'
export { decideHeldMessage, listHeldMessages } from './core/moderation/held-messages.ts'
export { getModeration, moderateUser } from './core/moderation/moderate.ts'
export { listReports, updateReport } from './core/moderation/reports.ts'
export { getMessages } from './core/narrow/fetch.ts'
export { updateFlagsForNarrow } from './core/narrow/flags-for-narrow.ts'
export { getMessage } from './core/narrow/get-message.ts'
export { matchesNarrow } from './core/narrow/match-messages.ts'
export { openChat } from './core/open-chat.ts'
export { exportAudit, listAudit } from './core/organization/audit/list.ts'
export { createBigBlueButtonCall } from './core/organization/calls/bigbluebutton.ts'
export { createConstructorGroupsCall } from './core/organization/calls/constructor-groups.ts'
export { createNextcloudTalkCall } from './core/organization/calls/nextcloud-talk.ts'
export { deactivateOrganization, reactivateOrganization } from './core/organization/deactivate.ts'
export { addDomain, listDomains, removeDomain, updateDomain } from './core/organization/domains.ts'
export { removeIcon, removeLogo, uploadIcon, uploadLogo } from './core/organization/edit-pictures.ts'
export { deactivateCustomEmoji } from './core/organization/emoji/deactivate.ts'
export { listCustomEmoji } from './core/organization/emoji/list.ts'
export { uploadCustomEmoji } from './core/organization/emoji/upload.ts'
export { deleteExport, listExportConsents, listExports, startExport } from './core/organization/exports/exports.ts'
export { deleteOwnExport, listOwnExports, startOwnExport } from './core/organization/exports/own-exports.ts'
export { getImport, inviteNewcomers, listImports, undoImport } from './core/organization/imports/actions.ts'
export {
  createImportJob,
  discardImportJob,
  listImportPeople,
  startImportJob,
  updateImportJob,
} from './core/organization/imports/job-actions.ts'
export {
  createLinkifier,
  listLinkifiers,
  removeLinkifier,
  updateLinkifier,
} from './core/organization/linkifiers/edit.ts'
export { reorderLinkifiers } from './core/organization/linkifiers/reorder.ts'
export { removeMailServer, setMailServer } from './core/organization/mail-server.ts'
export {
  createZoomCall,
  summarizeMessages,
} from './core/organization/not-offered.ts'
export { allowMailTo, dropMail, listMail, retryMail, testMail } from './core/organization/outbox.ts'
export { createPlayground, removePlayground } from './core/organization/playgrounds.ts'
export { redirectToIcon, redirectToLogo } from './core/organization/served-pictures.ts'
export { getServerSettings } from './core/organization/server-settings.ts'
export { updateOrganization } from './core/organization/update.ts'
export { updateSettingsDefaults } from './core/organization/user-settings-defaults.ts'
export {
  addApnsToken,
  addFcmToken,
  removeApnsToken,
  removeFcmToken,
  testNotification,
} from './core/push/push-tokens.ts'
export { registerPush } from './core/push/register-push.ts'
export {
  addWebPushSubscription,
  listWebPushSubscriptions,
  removeWebPushSubscription,
} from './core/push/subscriptions.ts'
export { testEncryptedNotification } from './core/push/test-push.ts'
export {
  createContentFilter,
  listContentFilters,
  removeContentFilter,
} from './core/review/filters/edit.ts'
export type { GroupSettingChange } from './core/settings/group-setting-value.ts'
export type { CustomEmojiView } from './core/shapes/emoji.ts'
export type { GroupSettingValue, GroupView } from './core/shapes/group.ts'
export type {
  DirectMessage,
  MessageFlag,
  MessageSnapshot,
  MessageView as Message,
  ReactionView,
  ScheduledMessageView,
  StreamMessage,
} from './core/shapes/message.ts'
export type { ServerSettings } from './core/shapes/server-settings.ts'
export type { StreamView, SubscriptionView, TopicView, UserTopicView } from './core/shapes/stream.ts'
export type { UnreadMessages } from './core/shapes/unread.ts'
export type { BotView, ProfileFieldView, StatusView, UserView } from './core/shapes/user.ts'
export { addDefaultStream, removeDefaultStream } from './core/streams/default-streams.ts'
export {
  changeStreamGroup,
  createStreamGroup,
  removeStreamGroup,
  updateStreamGroup,
} from './core/streams/edit-default-stream-groups.ts'
export {
  createChannelFolder,
  listChannelFolders,
  reorderChannelFolders,
  updateChannelFolder,
} from './core/streams/edit-folders.ts'
export { getStream, getStreamId, listStreams } from './core/streams/list.ts'
export { archiveStream } from './core/streams/management/archive-stream.ts'
export { updateStream } from './core/streams/management/update-stream.ts'
export { changeSubscriptions } from './core/streams/subscriptions/change-subscriptions.ts'
export { createChannel } from './core/streams/subscriptions/create-channel.ts'
export { getSubscribers, getSubscriptions, isSubscribed } from './core/streams/subscriptions/list.ts'
export { updateProperties, updateProperty } from './core/streams/subscriptions/properties.ts'
export { subscribe } from './core/streams/subscriptions/subscribe.ts'
export { unsubscribe } from './core/streams/subscriptions/unsubscribe.ts'
export { getTopics } from './core/streams/topics.ts'
export { getUserChannels } from './core/streams/user-channels.ts'
export { muteTopic, updateUserTopic } from './core/streams/user-topics.ts'
export { addAlertWords, getAlertWords, removeAlertWords } from './core/users/alert-words.ts'
export { getOwnUser, getUser, getUserByEmail, listUsers } from './core/users/list.ts'
export {
  addNavigationView,
  listNavigationViews,
  removeNavigationView,
  updateNavigationView,
} from './core/users/navigation-views.ts'
export { getPresence, getPresenceByEmail, getRealmPresence, updatePresence } from './core/users/presence.ts'
export { removeProfileData, updateProfileData } from './core/users/profile-data.ts'
export {
  createProfileField,
  listProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from './core/users/profile-fields.ts'
export { getStatus, updateStatus, updateStatusOf } from './core/users/status.ts'
export type { Mail, Mailbox, SendMail } from './network/mail/mail.ts'
export type {
  Download,
  DownloadAnswer,
  Fetch,
  FetchAnswer,
  FetchRequest,
  Post,
  PostAnswer,
  PostRequest,
} from './network/post.ts'
export type { AskNamedServer, NamedServerRequest } from './network/provider.ts'
export { type Db, type Soon, StorageError, type TxDb, type WriteOptions } from './storage/index.ts'
