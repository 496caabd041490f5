import * as v from 'valibot'
import { draftsOf } from '../../messages/draft-rows.ts'
import { savedSnippetsOf } from '../../messages/saved-snippets.ts'
import { remindersOf } from '../../messages/scheduled/reminders.ts'
import { scheduledMessagesOf } from '../../messages/send/scheduled-view.ts'
import { newestReceived } from '../../read-state/newest-received.ts'
import { recentConversations } from '../../read-state/recent-conversations.ts'
import { starredMessages } from '../../read-state/stars.ts'
import { unreadMessages } from '../../read-state/unread.ts'
import { userSettingOf } from '../../settings/user.ts'
import { draftShape, savedSnippetShape } from '../../shapes/draft.ts'
import { scheduledMessageShape } from '../../shapes/message.ts'
import { navigationViewShape, reminderShape } from '../../shapes/personal.ts'
import { recentConversationShape, unreadMessagesShape } from '../../shapes/unread.ts'
import { ids, integer } from '../../shapes/values.ts'
import { navigationViewsOf } from '../../users/navigation-views.ts'
import { statePart } from '../log/state-part.ts'

/** Id of the newest message the user received or sent. */
export const messageState = statePart({ max_message_id: integer }, async (tx) => ({
  max_message_id: await newestReceived(tx),
}))

export const starredState = statePart({ starred_messages: ids }, async (tx) => ({
  starred_messages: await starredMessages(tx, tx.user),
}))

/** The user's unread messages. */
export const unreadState = statePart({ unread_msgs: unreadMessagesShape }, async (tx, { capabilities }) => ({
  unread_msgs: await unreadMessages(tx, { empty_topic_name: capabilities.empty_topic_name === true }),
}))

export const conversationState = statePart(
  { recent_private_conversations: v.array(recentConversationShape) },
  async (tx) => ({ recent_private_conversations: await recentConversations(tx) }),
)

export const scheduledState = statePart({ scheduled_messages: v.array(scheduledMessageShape) }, async (tx) => ({
  scheduled_messages: await scheduledMessagesOf(tx),
}))

/** Drafts, unless the user has turned off their synchronization. */
export const draftState = statePart({ drafts: v.array(draftShape) }, async (tx) => ({
  drafts: (await userSettingOf(tx, 'enable_drafts_synchronization')) ? await draftsOf(tx) : [],
}))

export const reminderState = statePart({ reminders: v.array(reminderShape) }, async (tx) => ({
  reminders: await remindersOf(tx),
}))

export const navigationState = statePart({ navigation_views: v.array(navigationViewShape) }, async (tx) => ({
  navigation_views: await navigationViewsOf(tx),
}))

export const savedSnippetState = statePart({ saved_snippets: v.array(savedSnippetShape) }, async (tx) => ({
  saved_snippets: await savedSnippetsOf(tx),
}))
