import type { ClientEvent, ClientState, Reducer } from './client-state.ts'
import { findUnread, putUnread, recount, removeUnread, type UnreadPlace } from './unread-state.ts'

const mentions = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned', 'wildcard_mentioned']

/** Reactions, typing and the like change messages, which are no part of the state. */
const ofMessages: Reducer = () => {}

export const messageReducers: Record<string, Reducer> = {
  message(state, { message, flags }) {
    state.max_message_id = Math.max(state.max_message_id, message.id)
    const people: { id: number }[] = message.type === 'private' ? message.display_recipient : []
    const others = people.map((person) => person.id).filter((id) => id !== state.user_id)
    if (message.type === 'private') recordConversation(state, others, message.id)
    if (flags.includes('read')) return
    const place: UnreadPlace =
      message.type === 'private' ? { user_ids: others } : { stream_id: message.stream_id, topic: message.subject }
    putUnread(
      state,
      place,
      message.id,
      mentions.some((flag) => flags.includes(flag)),
    )
  },

  update_message(state, event) {
    const { message_id, message_ids, flags, stream_id, new_stream_id, subject, propagate_mode } = event
    if (event.rendered_content !== undefined) setMention(state, message_id, flags)
    if (propagate_mode === undefined) return
    const unread = message_ids.filter((id: number) => 'stream_id' in (findUnread(state, id) ?? {}))
    const mentioned = new Set(state.unread_msgs.mentions)
    removeUnread(state, unread)
    const place = { stream_id: new_stream_id ?? stream_id, topic: subject ?? event.orig_subject }
    for (const id of unread) putUnread(state, place, id, mentioned.has(id))
  },

  delete_message(state, { message_ids, message_id }) {
    const ids: number[] = message_ids ?? [message_id]
    removeUnread(state, ids)
    state.starred_messages = without(state.starred_messages, ids)
    // Which message is now the newest no event tells; clients find out with the next one.
    state.deleted_messages.push(...ids)
  },

  update_message_flags(state, { op, flag, messages, all, message_details }) {
    if (flag === 'starred') {
      const kept = without(state.starred_messages, messages)
      state.starred_messages = op === 'add' ? sorted([...kept, ...messages]) : kept
    }
    if (flag !== 'read') return
    if (op === 'add') {
      if (all) state.unread_msgs = { ...state.unread_msgs, pms: [], streams: [], huddles: [], mentions: [], count: 0 }
      else removeUnread(state, messages)
      return
    }
    for (const id of messages) {
      const { type, mentioned, user_ids, stream_id, topic } = message_details[id]
      putUnread(state, type === 'private' ? { user_ids } : { stream_id, topic }, id, mentioned === true)
    }
  },

  scheduled_messages(state, { op, scheduled_messages, scheduled_message, scheduled_message_id }) {
    const added = op === 'add' ? scheduled_messages : op === 'update' ? [scheduled_message] : []
    const gone: number[] = [scheduled_message_id, ...added.map((one: ClientEvent) => one.scheduled_message_id)]
    state.scheduled_messages = [
      ...state.scheduled_messages.filter((one: ClientEvent) => !gone.includes(one.scheduled_message_id)),
      ...added,
    ]
  },

  reaction: ofMessages,
  submessage: ofMessages,
  typing: ofMessages,
  typing_edit_message: ofMessages,
}

function recordConversation(state: ClientState, user_ids: number[], max_message_id: number): void {
  const key = user_ids.join()
  const rest = state.recent_private_conversations.filter((one: ClientEvent) => one.user_ids.join() !== key)
  state.recent_private_conversations = [{ max_message_id, user_ids }, ...rest]
}

/** After an edit a message may mention the user no longer, or for the first time. */
function setMention(state: ClientState, id: number, flags: readonly string[]): void {
  if (!findUnread(state, id)) return
  const rest = without(state.unread_msgs.mentions, [id])
  state.unread_msgs.mentions = mentions.some((flag) => flags.includes(flag)) ? sorted([...rest, id]) : rest
  recount(state)
}

export const sorted = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)
export const without = (ids: readonly number[], gone: readonly number[]): number[] =>
  ids.filter((id) => !gone.includes(id))
