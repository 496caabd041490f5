import { signal } from '@preact/signals'
import { type Conversation, conversationKey } from '../reading/conversations.ts'
import { perSession, type Session } from '../state/session.ts'

/** Where topics went that were moved or renamed while the page was open, by the key of the old conversation. */
const moves = perSession((session) => {
  const known = signal<ReadonlyMap<string, Conversation>>(new Map())
  session.live.onChange((change) => {
    if (change.type !== 'event') return
    const { event } = change
    if (event.type === 'message' && event.message.type === 'stream') {
      const { stream_id, subject: topic } = event.message
      // Somebody writes there again.
      known.value = without(known.peek(), { type: 'stream', stream_id, topic })
    }
    if (event.type !== 'update_message' || event.stream_id === undefined || event.orig_subject === undefined) return
    if (event.propagate_mode === undefined || event.propagate_mode === 'change_one') return
    const from = { type: 'stream', stream_id: event.stream_id, topic: event.orig_subject } as const
    const stream_id = event.new_stream_id ?? event.stream_id
    const to = { type: 'stream', stream_id, topic: event.subject ?? event.orig_subject } as const
    const same = conversationKey(from) === conversationKey(to)
    if (!same) known.value = new Map(without(known.peek(), to)).set(conversationKey(from), to)
  })
  return known
})

function without(all: ReadonlyMap<string, Conversation>, conversation: Conversation) {
  const key = conversationKey(conversation)
  return all.has(key) ? new Map([...all].filter(([one]) => one !== key)) : all
}

/** Where a conversation has gone, as far as the page has seen it go. */
export const movedTo = (session: Session, conversation: Conversation): Conversation | undefined =>
  moves(session).value.get(conversationKey(conversation))

/** The old place is meant all the same. */
export const forgetMove = (session: Session, conversation: Conversation): void => {
  moves(session).value = without(moves(session).peek(), conversation)
}
