/** What becomes of rows that belong to an account, or name it, when the account is merged into another one. */
export type How =
  /** They belong to the other account. */
  | 'move'
  /** The same, unless the other account has a row with the same values of these columns. */
  | { unless: readonly string[] }
  /** They end with the account: what signs in to it, and what only the server needs. */
  | 'delete'
  /** A function of its own merges them. */
  | { by: string }
  /** They stay unchanged. */
  | { stays: string }

const bot = { stays: 'only people are merged' } as const
const history = { stays: 'it says what happened under that ID' } as const

/** Every column with the ID of an account. A test fails for a column that is missing. */
export const references: Readonly<Record<string, How>> = {
  'alert_word.user_id': { unless: ['word_key'] },
  'api_key.user_id': 'delete',
  'audit.actor_id': history,
  'audit.on_behalf_of': history,
  'bot.user_id': bot,
  'bot_command.bot_id': bot,
  'bot_notice.bot_id': bot,
  'bot_storage.user_id': bot,
  'channel_address.sender_id': 'delete',
  'channel_address.user_id': 'delete',
  'channel_folder.creator_id': 'move',
  'custom_emoji.author_id': 'move',
  'data_export.user_id': 'move',
  'device.user_id': 'delete',
  'direct_participant.user_id': { by: 'mergeDirectConversations' },
  'draft.user_id': 'move',
  'email_change.user_id': 'delete',
  'feed.bot_id': bot,
  'file.owner_id': 'move',
  'held_message.decided_by': 'move',
  'held_message.user_id': 'move',
  'idempotency_key.user_id': 'delete',
  'identity.user_id': 'delete',
  'import_job.user_id': 'move',
  'import_unread.user_id': { stays: 'it is empty unless an import runs, and then nobody is merged' },
  'incoming_delivery.bot_id': bot,
  'invitation.inviter_id': 'move',
  'known_device.user_id': 'delete',
  'mail.user_id': 'delete',
  'mail_candidate.user_id': 'delete',
  'message.sender_id': 'move',
  'message_edit.user_id': 'move',
  'message_flag.user_id': { by: 'mergeFlags' },
  'muted_user.user_id': { unless: ['muted_user_id'] },
  'muted_user.muted_user_id': { unless: ['user_id'] },
  'navigation_view.user_id': { unless: ['fragment'] },
  'onboarding_step.user_id': { unless: ['step'] },
  'outgoing_delivery.bot_id': bot,
  'password_link.created_by': 'delete',
  'password_link.user_id': 'delete',
  'pinned_message.user_id': 'move',
  'presence.user_id': 'delete',
  'profile_value.user_id': { unless: ['field_id'] },
  'push_token.user_id': 'delete',
  'queue.user_id': 'delete',
  'reaction.user_id': { unless: ['message_id', 'reaction_type', 'emoji_code'] },
  'read_range.user_id': { by: 'mergeReadState' },
  'recovery_code.user_id': 'delete',
  'reminder.user_id': 'move',
  'reply_address.user_id': 'delete',
  'report.author_id': 'move',
  'report.taken_by': 'move',
  'report_reason.user_id': { unless: ['report_id'] },
  'restriction.user_id': { unless: [] },
  'role_change.user_id': 'delete',
  'saved_snippet.user_id': 'move',
  'scheduled_message.sender_id': 'move',
  'send_receipt.sender_id': 'delete',
  'passkey.user_id': 'delete',
  'passkey_challenge.user_id': 'delete',
  'sign_in_ticket.user_id': 'delete',
  'sign_on_step.user_id': 'delete',
  'stream.creator_id': 'move',
  'submessage.sender_id': { by: 'mergeWidgets' },
  'subscription.user_id': { by: 'mergeSubscriptions' },
  'subscription_period.user_id': { by: 'mergeSubscriptions' },
  'terms_acceptance.user_id': { unless: [] },
  'totp.user_id': 'delete',
  'trusted_author.user_id': { unless: [] },
  'unfinished_move.user_id': 'move',
  'upload.owner_id': 'move',
  'user.bot_owner_id': 'move',
  'user_group.creator_id': 'move',
  'user_group_member.user_id': { unless: ['group_id'] },
  // The other account's own settings apply.
  'user_setting.user_id': 'delete',
  'user_status.user_id': { unless: [] },
  'user_topic.user_id': { unless: ['stream_id', 'topic_key'] },
  'web_push_subscription.user_id': 'delete',
}
