import type { AuditProgressTable, AuditTable } from './audit.ts'
import type {
  BotCommandTable,
  BotNoticeTable,
  BotTable,
  FeedEntryTable,
  FeedTable,
  IncomingDeliveryTable,
  OutgoingDeliveryTable,
  OutgoingProgressTable,
  WebhookTemplateTable,
} from './bots.ts'
import type { EventLogStateTable, EventTable, PeerChangeTable, QueueTable, RoleChangeTable } from './events.ts'
import type { DataExportTable, ExportFileTable } from './exports.ts'
import type {
  DraftFileTable,
  DroppedBlobTable,
  FileSpaceTable,
  FileTable,
  MessageFileTable,
  OrganizationPictureTable,
  ScheduledMessageFileTable,
  ThumbnailTable,
  UploadTable,
} from './files.ts'
import type { UserGroupMemberTable, UserGroupSubgroupTable, UserGroupTable } from './groups.ts'
import type {
  ImportJobPersonTable,
  ImportJobTable,
  ImportObjectTable,
  ImportTable,
  ImportUnreadTable,
} from './imports.ts'
import type { InvitationTable, OrganizationDomainTable } from './invitations.ts'
import type {
  EmailChangeTable,
  MailboxFailureTable,
  MailCandidateTable,
  MailFailureTable,
  MailProgressTable,
  MailServerTable,
  MailSuppressedTable,
  MailTable,
} from './mail.ts'
import type { ChannelAddressTable, MailReceivedTable, ReplyAddressTable } from './mail-in.ts'
import type {
  ArchivedMessageTable,
  DraftTable,
  MessageEditTable,
  MessageFlagTable,
  MessageTable,
  PinnedMessageTable,
  ReactionTable,
  ReadRangeTable,
  SavedSnippetTable,
  ScheduledMessageTable,
  SearchProgressTable,
  SearchTextTable,
  SendReceiptTable,
  SubmessageTable,
} from './messages.ts'
import type {
  ContentFilterTable,
  HeldMessageFileTable,
  HeldMessageTable,
  ReportReasonTable,
  ReportTable,
  RestrictionTable,
  TermsAcceptanceTable,
  TrustedAuthorTable,
} from './moderation.ts'
import type { UnfinishedMoveTable } from './moves.ts'
import type {
  DefaultStreamGroupTable,
  OnboardingStepTable,
  PushTokenTable,
  UserSettingDefaultTable,
} from './newcomers.ts'
import type {
  BlobChunkTable,
  BlobTable,
  CustomEmojiTable,
  LinkifierTable,
  OrganizationSettingTable,
  OrganizationTable,
  PlaygroundTable,
  ProfileFieldTable,
  ProfileValueTable,
  SecretFingerprintTable,
  SharedSecretTable,
} from './organization.ts'
import type { PasskeyChallengeTable, PasskeyTable } from './passkeys.ts'
import type {
  DeviceTable,
  NavigationViewTable,
  PushDeliveryTable,
  PushProgressTable,
  ReminderTable,
} from './personal.ts'
import type { RecoveryCodeTable, SignInTicketTable, TotpTable } from './second-factor.ts'
import type { IdentityTable, SignOnProblemTable, SignOnProviderTable, SignOnStepTable } from './sign-on.ts'
import type {
  ChannelFolderTable,
  ConversationTable,
  DefaultStreamTable,
  DirectParticipantTable,
  StreamTable,
  SubscriptionPeriodTable,
  SubscriptionTable,
  TopicTable,
  UserTopicTable,
} from './streams.ts'
import type {
  AlertWordTable,
  ApiKeyTable,
  BotStorageTable,
  IdempotencyKeyTable,
  KnownDeviceTable,
  MutedUserTable,
  PasswordLinkTable,
  PresenceTable,
  UserSettingTable,
  UserStatusTable,
  UserTable,
} from './users.ts'
import type { WebPushDeliveryTable, WebPushProgressTable, WebPushSubscriptionTable } from './web-push.ts'

export interface Tables {
  migration: { name: string; applied_at: number }
  organization: OrganizationTable
  organization_domain: OrganizationDomainTable
  invitation: InvitationTable
  mail: MailTable
  mail_candidate: MailCandidateTable
  mail_progress: MailProgressTable
  reply_address: ReplyAddressTable
  channel_address: ChannelAddressTable
  mail_received: MailReceivedTable
  email_change: EmailChangeTable
  mail_failure: MailFailureTable
  mailbox_failure: MailboxFailureTable
  mail_server: MailServerTable
  mail_suppressed: MailSuppressedTable
  default_stream_group: DefaultStreamGroupTable
  onboarding_step: OnboardingStepTable
  push_token: PushTokenTable
  device: DeviceTable
  push_delivery: PushDeliveryTable
  push_progress: PushProgressTable
  user_setting_default: UserSettingDefaultTable
  organization_setting: OrganizationSettingTable
  custom_emoji: CustomEmojiTable
  linkifier: LinkifierTable
  playground: PlaygroundTable
  profile_field: ProfileFieldTable
  profile_value: ProfileValueTable
  secret_fingerprint: SecretFingerprintTable
  shared_secret: SharedSecretTable
  blob: BlobTable
  blob_chunk: BlobChunkTable
  dropped_blob: DroppedBlobTable
  file: FileTable
  upload: UploadTable
  message_file: MessageFileTable
  scheduled_message_file: ScheduledMessageFileTable
  draft_file: DraftFileTable
  file_space: FileSpaceTable
  thumbnail: ThumbnailTable
  organization_picture: OrganizationPictureTable
  data_export: DataExportTable
  import: ImportTable
  import_object: ImportObjectTable
  import_job: ImportJobTable
  import_job_person: ImportJobPersonTable
  import_unread: ImportUnreadTable
  user: UserTable
  user_setting: UserSettingTable
  api_key: ApiKeyTable
  known_device: KnownDeviceTable
  password_link: PasswordLinkTable
  passkey: PasskeyTable
  passkey_challenge: PasskeyChallengeTable
  totp: TotpTable
  recovery_code: RecoveryCodeTable
  sign_in_ticket: SignInTicketTable
  identity: IdentityTable
  sign_on_step: SignOnStepTable
  sign_on_problem: SignOnProblemTable
  sign_on_provider: SignOnProviderTable
  idempotency_key: IdempotencyKeyTable
  audit: AuditTable
  audit_progress: AuditProgressTable
  bot: BotTable
  outgoing_delivery: OutgoingDeliveryTable
  incoming_delivery: IncomingDeliveryTable
  webhook_template: WebhookTemplateTable
  bot_command: BotCommandTable
  bot_notice: BotNoticeTable
  feed: FeedTable
  feed_entry: FeedEntryTable
  outgoing_progress: OutgoingProgressTable
  bot_storage: BotStorageTable
  alert_word: AlertWordTable
  navigation_view: NavigationViewTable
  muted_user: MutedUserTable
  user_status: UserStatusTable
  presence: PresenceTable
  user_group: UserGroupTable
  user_group_member: UserGroupMemberTable
  user_group_subgroup: UserGroupSubgroupTable
  conversation: ConversationTable
  direct_participant: DirectParticipantTable
  channel_folder: ChannelFolderTable
  stream: StreamTable
  subscription: SubscriptionTable
  subscription_period: SubscriptionPeriodTable
  topic: TopicTable
  default_stream: DefaultStreamTable
  user_topic: UserTopicTable
  message: MessageTable
  archived_message: ArchivedMessageTable
  message_edit: MessageEditTable
  message_flag: MessageFlagTable
  pinned_message: PinnedMessageTable
  read_range: ReadRangeTable
  reaction: ReactionTable
  submessage: SubmessageTable
  send_receipt: SendReceiptTable
  scheduled_message: ScheduledMessageTable
  saved_snippet: SavedSnippetTable
  reminder: ReminderTable
  draft: DraftTable
  search_progress: SearchProgressTable
  search_text: SearchTextTable
  event: EventTable
  event_log_state: EventLogStateTable
  role_change: RoleChangeTable
  peer_change: PeerChangeTable
  queue: QueueTable
  web_push_subscription: WebPushSubscriptionTable
  web_push_delivery: WebPushDeliveryTable
  web_push_progress: WebPushProgressTable
  unfinished_move: UnfinishedMoveTable
  export_file: ExportFileTable
  restriction: RestrictionTable
  report: ReportTable
  report_reason: ReportReasonTable
  content_filter: ContentFilterTable
  held_message: HeldMessageTable
  held_message_file: HeldMessageFileTable
  trusted_author: TrustedAuthorTable
  terms_acceptance: TermsAcceptanceTable
}
