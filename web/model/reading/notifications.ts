import type { ChatEvent, ClientState, Message } from '../../../src/client/index.ts'
import { texts } from '../../texts/texts.ts'
import { basePath } from '../here.ts'
import { isolated } from '../state/isolated.ts'
import type { Session } from '../state/session.ts'
import { addressOf, conversationOf, streamName, topicName } from './conversations.ts'
import { plainText } from './excerpt.ts'
import { hasOtherFocus } from './focused-tab.ts'
import { senderAvatar } from './people.ts'
import { followsOf, mutesOf } from './unread.ts'

/**
 * Shows a system notification and plays a sound if an event concerns the reader while they aren't looking at the page.
 */
export function notifyOf(session: Session, event: ChatEvent): void {
  if (event.type === 'update_message_flags' && event.flag === 'read' && event.op === 'add')
    void closeNotes(event.messages)
  if (event.type !== 'message' || event.flags.includes('read')) return
  const message = { ...event.message, flags: event.flags }
  const { note, sound } = attentionFor(session.state, message)
  if (note && 'Notification' in globalThis && Notification.permission === 'granted') void show(session, message)
  if (sound && !document.hasFocus()) void listenAlone(session.state.user_settings.notification_sound)
}

/** Removes the notifications of messages that were read here or elsewhere. */
async function closeNotes(ids: readonly number[]): Promise<void> {
  const notes = await (await navigator.serviceWorker?.getRegistration())?.getNotifications()
  for (const note of notes ?? []) if (ids.includes(note.data?.id)) note.close()
}

/** Plays a sound, unless the reader sees the message in another tab. */
async function listenAlone(name: string): Promise<void> {
  if (!(await hasOtherFocus())) listen(name)
}

/** Plays one of the sounds of notifications. */
export function listen(name: string): void {
  const play = async () => (await import('./sound.ts')).playSound(name)
  // Without an audio device or a connection there is no sound.
  play().catch(() => {})
}

const forReader: readonly string[] = ['mentioned', 'has_alert_word']
const forAll: readonly string[] = ['stream_wildcard_mentioned', 'topic_wildcard_mentioned', 'wildcard_mentioned']

/** How a message gets the reader's attention. */
interface Attention {
  note: boolean
  sound: boolean
}

/** By the account's settings, and the stream's own if it has any. */
function attentionFor(state: ClientState, message: Message): Attention {
  const { user_settings: settings, subscriptions } = state
  const personal = { note: settings.enable_desktop_notifications, sound: settings.enable_sounds }
  if (message.type === 'private') return personal
  const { stream_id, subject, flags } = message
  if (flags.includes('mentioned')) return personal
  if (mutesOf(state)(stream_id, subject)) return { note: false, sound: false }
  const stream = subscriptions.find((one) => one.stream_id === stream_id)
  const isFollowed = followsOf(state)(stream_id, subject)
  const countsAll =
    (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify) ||
    (stream?.wildcard_mentions_notify ?? settings.wildcard_mentions_notify)
  const isPersonal = flags.some((flag) => forReader.includes(flag) || (countsAll && forAll.includes(flag)))
  return {
    note:
      (isPersonal && personal.note) ||
      (isFollowed && settings.enable_followed_topic_desktop_notifications) ||
      (stream?.desktop_notifications ?? settings.enable_stream_desktop_notifications),
    sound:
      (isPersonal && personal.sound) ||
      (isFollowed && settings.enable_followed_topic_audible_notifications) ||
      (stream?.audible_notifications ?? settings.enable_stream_audible_notifications),
  }
}

async function show({ state }: Session, message: Message): Promise<void> {
  const conversation = conversationOf(message, state.user_id)
  const where =
    conversation.type === 'stream'
      ? ` (${isolated(streamName(state, conversation.stream_id) ?? '')} › ${isolated(topicName(conversation.topic, state))})`
      : ''
  const isHidden = message.type === 'private' && !state.user_settings.pm_content_in_desktop_notifications
  const notice = {
    title: `${isolated(message.sender_full_name)}${where}`,
    body: isHidden ? texts.shell.newDirectMessage : plainText(message.content),
    tag: String(message.id),
    address: `${basePath}${addressOf(conversation, state, message.id)}`,
    icon: senderAvatar(message),
  }
  const registration = await navigator.serviceWorker?.ready
  registration?.active?.postMessage({ notice })
}
