import type { ClientState, Reducers } from './client-state.ts'
import { findUnread, putUnread, recount, removeUnread, type UnreadPlace } from './unread-state.ts'

const mentions = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned', 'wildcard_mentioned'] as const
const isMention = (flags: readonly string[]): boolean => mentions.some((flag) => flags.includes(flag))

/** These events change messages, which aren't part of the state. */
const ofMessages = () => {}

export const messageReducers = {
  message(state, { message, flags }) {
    state.max_message_id = Math.max(state.max_message_id, message.id)
    let place: UnreadPlace
    if (message.type === 'private') {
      const user_ids = message.display_recipient.map((person) => person.id).filter((id) => id !== state.user_id)
      recordConversation(state, user_ids, message.id)
      place = { user_ids }
    } else place = { stream_id: message.stream_id, topic: message.subject }
    if (!flags.includes('read')) putUnread(state, place, message.id, isMention(flags))
  },

  update_message(state, event) {
    const { message_id, message_ids, flags, stream_id, new_stream_id, subject, propagate_mode } = event
    if (event.rendered_content !== undefined) setMention(state, message_id, flags)
    if (propagate_mode === undefined) return
    const unread = message_ids.filter((id) => 'stream_id' in (findUnread(state, id) ?? {}))
    const mentioned = new Set(state.unread_msgs.mentions)
    removeUnread(state, unread)
    const place = { stream_id: new_stream_id ?? stream_id!, topic: subject ?? event.orig_subject! }
    for (const id of unread) putUnread(state, place, id, mentioned.has(id))
  },

  delete_message(state, { message_ids, message_id }) {
    const ids = message_ids ?? [message_id!]
    removeUnread(state, ids)
    state.starred_messages = without(state.starred_messages, ids)
    // No event says which message is now the newest. Clients learn it with the next message.
    state.deleted_messages.push(...ids)
  },

  update_message_flags(state, event) {
    const { op, flag, messages } = event
    if (flag === 'starred') {
      const kept = without(state.starred_messages, messages)
      state.starred_messages = op === 'add' ? sorted([...kept, ...messages]) : kept
    }
    if (flag !== 'read') return
    if (event.op === 'add') {
      const none = { pms: [], streams: [], huddles: [], mentions: [], count: 0 }
      if (event.all) state.unread_msgs = { ...state.unread_msgs, ...none }
      else removeUnread(state, messages)
      return
    }
    for (const id of messages) {
      const detail = event.message_details![id]!
      const place = detail.type === 'private' ? { user_ids: detail.user_ids } : detail
      putUnread(state, place, id, detail.mentioned)
    }
  },

  scheduled_messages(state, event) {
    const added = event.op === 'add' ? event.scheduled_messages : event.op === 'update' ? [event.scheduled_message] : []
    const gone = new Set(added.map((one) => one.scheduled_message_id))
    if (event.op === 'remove') gone.add(event.scheduled_message_id)
    const rest = state.scheduled_messages.filter((one) => !gone.has(one.scheduled_message_id))
    state.scheduled_messages = [...rest, ...added]
  },

  drafts(state, event) {
    const put = event.op === 'add' ? event.drafts : event.op === 'update' ? [event.draft] : []
    const ids = new Set(event.op === 'remove' ? [event.draft_id] : put.map((one) => one.id))
    state.drafts = [...state.drafts.filter((one) => !ids.has(one.id)), ...put]
  },

  reminders(state, event) {
    if (event.op === 'add') state.reminders.push(...event.reminders)
    else state.reminders = state.reminders.filter((one) => one.reminder_id !== event.reminder_id)
  },
  saved_snippets(state, event) {
    const id = event.op === 'remove' ? event.saved_snippet_id : event.saved_snippet.id
    const rest = state.saved_snippets.filter((one) => one.id !== id)
    state.saved_snippets = event.op === 'remove' ? rest : [...rest, event.saved_snippet]
  },

  reaction: ofMessages,
  // Clients fetch the list again.
  pinned_messages() {},
  submessage: ofMessages,
  typing: ofMessages,
  typing_edit_message: ofMessages,
} satisfies Partial<Reducers>

function recordConversation(state: ClientState, user_ids: number[], max_message_id: number): void {
  const key = user_ids.join()
  const rest = state.recent_private_conversations.filter((one) => one.user_ids.join() !== key)
  state.recent_private_conversations = [{ max_message_id, user_ids }, ...rest]
}

/** An edited message may start or stop mentioning the user. */
function setMention(state: ClientState, id: number, flags: readonly string[]): void {
  if (!findUnread(state, id)) return
  const rest = without(state.unread_msgs.mentions, [id])
  state.unread_msgs.mentions = isMention(flags) ? sorted([...rest, id]) : rest
  recount(state)
}

export const sorted = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)
export const without = (ids: readonly number[], gone: readonly number[]): number[] =>
  ids.filter((id) => !gone.includes(id))
