import { type Signal, signal } from '@preact/signals'
import { perSession, type Session } from '../state/session.ts'
import { type Conversation, conversationKey, othersOf } from './conversations.ts'

/** Users who are typing, by the key of the conversation. */
const typers = perSession((session): Signal<ReadonlyMap<string, ReadonlySet<number>>> => {
  const now = signal<ReadonlyMap<string, ReadonlySet<number>>>(new Map())
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const set = (key: string, user_id: number, isTyping: boolean) => {
    const those = new Set(now.value.get(key))
    if (isTyping) those.add(user_id)
    else those.delete(user_id)
    now.value = new Map(now.value).set(key, those)
  }
  session.live.onChange((change) => {
    if (change.type !== 'event') return
    const { event } = change
    const own = session.state.user_id
    if (event.type === 'message') {
      const { message } = event
      const key =
        message.type === 'stream'
          ? conversationKey({ type: 'stream', stream_id: message.stream_id, topic: message.subject })
          : conversationKey({
              type: 'direct',
              user_ids: othersOf(
                message.display_recipient.map(({ id }) => id),
                own,
              ),
            })
      if (now.value.get(key)?.has(message.sender_id)) set(key, message.sender_id, false)
    }
    if (event.type !== 'typing' || event.sender.user_id === own) return
    const key =
      event.message_type === 'stream'
        ? conversationKey({ type: 'stream', stream_id: event.stream_id!, topic: event.topic! })
        : conversationKey({
            type: 'direct',
            user_ids: othersOf(
              event.recipients!.map((one) => one.user_id),
              own,
            ),
          })
    const { user_id } = event.sender
    const timerKey = `${key} ${user_id}`
    clearTimeout(timers.get(timerKey))
    set(key, user_id, event.op === 'start')
    const expiry = session.state.server_typing_started_expiry_period_milliseconds
    if (event.op === 'start')
      timers.set(
        timerKey,
        setTimeout(() => set(key, user_id, false), expiry),
      )
  })
  return now
})

export const typersIn = (session: Session, conversation: Conversation): number[] => [
  ...(typers(session).value.get(conversationKey(conversation)) ?? []),
]
