import { removeAvatar, uploadAvatar } from '../../src/core/accounts/avatar.ts'
import { createUser } from '../../src/core/accounts/create.ts'
import { deactivateUser, reactivateUser } from '../../src/core/accounts/deactivate.ts'
import { registerDevice, removeDevice } from '../../src/core/accounts/devices.ts'
import { acceptInvitation } from '../../src/core/accounts/invitations/join.ts'
import { createInviteLink } from '../../src/core/accounts/invitations/links.ts'
import { listInvites } from '../../src/core/accounts/invitations/list.ts'
import { revokeInviteLink } from '../../src/core/accounts/invitations/revoke.ts'
import { sendInvites } from '../../src/core/accounts/invitations/send.ts'
import { markOnboardingStep } from '../../src/core/accounts/onboarding.ts'
import { updateSettings } from '../../src/core/accounts/update-settings.ts'
import { updateUser } from '../../src/core/accounts/update-user.ts'
import { listBotCommands, registerBotCommand, removeBotCommand } from '../../src/core/bots/commands.ts'
import { createBot } from '../../src/core/bots/create.ts'
import {
  createWebhookTemplate,
  removeWebhookTemplate,
  updateWebhookTemplate,
} from '../../src/core/bots/incoming/edit-templates.ts'
import { regenerateBotKey } from '../../src/core/bots/regenerate-key.ts'
import { updateBot } from '../../src/core/bots/update.ts'
import { register } from '../../src/core/events/queues/register.ts'
import { deleteAttachment, listAttachments } from '../../src/core/files/attachments.ts'
import { uploadFile } from '../../src/core/files/upload.ts'
import { createGroup } from '../../src/core/groups/create.ts'
import { deactivateGroup } from '../../src/core/groups/deactivate.ts'
import { changeMembers } from '../../src/core/groups/membership/change-members.ts'
import { changeSubgroups } from '../../src/core/groups/subgroups.ts'
import { updateGroup } from '../../src/core/groups/update.ts'
import { type Caller, callerOf } from '../../src/core/kernel/context.ts'
import { findUser } from '../../src/core/kernel/user.ts'
import { createDrafts, deleteDraft, listDrafts, updateDraft } from '../../src/core/messages/drafts.ts'
import { deleteMessage } from '../../src/core/messages/edit/delete.ts'
import { updateMessage } from '../../src/core/messages/edit/edit.ts'
import { updateFlags } from '../../src/core/messages/flags.ts'
import { markAllAsRead, markStreamAsRead } from '../../src/core/messages/mark-as-read.ts'
import { muteUser, unmuteUser } from '../../src/core/messages/mute-user.ts'
import { listPinnedMessages, pinMessage, unpinMessage } from '../../src/core/messages/pins.ts'
import { addReaction, removeReaction } from '../../src/core/messages/reactions.ts'
import { reportMessage } from '../../src/core/messages/report.ts'
import { expireMessages } from '../../src/core/messages/retention/expire.ts'
import { createSavedSnippet, deleteSavedSnippet, updateSavedSnippet } from '../../src/core/messages/saved-snippets.ts'
import { createReminder, deleteReminder } from '../../src/core/messages/scheduled/reminders.ts'
import {
  deleteScheduledMessage,
  listScheduledMessages,
  updateScheduledMessage,
} from '../../src/core/messages/scheduled/scheduled-messages.ts'
import { sendMessage } from '../../src/core/messages/send/send.ts'
import { setTyping, setTypingForEdit } from '../../src/core/messages/typing.ts'
import { addSubmessage } from '../../src/core/messages/widgets/submessages.ts'
import { decideHeldMessage, listHeldMessages } from '../../src/core/moderation/held-messages.ts'
import { moderateUser } from '../../src/core/moderation/moderate.ts'
import { listReports, updateReport } from '../../src/core/moderation/reports.ts'
import { addDomain, removeDomain, updateDomain } from '../../src/core/organization/domains.ts'
import { removeIcon, removeLogo, uploadIcon, uploadLogo } from '../../src/core/organization/edit-pictures.ts'
import { deactivateCustomEmoji } from '../../src/core/organization/emoji/deactivate.ts'
import { uploadCustomEmoji } from '../../src/core/organization/emoji/upload.ts'
import { exporterOf } from '../../src/core/organization/exports/exporter.ts'
import { deleteExport, startExport } from '../../src/core/organization/exports/exports.ts'
import { deleteOwnExport, startOwnExport } from '../../src/core/organization/exports/own-exports.ts'
import { createLinkifier, removeLinkifier, updateLinkifier } from '../../src/core/organization/linkifiers/edit.ts'
import { reorderLinkifiers } from '../../src/core/organization/linkifiers/reorder.ts'
import { createPlayground, removePlayground } from '../../src/core/organization/playgrounds.ts'
import { updateOrganization } from '../../src/core/organization/update.ts'
import { updateSettingsDefaults } from '../../src/core/organization/user-settings-defaults.ts'
import { createContentFilter, removeContentFilter } from '../../src/core/review/filters/edit.ts'
import { addDefaultStream, removeDefaultStream } from '../../src/core/streams/default-streams.ts'
import {
  changeStreamGroup,
  createStreamGroup,
  removeStreamGroup,
  updateStreamGroup,
} from '../../src/core/streams/edit-default-stream-groups.ts'
import {
  createChannelFolder,
  listChannelFolders,
  reorderChannelFolders,
  updateChannelFolder,
} from '../../src/core/streams/edit-folders.ts'
import { archiveStream } from '../../src/core/streams/management/archive-stream.ts'
import { updateStream } from '../../src/core/streams/management/update-stream.ts'
import { createChannel } from '../../src/core/streams/subscriptions/create-channel.ts'
import { updateProperties } from '../../src/core/streams/subscriptions/properties.ts'
import { subscribe } from '../../src/core/streams/subscriptions/subscribe.ts'
import { unsubscribe } from '../../src/core/streams/subscriptions/unsubscribe.ts'
import { muteTopic, updateUserTopic } from '../../src/core/streams/user-topics.ts'
import { addAlertWords, removeAlertWords } from '../../src/core/users/alert-words.ts'
import { addNavigationView, removeNavigationView, updateNavigationView } from '../../src/core/users/navigation-views.ts'
import { updatePresence } from '../../src/core/users/presence.ts'
import { updateProfileData } from '../../src/core/users/profile-data.ts'
import { createProfileField, removeProfileField } from '../../src/core/users/profile-fields.ts'
import { updateStatus } from '../../src/core/users/status.ts'
import { png } from '../files/images.ts'
import { onePixelPng } from '../fixtures/images.ts'

/** The state that random operations choose from. */
export interface Setting {
  who: Caller
  /** A random element. */
  pick<T>(list: readonly T[]): T
  chance(probability: number): boolean
  number(below: number): number
  users: readonly number[]
  streams: readonly { id: number; name: string }[]
  topics: readonly string[]
  /** All messages so far, the newest last. */
  messages: readonly number[]
  groups: readonly number[]
  fields: readonly number[]
  linkifiers: readonly number[]
  playgrounds: readonly number[]
  word(): string
}

type Operation = (s: Setting) => Promise<unknown>

/** A group that they can usually change, since most groups cannot be changed by them, or at all. */
async function ownGroup({ who, pick, chance, groups, users, number }: Setting): Promise<number> {
  if (chance(0.3)) return pick(groups)
  const { group_id } = await createGroup(who, { name: `own ${number(1e9)}`, description: '', members: [pick(users)] })
  return group_id
}

async function ownBot({ who, pick, number }: Setting): Promise<number> {
  const n = number(1e9)
  const bot_type = pick([1, 2, 3])
  const payload_url = 'https://example.com/hook'
  return (await createBot(who, { full_name: `Bot ${n}`, short_name: `b${n}`, bot_type, payload_url })).user_id
}

/**
 * Every operation that causes events for others or for the user's other clients. Many random calls fail on purpose.
 */
export const operations: Readonly<Record<string, { weight: number; run: Operation }>> = {
  send: {
    weight: 14,
    run: ({ who, pick, streams, topics, word, users, chance }) => {
      const mention = chance(0.2) ? `@**all** ` : chance(0.3) ? `@**|${pick(users)}** ` : ''
      const content = `${mention}${word()}${chance(0.05) ? '' : ' '}`
      return sendMessage(who, {
        type: 'stream',
        to: pick(streams).id,
        topic: pick(topics),
        content,
        read_by_sender: chance(0.8),
      })
    },
  },
  sendDirect: {
    weight: 6,
    run: ({ who, pick, users, word, chance }) => {
      const to = [...new Set(chance(0.4) ? [pick(users), pick(users)] : [pick(users)])]
      return sendMessage(who, { type: 'private', to, content: word(), read_by_sender: chance(0.9) })
    },
  },
  poll: {
    weight: 1,
    run: ({ who, pick, streams, topics }) =>
      sendMessage(who, {
        type: 'stream',
        to: pick(streams).id,
        topic: pick(topics),
        content: '/poll lunch?\nsoup\nbread',
      }),
  },
  vote: {
    weight: 2,
    run: ({ who, pick, messages }) =>
      addSubmessage(who, {
        message_id: pick(messages.slice(-6)),
        msg_type: 'widget',
        content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }),
      }),
  },
  schedule: {
    weight: 2,
    run: ({ who, pick, streams, users, word, chance, number }) => {
      const deliver_at = String(Math.floor(who.chat.clock.now() / 1000) + 10 + number(120))
      return chance(0.5)
        ? sendMessage(who, { type: 'stream', to: pick(streams).id, topic: 'later', content: word(), deliver_at })
        : sendMessage(who, { type: 'private', to: [pick(users)], content: word(), deliver_at })
    },
  },
  scheduleIntoNothing: {
    weight: 0.5,
    // Delivery fails when the sender may no longer write there.
    async run({ who, number }) {
      const name = `gone ${number(1e9)}`
      await subscribe(who, { subscriptions: [{ name }], invite_only: true })
      const deliver_at = String(Math.floor(who.chat.clock.now() / 1000) + 1)
      await sendMessage(who, { type: 'stream', to: name, topic: 'later', content: 'too late', deliver_at })
      await unsubscribe(who, { subscriptions: [name] })
    },
  },
  draft: {
    weight: 4,
    async run({ who, pick, streams, users, word, chance }) {
      const draft = chance(0.5)
        ? { type: 'stream' as const, to: [pick(streams).id], topic: 'later', content: word() }
        : { type: 'private' as const, to: [pick(users)], topic: '', content: word() }
      const { drafts } = await listDrafts(who)
      const { ids } = await createDrafts(who, { drafts: [draft] })
      const draft_id = drafts.length === 0 ? ids[0]! : pick(drafts).id
      if (chance(0.5)) await updateDraft(who, { draft_id, draft })
      if (chance(0.5)) await deleteDraft(who, { draft_id })
    },
  },
  snippet: {
    weight: 3,
    async run({ who, word, chance }) {
      const { saved_snippet_id } = await createSavedSnippet(who, { title: word(), content: word() })
      if (chance(0.5)) await updateSavedSnippet(who, { saved_snippet_id, title: `New ${word()}` })
      if (chance(0.5)) await deleteSavedSnippet(who, { saved_snippet_id })
    },
  },
  pin: {
    weight: 3,
    async run({ who, pick, messages, streams, chance }) {
      if (chance(0.7)) return pinMessage(who, { message_id: pick(messages) })
      const { pinned_messages } = await listPinnedMessages(who, { stream_id: pick(streams).id })
      if (pinned_messages.length > 0) await unpinMessage(who, { message_id: pick(pinned_messages).message_id })
    },
  },
  reminder: {
    weight: 2,
    async run({ who, pick, messages, chance, number }) {
      const scheduled_delivery_timestamp = Math.floor(who.chat.clock.now() / 1000) + 1 + number(60)
      const message_id = pick(messages)
      const { reminder_id } = await createReminder(who, { message_id, scheduled_delivery_timestamp, note: 'look' })
      if (chance(0.3)) await deleteReminder(who, { reminder_id })
    },
  },
  navigationView: {
    weight: 2,
    async run({ who, pick, chance, number }) {
      const fragment = pick(['inbox', 'feed', `narrow/is/${number(5)}`])
      const name = fragment.startsWith('narrow') ? `View ${number(5)}` : null
      if (chance(0.5)) await removeNavigationView(who, { fragment }).catch(() => {})
      await addNavigationView(who, { fragment, is_pinned: chance(0.5), name })
      if (chance(0.7)) await updateNavigationView(who, { fragment, is_pinned: chance(0.5) })
      if (chance(0.3)) await removeNavigationView(who, { fragment })
    },
  },
  device: {
    weight: 1,
    async run({ who, chance }) {
      const { device_id } = await registerDevice(who, {})
      if (chance(0.4)) await removeDevice(who, { device_id })
    },
  },
  uploadFile: {
    weight: 5,
    async run({ who, pick, word, chance, streams, topics, users }) {
      async function* chunks() {
        yield Buffer.from(word())
      }
      const filename = { name: `${word()}.txt`, content_type: 'text/plain', chunks: chunks() }
      const { url } = await uploadFile(who, { filename })
      const content = `[it](${url})`
      if (chance(0.7)) {
        const to = chance(0.7)
          ? { type: 'stream' as const, to: pick(streams).id, topic: pick(topics) }
          : { type: 'private' as const, to: [pick(users)] }
        const { id } = await sendMessage(who, { ...to, content })
        if (chance(0.3)) await updateMessage(who, { message_id: id, content: word() })
        if (chance(0.3)) await sendMessage(who, { type: 'private', to: [pick(users)], content })
      }
      const { attachments } = await listAttachments(who)
      if (chance(0.3)) await deleteAttachment(who, { attachment_id: pick(attachments).id })
    },
  },
  avatar: {
    weight: 3,
    run: ({ who, chance }) =>
      chance(0.6) ? uploadAvatar(who, { file: { name: 'me.png', bytes: onePixelPng() } }) : removeAvatar(who),
  },
  organizationPicture: {
    weight: 2,
    async run({ who, chance }) {
      const file = { name: 'x.png', bytes: onePixelPng() }
      if (chance(0.5)) await (chance(0.6) ? uploadIcon(who, { file }) : removeIcon(who))
      else await (chance(0.6) ? uploadLogo(who, { file, night: chance(0.5) }) : removeLogo(who, { night: chance(0.5) }))
    },
  },
  changeScheduled: {
    weight: 2,
    async run({ who, pick, word, chance }) {
      const { scheduled_messages } = await listScheduledMessages(who)
      if (scheduled_messages.length === 0) return
      const { scheduled_message_id } = pick(scheduled_messages)
      const later = Math.floor(who.chat.clock.now() / 1000) + 60
      return chance(0.7)
        ? updateScheduledMessage(who, { scheduled_message_id, content: word(), scheduled_delivery_timestamp: later })
        : deleteScheduledMessage(who, { scheduled_message_id })
    },
  },
  edit: {
    weight: 3,
    run: ({ who, pick, messages, word, chance, users }) =>
      updateMessage(who, { message_id: pick(messages), content: chance(0.3) ? `@**|${pick(users)}** edited` : word() }),
  },
  move: {
    weight: 4,
    run: ({ who, pick, messages, topics, streams, chance }) =>
      updateMessage(who, {
        message_id: pick(messages),
        propagate_mode: pick(['change_one', 'change_later', 'change_all']),
        ...(chance(0.7) && { topic: pick(topics) }),
        ...(chance(0.4) && { stream_id: pick(streams).id }),
        send_notification_to_new_thread: chance(0.3),
      }),
  },
  resolve: {
    weight: 2,
    async run({ who, pick, messages }) {
      const message_id = pick(messages)
      const row = await who.db
        .selectFrom('message')
        .innerJoin('topic', 'topic.id', 'message.topic_id')
        .select('topic.name')
        .where('message.id', '=', message_id)
        .executeTakeFirst()
      if (!row?.name) return
      const topic = row.name.startsWith('✔ ') ? row.name.slice(2) : `✔ ${row.name}`
      await updateMessage(who, { message_id, topic, propagate_mode: 'change_all' })
    },
  },
  delete: { weight: 3, run: ({ who, pick, messages }) => deleteMessage(who, { message_id: pick(messages) }) },
  read: {
    weight: 5,
    run: ({ who, pick, messages, chance }) =>
      updateFlags(who, {
        messages: [pick(messages), pick(messages)],
        op: chance(0.7) ? 'add' : 'remove',
        flag: 'read',
      }),
  },
  readAll: { weight: 1, run: ({ who }) => markAllAsRead(who, {}) },
  readStream: { weight: 1, run: ({ who, pick, streams }) => markStreamAsRead(who, { stream_id: pick(streams).id }) },
  star: {
    weight: 3,
    run: ({ who, pick, messages, chance }) =>
      updateFlags(who, { messages: [pick(messages)], op: chance(0.7) ? 'add' : 'remove', flag: 'starred' }),
  },
  react: {
    weight: 3,
    run: ({ who, pick, messages }) =>
      addReaction(who, { message_id: pick(messages.slice(-4)), emoji_name: pick(['tada', 'smile']) }),
  },
  unreact: {
    weight: 3,
    // Usually there is nothing to remove unless it was just added.
    async run({ who, pick, messages, chance }) {
      const reaction = { message_id: pick(messages.slice(-4)), emoji_name: pick(['tada', 'smile', 'heart']) }
      if (chance(0.5)) await addReaction(who, reaction)
      await removeReaction(who, reaction)
    },
  },
  type: {
    weight: 1,
    run: ({ who, pick, users, streams, chance }) =>
      chance(0.5)
        ? setTyping(who, { op: 'start', to: [pick(users)] })
        : setTyping(who, { op: 'stop', type: 'stream', stream_id: pick(streams).id, topic: 'x' }),
  },
  typeEdit: {
    weight: 6,
    run: ({ who, pick, messages }) =>
      setTypingForEdit(who, { message_id: pick(messages), op: pick(['start', 'stop']) }),
  },

  subscribe: {
    weight: 5,
    run: ({ who, pick, streams, users, chance, word }) =>
      subscribe(who, {
        subscriptions: [{ name: chance(0.3) ? `stream ${word()}` : pick(streams).name }],
        ...(chance(0.5) && { principals: [...new Set([pick(users), pick(users)])] }),
        invite_only: chance(0.4),
        history_public_to_subscribers: chance(0.4),
        is_web_public: false,
      }),
  },
  createChannel: {
    weight: 1,
    run: ({ who, pick, users, word, chance }) =>
      createChannel(who, {
        name: `channel ${word()}`,
        subscribers: chance(0.7) ? [...new Set([pick(users), pick(users)])] : [],
        invite_only: chance(0.4),
      }),
  },
  unsubscribe: {
    weight: 4,
    run: ({ who, pick, streams, users, chance }) =>
      unsubscribe(who, { subscriptions: [pick(streams).name], ...(chance(0.5) && { principals: [pick(users)] }) }),
  },
  property: {
    weight: 2,
    run: ({ who, pick, streams, chance }) =>
      updateProperties(who, {
        subscription_data: [
          pick([
            { stream_id: pick(streams).id, property: 'is_muted', value: chance(0.5) },
            { stream_id: pick(streams).id, property: 'in_home_view', value: chance(0.5) },
            { stream_id: pick(streams).id, property: 'color', value: pick(['#abc', '#c2C2c2']) },
            { stream_id: pick(streams).id, property: 'pin_to_top', value: chance(0.5) },
            { stream_id: pick(streams).id, property: 'desktop_notifications', value: pick([true, false, null]) },
          ]),
        ],
      }),
  },
  topicPolicy: {
    weight: 2,
    run: ({ who, pick, streams, topics }) =>
      updateUserTopic(who, { stream_id: pick(streams).id, topic: pick(topics), visibility_policy: pick([0, 1, 2, 3]) }),
  },
  muteTopic: {
    weight: 1,
    run: ({ who, pick, streams, topics }) =>
      muteTopic(who, { stream_id: pick(streams).id, topic: pick(topics), op: pick(['add', 'remove']) }),
  },
  updateStream: {
    weight: 3,
    run: ({ who, pick, streams, groups, chance, word }) =>
      updateStream(who, {
        stream_id: pick(streams).id,
        ...pick([
          { new_name: `renamed ${word()}` },
          { description: `about *${word()}*` },
          { is_private: chance(0.6), history_public_to_subscribers: chance(0.5) },
          { is_private: false },
          { stream_post_policy: pick([1, 2, 4] as const) },
          { message_retention_days: pick(['unlimited', 'realm_default', 1, 9] as const) },
          { can_administer_channel_group: pick(groups) },
          { can_subscribe_group: { new: pick(groups) } },
          { can_delete_any_message_group: pick(groups), can_create_topic_group: pick(groups) },
          { topics_policy: pick(['inherit', 'disable_empty_topic', 'empty_topic_only'] as const) },
          { is_default_stream: chance(0.5) },
          { slow_mode_seconds: pick([0, 1]) },
        ]),
      }),
  },
  folder: {
    weight: 2,
    async run({ who, pick, streams, number, word, chance }) {
      const { channel_folder_id } = await createChannelFolder(who, {
        name: `Folder ${number(1e9)}`,
        description: word(),
      })
      const { channel_folders } = await listChannelFolders(who, { include_archived: true })
      if (chance(0.4)) await updateStream(who, { stream_id: pick(streams).id, folder_id: pick(channel_folders).id })
      if (chance(0.3)) await updateStream(who, { stream_id: pick(streams).id, folder_id: null })
      if (chance(0.4)) await updateChannelFolder(who, { channel_folder_id, name: `Renamed ${number(1e9)}` })
      if (chance(0.4)) await updateChannelFolder(who, { channel_folder_id, description: word(), is_archived: true })
      if (chance(0.4)) await reorderChannelFolders(who, { order: channel_folders.map(({ id }) => id).reverse() })
    },
  },
  archive: {
    weight: 1,
    async run({ who, pick, streams, chance }) {
      const stream_id = pick(streams).id
      await archiveStream(who, { stream_id })
      if (chance(0.5)) await updateStream(who, { stream_id, is_archived: false })
    },
  },
  addDefault: { weight: 1, run: ({ who, pick, streams }) => addDefaultStream(who, { stream_id: pick(streams).id }) },
  removeDefault: {
    weight: 1,
    run: ({ who, pick, streams }) => removeDefaultStream(who, { stream_id: pick(streams).id }),
  },

  alertWords: {
    weight: 1,
    run: ({ who, word, chance }) =>
      chance(0.7) ? addAlertWords(who, { alert_words: [word()] }) : removeAlertWords(who, { alert_words: [word()] }),
  },
  muteUser: {
    weight: 1,
    run: ({ who, pick, users, chance }) =>
      chance(0.6)
        ? muteUser(who, { muted_user_id: pick(users), ...(chance(0.3) && { block: chance(0.5) }) })
        : unmuteUser(who, { muted_user_id: pick(users) }),
  },
  moderate: {
    weight: 2,
    async run({ who, pick, users }) {
      const user_id = pick(users)
      await moderateUser(who, { user_id, actions: ['silence'], minutes: 5, reason: 'Enough' })
      await moderateUser(who, { user_id, actions: ['end_silence'], reason: 'Enough' })
    },
  },
  report: {
    weight: 3,
    async run({ who, pick, streams, messages }) {
      const stream_id = pick(streams).id
      await updateStream(who, { stream_id, is_private: true })
      await updateOrganization(who, { moderation_request_channel_id: stream_id })
      await reportMessage(who, { message_id: pick(messages), report_type: 'spam' })
      const { reports } = await listReports(who, {})
      if (reports.length > 0) await updateReport(who, { report_id: pick(reports).id, state: 'closed' })
    },
  },
  hold: {
    weight: 4,
    async run({ who, pick, users, streams, topics, word, chance }) {
      const author = await findUser(who.db, pick(users))
      if (!author?.is_active) return
      await updateOrganization(who, { hold_first_messages: 100 })
      const message = { type: 'stream', to: pick(streams).id, topic: pick(topics), content: word() } as const
      await sendMessage(callerOf(who.chat, author, { client: 'test' }), message).catch(() => {})
      await updateOrganization(who, { hold_first_messages: 0 })
      const { held_messages } = await listHeldMessages(who, {})
      if (held_messages.length === 0) return
      const { id: held_message_id } = pick(held_messages)
      await decideHeldMessage(who, { held_message_id, decision: chance(0.5) ? 'approve' : 'reject' })
    },
  },
  presence: { weight: 2, run: ({ who, pick }) => updatePresence(who, { status: pick(['active', 'idle']) }) },
  status: {
    weight: 2,
    run: ({ who, pick, word }) =>
      updateStatus(
        who,
        pick([
          { status_text: word() },
          { status_text: '' },
          { emoji_name: 'tada' },
          { emoji_name: '' },
          { away: true },
          { away: false },
        ]),
      ),
  },
  notificationSettings: {
    weight: 2,
    run: ({ who, chance }) =>
      updateSettings(who, { enable_sounds: chance(0.5), wildcard_mentions_notify: chance(0.5) }),
  },
  settings: {
    weight: 3,
    run: ({ who, pick, chance, word }) =>
      updateSettings(
        who,
        pick([
          { twenty_four_hour_time: chance(0.5) },
          { resolved_topic_notice_auto_read_policy: pick(['always', 'except_followed', 'never'] as const) },
          { enable_sounds: chance(0.5) },
          { wildcard_mentions_notify: chance(0.5) },
          { send_read_receipts: chance(0.5) },
          { presence_enabled: chance(0.7) },
          { receives_typing_notifications: chance(0.5) },
          { default_language: pick(['en', 'de']) },
          { timezone: pick(['', 'Europe/Copenhagen']) },
          { full_name: `Name ${word()}` },
        ]),
      ),
  },
  profile: {
    weight: 1,
    run: ({ who, pick, fields, word }) => updateProfileData(who, { data: [{ id: pick(fields), value: word() }] }),
  },

  createUser: {
    weight: 0.4,
    run: ({ who, word, number }) =>
      createUser(who, { email: `u${number(1e9)}@example.com`, full_name: `New ${word()}`, password: 'secret secret' }),
  },
  createBot: {
    weight: 1,
    run: (s) => ownBot(s),
  },
  changeBot: {
    weight: 2,
    async run(s) {
      const { who, pick, word, users, chance, number } = s
      const bot_id = chance(0.5) ? await ownBot(s) : pick(users)
      await updateBot(
        who,
        pick([
          { bot_id, full_name: `Bot ${word()} ${number(1e9)}` },
          { bot_id, role: pick([200, 300, 400]) },
          { bot_id, default_all_public_streams: chance(0.5), config_data: { template: word() } },
          { bot_id, default_sending_stream: pick(s.streams).name, default_events_register_stream: '' },
          { bot_id, service_payload_url: `https://${word()}.example.com`, service_interface: 2 },
        ]),
      )
      if (chance(0.3)) await regenerateBotKey(who, { bot_id })
    },
  },
  giveBot: {
    weight: 2,
    run: async (s) => updateBot(s.who, { bot_id: await ownBot(s), bot_owner_id: s.pick(s.users) }),
  },
  updateUser: {
    weight: 1,
    run: ({ who, pick, users, word, chance }) =>
      updateUser(who, {
        user_id: pick(users),
        ...(chance(0.5) ? { full_name: `Given ${word()}` } : { role: pick([200, 300, 400, 600]) }),
      }),
  },
  deactivate: { weight: 0.7, run: ({ who, pick, users }) => deactivateUser(who, { user_id: pick(users) }) },
  reactivate: { weight: 1.5, run: ({ who, pick, users }) => reactivateUser(who, { user_id: pick(users) }) },

  createGroup: {
    weight: 1,
    run: ({ who, pick, users, word }) =>
      createGroup(who, { name: `group ${word()}`, description: '', members: [pick(users)] }),
  },
  updateGroup: {
    weight: 1,
    run: async (s) =>
      updateGroup(s.who, { user_group_id: await ownGroup(s), name: `group ${s.word()}`, description: s.word() }),
  },
  groupMembers: {
    weight: 2,
    run: ({ who, pick, groups, users, chance }) =>
      changeMembers(who, {
        user_group_id: pick(groups),
        ...(chance(0.6) ? { add: [pick(users)] } : { delete: [pick(users)] }),
        ...(chance(0.2) && { add_subgroups: [pick(groups)] }),
      }),
  },
  subgroups: {
    weight: 2,
    async run(s) {
      const user_group_id = await ownGroup(s)
      const subgroup = s.pick(s.groups)
      await changeSubgroups(s.who, { user_group_id, add: [subgroup] })
      if (s.chance(0.5)) await changeSubgroups(s.who, { user_group_id, delete: [subgroup] })
    },
  },
  deactivateGroup: {
    weight: 0.5,
    run: async (s) => deactivateGroup(s.who, { user_group_id: await ownGroup(s) }),
  },

  organization: {
    weight: 2,
    run: ({ who, pick, groups, streams, word }) =>
      updateOrganization(
        who,
        pick([
          { name: `Org ${word()}` },
          { description: word() },
          { topics_policy: pick(['allow_empty_topic', 'disable_empty_topic'] as const) },
          { message_content_edit_limit_seconds: pick([60, 'unlimited'] as const) },
          { waiting_period_threshold: pick([0, 3]) },
          { can_create_public_channel_group: pick(groups) },
          { can_create_private_channel_group: { new: { direct_members: [], direct_subgroups: [pick(groups)] } } },
          { direct_message_initiator_group: pick(groups) },
          { new_stream_announcements_stream_id: pick(streams).id },
          { signup_announcements_stream_id: pick(streams).id },
          { default_language: pick(['en', 'de'] as const) },
          { can_add_subscribers_group: pick(groups) },
        ]),
      ),
  },
  openToAll: {
    weight: 1,
    async run({ who, pick, streams, chance }) {
      await updateOrganization(who, { enable_spectator_access: chance(0.8) })
      await updateStream(who, { stream_id: pick(streams).id, is_web_public: chance(0.6) })
    },
  },
  expire: {
    weight: 0.4,
    async run({ who, pick }) {
      await updateOrganization(who, { message_retention_days: pick([1, 'unlimited'] as const) })
      await expireMessages(who.chat)
    },
  },
  limitGuests: {
    weight: 0.8,
    // System groups come first: of these, members and everyone.
    run: ({ who, pick, groups }) => updateOrganization(who, { can_access_all_users_group: pick(groups.slice(5, 7)) }),
  },
  emailVisibility: {
    weight: 0.8,
    run: ({ who, pick }) => updateSettings(who, { email_address_visibility: pick([1, 2, 3, 4, 5] as const) }),
  },
  email: { weight: 0.6, run: ({ who, word }) => updateSettings(who, { email: `${word()}@example.org` }) },
  emailOf: {
    weight: 0.3,
    run: ({ who, pick, users, word }) => updateUser(who, { user_id: pick(users), new_email: `${word()}@example.net` }),
  },
  emoji: {
    weight: 0.5,
    run: ({ who, word }) =>
      uploadCustomEmoji(who, { emoji_name: `e${word()}`, filename: { name: 'e.png', bytes: png() } }),
  },
  removeEmoji: {
    weight: 0.3,
    // Of their own, since few names exist.
    run: async ({ who, word }) => {
      const emoji_name = `e${word()}`
      await uploadCustomEmoji(who, { emoji_name, filename: { name: 'e.png', bytes: png() } })
      return deactivateCustomEmoji(who, { emoji_name })
    },
  },
  createField: {
    weight: 0.6,
    run: ({ who, word }) => createProfileField(who, { name: `Field ${word()}`, field_type: 1 } as never),
  },
  linkifier: {
    weight: 0.8,
    async run({ who, pick, chance, linkifiers, word }) {
      const w = word()
      const params = { pattern: `${w}-(?P<id>[0-9]+)`, url_template: `https://${w}.example.com/{id}` }
      if (chance(0.5)) return await createLinkifier(who, params)
      const filter_id = pick([...linkifiers, 0])
      const change = pick([
        () => updateLinkifier(who, { filter_id, ...params }),
        () => reorderLinkifiers(who, { ordered_linkifier_ids: linkifiers.toReversed() }),
        () => removeLinkifier(who, { filter_id }),
      ])
      await change()
    },
  },
  webhookTemplate: {
    weight: 0.8,
    async run({ who, pick, chance, word, number }) {
      const name = pick([word(), `t${number(1e9)}`])
      const { id: template_id } = await createWebhookTemplate(who, { name, content: '{{ a }}' })
      if (chance(0.5)) await updateWebhookTemplate(who, { template_id, event: '{{ b }}' })
      // "github" is taken, and "zulip" comes after the other names.
      if (chance(0.3)) await updateWebhookTemplate(who, { template_id, name: pick(['github', 'zulip', 'a']) })
      if (chance(0.5)) await removeWebhookTemplate(who, { template_id })
    },
  },
  botCommand: {
    weight: 3,
    async run(s) {
      const { who, pick, chance, word } = s
      if (chance(0.6)) {
        const command = { name: word(), description: word() }
        return await registerBotCommand(who, { bot_id: await ownBot(s), ...command })
      }
      const { bot_commands } = await listBotCommands(who)
      await removeBotCommand(who, { command_id: pick([...bot_commands.map(({ id }) => id), 0]) })
    },
  },
  callCommand: {
    weight: 3,
    async run({ who, pick, chance, streams, topics }) {
      const { bot_commands } = await listBotCommands(who)
      if (bot_commands.length === 0) return
      const { name, bot_id } = pick(bot_commands)
      const content = `/${name} now`
      // Bots get nothing from channels they aren't in.
      if (chance(0.5)) await sendMessage(who, { type: 'direct', to: [bot_id], content })
      else await sendMessage(who, { type: 'stream', to: pick(streams).id, topic: pick(topics), content })
    },
  },
  playground: {
    weight: 0.5,
    run: ({ who, pick, chance, playgrounds, word }) =>
      chance(0.6)
        ? createPlayground(who, { name: word(), pygments_language: 'Python', url_template: 'https://x.com/{code}' })
        : removePlayground(who, { playground_id: pick(playgrounds) }),
  },
  contentFilter: {
    weight: 0.5,
    async run({ who, number, chance }) {
      const { id } = await createContentFilter(who, { kind: 'word', pattern: `x${number(1e9)}`, action: 'flag' })
      if (chance(0.5)) await removeContentFilter(who, { content_filter_id: id })
    },
  },
  invite: {
    weight: 1,
    async run({ who, pick, streams, number, chance }) {
      const invitee_emails = `i${number(1e9)}@example.com`
      const { invitations } = await sendInvites(who, { invitee_emails, stream_ids: [pick(streams).id] })
      const link = new URL(invitations[0]!.link_url)
      const token = link.searchParams.get('token')!
      if (chance(0.7)) await acceptInvitation(who, { token, full_name: 'Invited', password: 'secret secret' })
    },
  },
  inviteByLink: {
    weight: 0.5,
    async run({ who }) {
      await createInviteLink(who, {})
      const { invites } = await listInvites(who)
      const link = invites.find((one) => one.is_multiuse)
      if (link) await revokeInviteLink(who, { invite_id: link.id })
    },
  },
  settingsDefault: {
    weight: 0.5,
    run: ({ who, chance }) =>
      updateSettingsDefaults(who, { twenty_four_hour_time: chance(0.5), enter_sends: chance(0.5) }),
  },
  onboarding: {
    weight: 0.5,
    run: ({ who, pick }) =>
      markOnboardingStep(who, { onboarding_step: pick(['intro_resolve_topic', 'intro_inbox_view_modal']) }),
  },
  streamGroup: {
    weight: 1,
    async run({ who, pick, streams, number, word, chance }) {
      const group_name = `group ${number(1e9)}`
      const stream_names = [pick(streams).name]
      await createStreamGroup(who, { group_name, description: word(), stream_names })
      const { realm_default_stream_groups = [] } = await register(who, { fetch_event_types: ['default_stream_groups'] })
      const { id: group_id } = realm_default_stream_groups.at(-1)!
      if (chance(0.3)) await updateStreamGroup(who, { group_id, new_description: word() })
      if (chance(0.3)) await changeStreamGroup(who, { group_id, op: 'remove', stream_names })
      if (chance(0.2)) await removeStreamGroup(who, { group_id })
    },
  },
  domain: {
    weight: 1,
    async run({ who, word, chance, number }) {
      const domain = `${word()}${number(1e9)}.example.org`
      await addDomain(who, { domain, allow_subdomains: false })
      if (chance(0.5)) await updateDomain(who, { domain, allow_subdomains: true })
      if (chance(0.5)) await removeDomain(who, { domain })
    },
  },
  export: {
    weight: 0.3,
    async run({ who, chance }) {
      await updateSettings(who, { allow_private_data_export: chance(0.5) })
      const { id: export_id } = await startExport(who, { export_type: chance(0.5) ? 1 : 2 })
      await exporterOf(who.chat).settled()
      if (chance(0.5)) await deleteExport(who, { export_id })
    },
  },
  ownExport: {
    weight: 0.2,
    async run({ who, chance }) {
      const { id: export_id } = await startOwnExport(who)
      await exporterOf(who.chat).settled()
      if (chance(0.5)) await deleteOwnExport(who, { export_id })
    },
  },
  removeField: { weight: 0.2, run: ({ who, pick, fields }) => removeProfileField(who, { field_id: pick(fields) }) },
}
