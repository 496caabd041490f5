import { createDrafts, deleteDraft, listDrafts, updateDraft } from '../../core/messages/drafts.ts'
import { deleteMessage } from '../../core/messages/edit/delete.ts'
import { updateMessage } from '../../core/messages/edit/edit.ts'
import { updateFlags } from '../../core/messages/flags.ts'
import { withdrawHeldMessage } from '../../core/messages/held-messages.ts'
import { getHistory } from '../../core/messages/history.ts'
import { markAllAsRead, markStreamAsRead, markTopicAsRead } from '../../core/messages/mark-as-read.ts'
import { pinMessage, unpinMessage } from '../../core/messages/pins.ts'
import { addReaction, removeReaction } from '../../core/messages/reactions.ts'
import { getReadReceipts } from '../../core/messages/receipts.ts'
import { reportMessage } from '../../core/messages/report.ts'
import {
  createSavedSnippet,
  deleteSavedSnippet,
  listSavedSnippets,
  updateSavedSnippet,
} from '../../core/messages/saved-snippets.ts'
import { createReminder, deleteReminder, listReminders } from '../../core/messages/scheduled/reminders.ts'
import {
  createScheduledMessage,
  deleteScheduledMessage,
  listScheduledMessages,
  updateScheduledMessage,
} from '../../core/messages/scheduled/scheduled-messages.ts'
import { renderMessage } from '../../core/messages/send/preview.ts'
import { sendMessage } from '../../core/messages/send/send.ts'
import { setTyping, setTypingForEdit } from '../../core/messages/typing.ts'
import { addSubmessage } from '../../core/messages/widgets/submessages.ts'
import { decideHeldMessage, listHeldMessages } from '../../core/moderation/held-messages.ts'
import { listReports, updateReport } from '../../core/moderation/reports.ts'
import { getMessages } from '../../core/narrow/fetch.ts'
import { updateFlagsForNarrow } from '../../core/narrow/flags-for-narrow.ts'
import { getMessage } from '../../core/narrow/get-message.ts'
import { matchesNarrow } from '../../core/narrow/match-messages.ts'
import type { Routes } from '../route-types.ts'

/** Messages: sending, reading, changing, flags. */
export const messageRoutes: Routes = {
  '/messages': { GET: getMessages, POST: sendMessage },
  '/messages/render': { POST: renderMessage },
  '/messages/:message_id(\\d+)': { GET: getMessage, PATCH: updateMessage, DELETE: deleteMessage },
  '/messages/:message_id(\\d+)/reactions': { POST: addReaction, DELETE: removeReaction },
  '/messages/:message_id(\\d+)/pin': { POST: pinMessage, DELETE: unpinMessage },
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
  '/messages/:message_id(\\d+)/report': { POST: reportMessage },
  '/held_messages': { GET: listHeldMessages },
  '/held_messages/:held_message_id(\\d+)': { PATCH: decideHeldMessage },
  '/users/me/held_messages/:held_message_id(\\d+)': { DELETE: withdrawHeldMessage },
  '/reports': { GET: listReports },
  '/reports/:report_id(\\d+)': { PATCH: updateReport },
  '/reminders': { GET: listReminders, POST: createReminder },
  '/reminders/:reminder_id(\\d+)': { DELETE: deleteReminder },
  '/saved_snippets': { GET: listSavedSnippets, POST: createSavedSnippet },
  '/saved_snippets/:saved_snippet_id(\\d+)': { PATCH: updateSavedSnippet, DELETE: deleteSavedSnippet },
}
