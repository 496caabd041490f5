import * as organization from './organization.ts'
import * as personal from './personal.ts'
import { directGroups, recipients, subscriptions } from './recipients.ts'
import type { Rows, Source } from './source.ts'
import * as streams from './streams.ts'
import { presences, profileValues, systemBots, users } from './users.ts'

type ExportTable = readonly [name: string, rows: (source: Source) => Rows | Promise<Rows>]

const empty = () => []

/**
 * The tables of `realm.json` besides `zerver_reaction` and `zerver_submessage`, in the order of writing: groups after everything whose permissions are sets of users and
 * groups, and programs after everything that names them. Tables that this server doesn't have are empty because
 * imports look for them. Without `zerver_realmauditlog`, imports compute the history of subscriptions themselves.
 */
export const exportTables: readonly ExportTable[] = [
  ['zerver_realm', organization.organization],
  ['zerver_realmauthenticationmethod', organization.authenticationMethods],
  ['zerver_realmuserdefault', organization.userDefaults],
  ['zerver_realmdomain', organization.domains],
  ['zerver_realmemoji', organization.emoji],
  ['zerver_realmfilter', organization.linkifiers],
  ['zerver_realmplayground', organization.playgrounds],
  ['zerver_presencesequence', organization.presenceSequence],
  ['zerver_customprofilefield', organization.profileFields],
  ['zerver_userprofile', (source) => users(source, 'accounts')],
  ['zerver_userprofile_mirrordummy', (source) => users(source, 'substitutes')],
  ['zerver_userprofile_crossrealm', systemBots],
  ['zerver_customprofilefieldvalue', profileValues],
  ['zerver_userpresence', presences],
  ['zerver_channelfolder', streams.channelFolders],
  ['zerver_stream', streams.streams],
  ['zerver_defaultstream', streams.defaultStreams],
  ['zerver_namedusergroup', streams.namedGroups],
  ['zerver_usergroup', streams.groups],
  ['zerver_usergroupmembership', streams.groupMembers],
  ['zerver_groupgroupmembership', streams.subgroups],
  ['zerver_recipient', recipients],
  ['zerver_huddle', directGroups],
  ['zerver_subscription', subscriptions],
  ['zerver_alertword', personal.alertWords],
  ['zerver_muteduser', personal.mutedUsers],
  ['zerver_onboardingstep', personal.onboardingSteps],
  ['zerver_savedsnippet', personal.savedSnippets],
  // Zulip's own archives have no drafts, and its imports ignore them.
  ['zerver_draft', personal.drafts],
  ['zerver_navigationview', personal.navigationViews],
  ['zerver_userstatus', personal.statuses],
  ['zerver_usertopic', personal.userTopics],
  ['zerver_botstoragedata', personal.botStorage],
  ['zerver_botconfigdata', personal.botConfig],
  ['zerver_service', personal.services],
  ['zerver_scheduledmessage', personal.scheduledMessages],
  ['zerver_useractivity', empty],
  ['zerver_useractivityinterval', empty],
  ['zerver_onboardingusermessage', empty],
  ['zerver_realmexport', empty],
  ['zerver_client', organization.clients],
]

/** The tables of `analytics.json`. This server counts nothing. */
export const analyticsTables: readonly ExportTable[] = [
  ['analytics_realmcount', empty],
  ['analytics_streamcount', empty],
  ['analytics_usercount', empty],
]
