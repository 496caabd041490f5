import type { Message } from '../../../src/client/index.ts'
import { go } from '../state/route.ts'
import type { Session } from '../state/session.ts'
import { addressOf, conversationOf, streamName, topicName } from './conversations.ts'
import { mutesOf } from './unread.ts'

/** Shows a note of the system for what concerns the reader while they look elsewhere. Returns a function that ends it. */
export const notifyOnDesktop = (session: Session): (() => void) =>
  session.live.onChange((change) => {
    if (change.type !== 'event' || change.event.type !== 'message') return
    const { message, flags } = change.event
    if (flags.includes('read') || document.hasFocus()) return
    if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
    if (concerns(session, { ...message, flags })) show(session, { ...message, flags })
  })

const FOLLOWED = 3

function concerns({ state }: Session, message: Message): boolean {
  const { user_settings: settings, subscriptions, user_topics } = state
  if (message.type === 'private') return settings.enable_desktop_notifications
  const { stream_id, subject, flags } = message
  if (flags.includes('mentioned')) return settings.enable_desktop_notifications
  if (mutesOf(state)(stream_id, subject)) return false
  const isFollowed = user_topics.some(
    (one) =>
      one.visibility_policy === FOLLOWED &&
      one.stream_id === stream_id &&
      one.topic_name.toLowerCase() === subject.toLowerCase(),
  )
  if (isFollowed && settings.enable_followed_topic_desktop_notifications) return true
  const stream = subscriptions.find((one) => one.stream_id === stream_id)
  return stream?.desktop_notifications ?? settings.enable_stream_desktop_notifications
}

function show(session: Session, message: Message): void {
  const { state } = session
  const conversation = conversationOf(message, state.user_id)
  const where =
    conversation.type === 'stream'
      ? ` (${streamName(state, conversation.stream_id) ?? ''} › ${topicName(conversation.topic, state)})`
      : ''
  const isHidden = message.type === 'private' && !state.user_settings.pm_content_in_desktop_notifications
  const body = isHidden ? 'New direct message' : plain(message.content)
  const options = { body, tag: String(message.id), ...(message.avatar_url && { icon: message.avatar_url }) }
  const note = new Notification(`${message.sender_full_name}${where}`, options)
  note.onclick = () => {
    focus()
    go(addressOf(conversation, state, message.id))
    note.close()
  }
}

const plain = (html: string): string =>
  new DOMParser().parseFromString(html, 'text/html').body.textContent?.trim() ?? ''
