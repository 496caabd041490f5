import { createUser } from '../core/accounts/create.ts'
import { deactivateOwnUser, deactivateUser, reactivateUser } from '../core/accounts/deactivate.ts'
import { fetchApiKey } from '../core/accounts/fetch-api-key.ts'
import { endApiKey, listApiKeys, regenerateApiKey } from '../core/accounts/own-keys.ts'
import { updateSettings } from '../core/accounts/update-settings.ts'
import { updateUser, updateUserByEmail } from '../core/accounts/update-user.ts'
import { deactivateCustomEmoji } from '../core/emoji/custom/deactivate.ts'
import { listCustomEmoji } from '../core/emoji/custom/list.ts'
import { uploadCustomEmoji } from '../core/emoji/custom/upload.ts'
import { deleteQueue, getEvents } from '../core/event-queues/poll.ts'
import { register } from '../core/event-queues/register.ts'
import { createGroup } from '../core/groups/create.ts'
import { deactivateGroup } from '../core/groups/deactivate.ts'
import { listGroups } from '../core/groups/list.ts'
import { changeMembers, isMember, listMembers } from '../core/groups/members.ts'
import { changeSubgroups, listSubgroups } from '../core/groups/subgroups.ts'
import { updateGroup } from '../core/groups/update.ts'
import { createDrafts, deleteDraft, listDrafts, updateDraft } from '../core/messages/drafts.ts'
import { deleteMessage } from '../core/messages/edit/delete.ts'
import { deleteTopic } from '../core/messages/edit/delete-topic.ts'
import { updateMessage } from '../core/messages/edit/edit.ts'
import { updateFlags } from '../core/messages/flags.ts'
import { getHistory } from '../core/messages/history.ts'
import { markAllAsRead, markStreamAsRead, markTopicAsRead } from '../core/messages/mark-as-read.ts'
import { addReaction, removeReaction } from '../core/messages/reactions.ts'
import { getReadReceipts } from '../core/messages/receipts.ts'
import {
  createSavedSnippet,
  deleteSavedSnippet,
  listSavedSnippets,
  updateSavedSnippet,
} from '../core/messages/saved-snippets.ts'
import {
  createScheduledMessage,
  deleteScheduledMessage,
  listScheduledMessages,
  updateScheduledMessage,
} from '../core/messages/scheduled/scheduled-messages.ts'
import { renderMessage } from '../core/messages/send/preview.ts'
import { sendMessage } from '../core/messages/send/send.ts'
import { setTyping, setTypingForEdit } from '../core/messages/typing.ts'
import { addSubmessage } from '../core/messages/widgets/submessages.ts'
import { getMessage, getMessages, matchesNarrow } from '../core/narrow/fetch.ts'
import { updateFlagsForNarrow } from '../core/narrow/flags-for-narrow.ts'
import { getServerSettings } from '../core/organization/server-settings.ts'
import { updateOrganization } from '../core/organization/update.ts'
import { archiveStream } from '../core/streams/archive.ts'
import { addDefaultStream, removeDefaultStream } from '../core/streams/default-streams.ts'
import { getStream, getStreamId, listStreams } from '../core/streams/list.ts'
import { getTopics } from '../core/streams/topics.ts'
import { updateStream } from '../core/streams/update.ts'
import { muteTopic, updateUserTopic } from '../core/streams/user-topics.ts'
import { changeSubscriptions } from '../core/subscriptions/change-subscriptions.ts'
import { getSubscriptions } from '../core/subscriptions/list.ts'
import { updateProperties } from '../core/subscriptions/properties.ts'
import { subscribe } from '../core/subscriptions/subscribe.ts'
import { getSubscribers, isSubscribed } from '../core/subscriptions/subscribers.ts'
import { unsubscribe } from '../core/subscriptions/unsubscribe.ts'
import { addAlertWords, getAlertWords, removeAlertWords } from '../core/users/alert-words.ts'
import { getStorage, removeStorage, updateStorage } from '../core/users/bot-storage.ts'
import { getOwnUser, getUser, getUserByEmail, listUsers } from '../core/users/list.ts'
import { muteUser, unmuteUser } from '../core/users/muted-users.ts'
import { getPresence, getPresenceByEmail, getRealmPresence, updatePresence } from '../core/users/presence.ts'
import { removeProfileData, updateProfileData } from '../core/users/profile-data.ts'
import {
  createProfileField,
  listProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from '../core/users/profile-fields.ts'
import { getStatus, updateStatus } from '../core/users/status.ts'
import type { Routes } from './table.ts'

/** The table of contents of the API: path below /api/v1, method, action. No logic. */
export const routes: Routes = {
  // Before signing in
  '/server_settings': { GET: getServerSettings },
  '/fetch_api_key': { POST: fetchApiKey },

  // Messages
  '/messages': { GET: getMessages, POST: sendMessage },
  '/messages/render': { POST: renderMessage },
  '/messages/:message_id(\\d+)': { GET: getMessage, PATCH: updateMessage, DELETE: deleteMessage },
  '/messages/:message_id(\\d+)/reactions': { POST: addReaction, DELETE: removeReaction },
  '/messages/:message_id(\\d+)/history': { GET: getHistory },
  '/messages/:message_id(\\d+)/read_receipts': { GET: getReadReceipts },
  '/messages/matches_narrow': { GET: matchesNarrow },
  '/messages/flags': { POST: updateFlags },
  '/messages/flags/narrow': { POST: updateFlagsForNarrow },
  '/submessage': { POST: addSubmessage },
  '/mark_all_as_read': { POST: markAllAsRead },
  '/mark_stream_as_read': { POST: markStreamAsRead },
  '/mark_topic_as_read': { POST: markTopicAsRead },

  '/typing': { POST: setTyping },
  '/messages/:message_id(\\d+)/typing': { POST: setTypingForEdit },

  '/scheduled_messages': { GET: listScheduledMessages, POST: createScheduledMessage },
  '/scheduled_messages/:scheduled_message_id(\\d+)': { PATCH: updateScheduledMessage, DELETE: deleteScheduledMessage },
  '/drafts': { GET: listDrafts, POST: createDrafts },
  '/drafts/:draft_id(\\d+)': { PATCH: updateDraft, DELETE: deleteDraft },
  '/saved_snippets': { GET: listSavedSnippets, POST: createSavedSnippet },
  '/saved_snippets/:saved_snippet_id(\\d+)': { PATCH: updateSavedSnippet, DELETE: deleteSavedSnippet },

  // Streams
  '/streams': { GET: listStreams },
  '/streams/:stream_id(\\d+)': { GET: getStream, PATCH: updateStream, DELETE: archiveStream },
  '/streams/:stream_id(\\d+)/members': { GET: getSubscribers },
  '/streams/:stream_id(\\d+)/delete_topic': { POST: deleteTopic },
  '/users/me/:stream_id(\\d+)/topics': { GET: getTopics },
  '/get_stream_id': { GET: getStreamId },
  '/default_streams': { POST: addDefaultStream, DELETE: removeDefaultStream },
  '/users/me/subscriptions': {
    GET: getSubscriptions,
    POST: subscribe,
    PATCH: changeSubscriptions,
    DELETE: unsubscribe,
  },
  '/users/me/subscriptions/properties': { POST: updateProperties },
  '/users/me/subscriptions/muted_topics': { PATCH: muteTopic },
  '/users/:user_id(\\d+)/subscriptions/:stream_id(\\d+)': { GET: isSubscribed },
  '/user_topics': { POST: updateUserTopic },

  // Users
  '/users': { GET: listUsers, POST: createUser },
  '/users/me': { GET: getOwnUser, DELETE: deactivateOwnUser },
  '/users/me/api_keys': { GET: listApiKeys },
  '/users/me/api_keys/:key_id(\\d+)': { DELETE: endApiKey },
  '/users/me/api_key/regenerate': { POST: regenerateApiKey },
  '/users/me/alert_words': { GET: getAlertWords, POST: addAlertWords, DELETE: removeAlertWords },
  '/users/me/muted_users/:muted_user_id(\\d+)': { POST: muteUser, DELETE: unmuteUser },
  '/users/me/presence': { POST: updatePresence },
  '/users/me/status': { POST: updateStatus },
  '/users/me/profile_data': { PATCH: updateProfileData, DELETE: removeProfileData },
  '/users/:user_id(\\d+)': { GET: getUser, PATCH: updateUser, DELETE: deactivateUser },
  '/users/:user_id(\\d+)/reactivate': { POST: reactivateUser },
  '/users/:user_id(\\d+)/presence': { GET: getPresence },
  '/users/:user_id(\\d+)/status': { GET: getStatus },
  '/users/:email/presence': { GET: getPresenceByEmail },
  '/users/:email': { GET: getUserByEmail, PATCH: updateUserByEmail },
  '/bot_storage': { GET: getStorage, PUT: updateStorage, DELETE: removeStorage },
  '/settings': { PATCH: updateSettings },
  '/settings/notifications': { PATCH: updateSettings },

  // Groups
  '/user_groups': { GET: listGroups },
  '/user_groups/create': { POST: createGroup },
  '/user_groups/:user_group_id(\\d+)': { PATCH: updateGroup },
  '/user_groups/:user_group_id(\\d+)/deactivate': { POST: deactivateGroup },
  '/user_groups/:user_group_id(\\d+)/members': { GET: listMembers, POST: changeMembers },
  '/user_groups/:user_group_id(\\d+)/members/:user_id(\\d+)': { GET: isMember },
  '/user_groups/:user_group_id(\\d+)/subgroups': { GET: listSubgroups, POST: changeSubgroups },

  // Emoji
  '/realm/emoji': { GET: listCustomEmoji },
  '/realm/emoji/:emoji_name': { POST: uploadCustomEmoji, DELETE: deactivateCustomEmoji },

  // Organization
  '/realm': { PATCH: updateOrganization },
  '/realm/presence': { GET: getRealmPresence },
  '/realm/profile_fields': { GET: listProfileFields, POST: createProfileField, PATCH: reorderProfileFields },
  '/realm/profile_fields/:field_id(\\d+)': { PATCH: updateProfileField, DELETE: removeProfileField },

  // Events
  '/register': { POST: register },
  '/events': { GET: getEvents, DELETE: deleteQueue },
}
