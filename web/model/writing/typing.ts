import type { Conversation } from '../reading/conversations.ts'
import { conversationKey } from '../reading/conversations.ts'
import { perSession } from '../state/session.ts'

interface TypingNotices {
  /** A key was pressed. */
  typed(conversation: Conversation): void
  /** It was sent, or the box was emptied. */
  stopped(): void
}

/** Tells the others in a conversation that the user is typing, as often as the server requires. */
export const typingNotices = perSession((session): TypingNotices => {
  let writing: { conversation: Conversation; key: string; since: number } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function tell(op: 'start' | 'stop', conversation: Conversation): void {
    const { send_private_typing_notifications, send_stream_typing_notifications } = session.state.user_settings
    if (conversation.type === 'direct') {
      if (!send_private_typing_notifications || conversation.user_ids.length === 0) return
      void session.client.setTyping({ op, type: 'direct', to: [...conversation.user_ids] }).catch(() => {})
      return
    }
    const { stream_id, topic } = conversation
    if (!send_stream_typing_notifications) return
    void session.client.setTyping({ op, type: 'stream', stream_id, topic }).catch(() => {})
  }
  function stopped(): void {
    clearTimeout(timer)
    if (writing) tell('stop', writing.conversation)
    writing = undefined
  }
  return {
    typed(conversation) {
      const {
        server_typing_started_wait_period_milliseconds: again,
        server_typing_stopped_wait_period_milliseconds: quiet,
      } = session.state
      const key = conversationKey(conversation)
      if (writing && writing.key !== key) stopped()
      if (!writing || Date.now() - writing.since > again) {
        writing = { conversation, key, since: Date.now() }
        tell('start', conversation)
      }
      clearTimeout(timer)
      timer = setTimeout(stopped, quiet)
    },
    stopped,
  }
})
