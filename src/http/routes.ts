import { deactivateCustomEmoji } from '../core/emoji/deactivate.ts'
import { listCustomEmoji } from '../core/emoji/list.ts'
import { uploadCustomEmoji } from '../core/emoji/upload.ts'
import { deleteQueue, getEvents } from '../core/events/poll.ts'
import { register } from '../core/events/register.ts'
import { createGroup } from '../core/groups/create.ts'
import { deactivateGroup } from '../core/groups/deactivate.ts'
import { listGroups } from '../core/groups/list.ts'
import { changeMembers, isMember, listMembers } from '../core/groups/members.ts'
import { changeSubgroups, listSubgroups } from '../core/groups/subgroups.ts'
import { updateGroup } from '../core/groups/update.ts'
import { deleteMessage } from '../core/messages/delete.ts'
import { getMessage, getMessages } from '../core/messages/fetch.ts'
import { markAllAsRead, markStreamAsRead, markTopicAsRead } from '../core/messages/mark-read.ts'
import { addReaction, removeReaction } from '../core/messages/reactions.ts'
import { sendMessage } from '../core/messages/send.ts'
import { getServerSettings } from '../core/organization/server-settings.ts'
import { addDefault, removeDefault } from '../core/streams/default-streams.ts'
import { getStream, getStreamId, listStreams } from '../core/streams/list.ts'
import { subscribe } from '../core/streams/subscribe.ts'
import { getSubscriptions } from '../core/streams/subscriptions.ts'
import { unsubscribe } from '../core/streams/unsubscribe.ts'
import { createUser } from '../core/users/create.ts'
import { fetchApiKey } from '../core/users/keys.ts'
import { getOwnUser, getUser, getUserByEmail, listUsers } from '../core/users/list.ts'
import { removeProfileData, updateProfileData } from '../core/users/profile-data.ts'
import {
  createProfileField,
  listProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from '../core/users/profile-fields.ts'
import type { Routes } from './table.ts'

/** The table of contents of the API: path below /api/v1, method, action. No logic. */
export const routes: Routes = {
  // Before signing in
  '/server_settings': { GET: getServerSettings },
  '/fetch_api_key': { POST: fetchApiKey },

  // Messages
  '/messages': { GET: getMessages, POST: sendMessage },
  '/messages/:message_id(\\d+)': { GET: getMessage, DELETE: deleteMessage },
  '/messages/:message_id(\\d+)/reactions': { POST: addReaction, DELETE: removeReaction },
  '/mark_all_as_read': { POST: markAllAsRead },
  '/mark_stream_as_read': { POST: markStreamAsRead },
  '/mark_topic_as_read': { POST: markTopicAsRead },

  // Streams
  '/streams': { GET: listStreams },
  '/streams/:stream_id(\\d+)': { GET: getStream },
  '/get_stream_id': { GET: getStreamId },
  '/default_streams': { POST: addDefault, DELETE: removeDefault },
  '/users/me/subscriptions': { GET: getSubscriptions, POST: subscribe, DELETE: unsubscribe },

  // Users
  '/users': { GET: listUsers, POST: createUser },
  '/users/me': { GET: getOwnUser },
  '/users/me/profile_data': { PATCH: updateProfileData, DELETE: removeProfileData },
  '/users/:user_id(\\d+)': { GET: getUser },
  '/users/:email': { GET: getUserByEmail },

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
  '/realm/profile_fields': { GET: listProfileFields, POST: createProfileField, PATCH: reorderProfileFields },
  '/realm/profile_fields/:field_id(\\d+)': { PATCH: updateProfileField, DELETE: removeProfileField },

  // Events
  '/register': { POST: register },
  '/events': { GET: getEvents, DELETE: deleteQueue },
}
