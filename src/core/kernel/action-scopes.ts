/** What a key can be limited to, in the order in which people are shown them. */
export const keyScopes = ['read', 'send', 'webhook', 'write', 'manage', 'provision', 'provision_groups'] as const
export type KeyScope = (typeof keyScopes)[number]
/** What an action needs. No limited key has `account`: it could make itself a key without limits. */
export type ActionScope = KeyScope | 'account'

const names = (text: string): string[] => text.trim().split(/\s+/)

/**
 * The actions by the scope that a limited key needs for them. Actions without an account need none and are missing.
 *
 * - `read`: shows what the account may see, and changes nothing that lasts.
 * - `send`: sends messages, with their files and reactions.
 * - `webhook`: receives the events of another service.
 * - `write`: changes messages, and what is the account's own.
 * - `manage`: changes channels, groups, bots, other people and the organization.
 * - `provision`: creates and changes accounts for an identity provider.
 * - `provision_groups`: creates and changes groups for an identity provider.
 * - `account`: keys, factors, addresses, passwords, links that admit people, and everything that shows or makes one.
 */
const byScope: Readonly<Record<ActionScope, readonly string[]>> = {
  read: names(`
    deleteQueue downloadFile exportAudit getAlertWords getAvatar getEvents getFile getFileUrl getHistory
    getMediumAvatar getMessage getMessages getModeration getOwnUser getPresence getPresenceByEmail getReadReceipts
    getRealmPresence getSession getStatus getStorage getStream getStreamId getSubscribers getSubscriptions
    getThumbnail getThumbnailStatus getTopics getUser getUserByEmail getUserChannels isMember isSubscribed
    listAttachments listAudit listBotCommands listBots listChannelFolders listCustomEmoji listDeliveries
    listContentFilters listDomains listDrafts listExportConsents listFailures listGroups listHeldMessages listLinkifiers listMail listMembers
    listNavigationViews listPinnedMessages listProfileFields listReminders listReports listSavedSnippets listScheduledMessages
    listStreams listSubgroups listUsers listWebhookTemplates matchesNarrow redirectToIcon redirectToImage
    redirectToLogo register renderMessage streamEvents summarizeMessages`),
  send: names(`
    addReaction continueTusUpload createTusUpload endTusUpload getTusOffset removeReaction sendMessage setTyping
    setTypingForEdit uploadFile`),
  webhook: names(`
    checkWebhook deleteWebhookMessage editWebhookMessage executeGithubWebhook executeSlackWebhook executeWebhook
    getWebhook getWebhookMessage postSlackMessage receiveSlack receiveSlackIncoming receiveWebhook testSlackToken`),
  write: names(`
    addAlertWords addNavigationView addSubmessage changeSubscriptions createBigBlueButtonCall
    createConstructorGroupsCall createDrafts createNextcloudTalkCall createReminder createSavedSnippet
    createScheduledMessage createZoomCall deleteAttachment deleteDraft deleteMessage deleteReminder
    deleteSavedSnippet deleteScheduledMessage joinBigBlueButtonCall markAllAsRead markOnboardingStep
    markStreamAsRead markTopicAsRead muteTopic muteUser pinMessage removeAlertWords removeAvatar removeNavigationView
    removeProfileData removeStorage reportMessage runCommand subscribe unmuteUser unpinMessage unsubscribe updateDraft
    updateFlags updateFlagsForNarrow updateMessage updateNavigationView updatePresence updateProfileData
    updateProperties updateProperty updateSavedSnippet updateScheduledMessage updateStatus updateStorage
    updateUserTopic uploadAvatar withdrawHeldMessage`),
  manage: names(`
    addDefaultStream allowMailTo archiveStream changeMembers changeStreamGroup changeSubgroups createChannel
    createChannelFolder createContentFilter createGroup createLinkifier createPlayground createProfileField createStreamGroup
    createWebhookTemplate deactivateBot deactivateCustomEmoji deactivateGroup deactivateUser decideHeldMessage deleteTopic dropMail
    moderateUser reactivateUser registerBotCommand removeBotCommand removeContentFilter removeDefaultStream removeFeed removeIcon
    removeLinkifier removeLogo removePlayground removeProfileField removeStreamGroup removeWebhookTemplate
    reorderChannelFolders reorderLinkifiers reorderProfileFields retryMail revokeInvite revokeInviteLink testMail
    testWebhookTemplate testWelcomeText updateChannelFolder updateGroup updateLinkifier updateProfileField
    updateReport updateSettingsDefaults updateStatusOf updateStream updateStreamGroup updateWebhookTemplate
    uploadCustomEmoji uploadIcon uploadLogo`),
  provision: names(`
    createScimUser deactivateScimUser describeScim getScimUser listScimUsers patchScimUser replaceScimUser searchScimUsers`),
  provision_groups: names(`
    createScimGroup deactivateScimGroup getScimGroup listScimGroups patchScimGroup replaceScimGroup searchScim searchScimGroups`),
  account: names(`
    addApnsToken addDomain addFcmToken addFeed addPasskey addWebPushSubscription beginConfirmation beginPasskey
    beginTotp confirmOwnTotp confirmWithPasskey createApiKey createBot createImportJob createInviteLink
    createPasswordLink createSignOnProvider createUser deactivateOrganization deactivateOwnUser deleteExport
    deleteOwnExport discardImportJob endApiKey endSession getExport getImport getKeyPage getOwnExport
    getSecondFactor getStreamEmail getTermsPage inviteNewcomers listApiKeys listExports listFeeds listImportPeople
    listImports listInvites listLinkedAccounts listOwnExports listPasskeys listSignOnProviders
    listWebPushSubscriptions mergeUser postKeyPage postTermsPage regenerateApiKey regenerateBotKey registerDevice
    registerPush removeApnsToken removeDevice removeDomain removeFcmToken removeOwnTotp removePasskey
    removeSignOnProvider removeWebPushSubscription renamePasskey replaceRecoveryCodes resendInvite resetSecondFactor
    removeMailServer revokeStreamEmail sendInvites setMailServer showBotKey signOutEverywhere startExport startImportJob startOwnExport
    testEncryptedNotification testNotification testSignOnProvider undoImport unlinkAccount unlinkAccountsOf
    updateBot updateDomain updateImportJob updateOrganization
    updateSettings updateSignOnProvider updateUser updateUserByEmail`),
}

/** What each action needs, by its name. */
export const actionScopes: ReadonlyMap<string, ActionScope> = new Map(
  Object.entries(byScope).flatMap(([scope, actions]) => actions.map((name) => [name, scope as ActionScope])),
)
