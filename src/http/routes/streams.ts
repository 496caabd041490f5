import { getStreamEmail, revokeStreamEmail } from '../../core/mail/receiving/channel-address.ts'
import { deleteTopic } from '../../core/messages/edit/delete-topic.ts'
import { listPinnedMessages } from '../../core/messages/pins.ts'
import { addDefaultStream, removeDefaultStream } from '../../core/streams/default-streams.ts'
import {
  changeStreamGroup,
  createStreamGroup,
  removeStreamGroup,
  updateStreamGroup,
} from '../../core/streams/edit-default-stream-groups.ts'
import {
  createChannelFolder,
  listChannelFolders,
  reorderChannelFolders,
  updateChannelFolder,
} from '../../core/streams/edit-folders.ts'
import { getStream, getStreamId, listStreams } from '../../core/streams/list.ts'
import { archiveStream } from '../../core/streams/management/archive-stream.ts'
import { updateStream } from '../../core/streams/management/update-stream.ts'
import { changeSubscriptions } from '../../core/streams/subscriptions/change-subscriptions.ts'
import { createChannel } from '../../core/streams/subscriptions/create-channel.ts'
import { getSubscribers, getSubscriptions, isSubscribed } from '../../core/streams/subscriptions/list.ts'
import { updateProperties, updateProperty } from '../../core/streams/subscriptions/properties.ts'
import { subscribe } from '../../core/streams/subscriptions/subscribe.ts'
import { unsubscribe } from '../../core/streams/subscriptions/unsubscribe.ts'
import { getTopics } from '../../core/streams/topics.ts'
import { muteTopic, updateUserTopic } from '../../core/streams/user-topics.ts'
import type { Routes } from '../route-types.ts'

/** Streams, subscriptions and topics. */
export const streamRoutes: Routes = {
  '/streams': { GET: listStreams },
  '/streams/:stream_id(\\d+)': { GET: getStream, PATCH: updateStream, DELETE: archiveStream },
  '/streams/:stream_id(\\d+)/members': { GET: getSubscribers },
  '/streams/:stream_id(\\d+)/pinned_messages': { GET: listPinnedMessages },
  '/streams/:stream_id(\\d+)/delete_topic': { POST: deleteTopic },
  '/users/me/:stream_id(\\d+)/topics': { GET: getTopics },
  '/channels/create': { POST: createChannel },
  '/channel_folders': { GET: listChannelFolders, PATCH: reorderChannelFolders },
  '/channel_folders/create': { POST: createChannelFolder },
  '/channel_folders/:channel_folder_id(\\d+)': { PATCH: updateChannelFolder },
  '/get_stream_id': { GET: getStreamId },
  '/default_streams': { POST: addDefaultStream, DELETE: removeDefaultStream },
  '/users/me/subscriptions': {
    GET: getSubscriptions,
    POST: subscribe,
    PATCH: changeSubscriptions,
    DELETE: unsubscribe,
  },
  '/default_stream_groups/create': { POST: createStreamGroup },
  '/default_stream_groups/:group_id(\\d+)': { PATCH: updateStreamGroup, DELETE: removeStreamGroup },
  '/default_stream_groups/:group_id(\\d+)/streams': { PATCH: changeStreamGroup },
  '/streams/:stream_id(\\d+)/email_address': { GET: getStreamEmail, DELETE: revokeStreamEmail },
  '/users/me/subscriptions/:stream_id(\\d+)': { PATCH: updateProperty },
  '/users/me/subscriptions/properties': { POST: updateProperties },
  '/users/me/subscriptions/muted_topics': { PATCH: muteTopic },
  '/users/:user_id(\\d+)/subscriptions/:stream_id(\\d+)': { GET: isSubscribed },
  '/user_topics': { POST: updateUserTopic },
}
