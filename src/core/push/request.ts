import type { PostRequest } from '../../network/post.ts'
import type { WebPushSubscriptionTable } from '../../storage/index.ts'
import { displayTopicName } from '../kernel/base/topic-name.ts'
import type { Caller } from '../kernel/context.ts'
import { servedPath } from '../kernel/public-url.ts'
import { encodeHashComponent, narrowUrl } from '../markup/narrow-link.ts'
import { plainText } from '../markup/plain-text.ts'
import { userSettingOf } from '../settings/user.ts'
import type { MessageView } from '../shapes/message.ts'
import { serverKeyOf } from './server-key.ts'

/** Push services drop a notification that can't be delivered for this long. */
const TTL_SECONDS = 24 * 3600
/** Push services accept 4 KiB. This is less, even with four bytes per character. */
const MAX_TEXT = 400

/** The content of a notification. */
export interface Notice {
  title: string
  body: string
  /** Of several notifications with the same tag, browsers show one. */
  tag: string
  /** Address of the message in the web client, below the base path, such as `/#narrow/dm/8/near/93`. */
  address: string
}

/** Returns the request to a push service that notifies a browser. Only the browser can decrypt it. */
export async function requestFor(
  reader: Caller,
  { endpoint, p256dh, auth }: Pick<WebPushSubscriptionTable, 'endpoint' | 'p256dh' | 'auth'>,
  message: MessageView,
): Promise<Omit<PostRequest, 'signal'>> {
  // Loaded on first use because most servers send no notifications.
  const { default: webPush } = await import('web-push')
  const notice = JSON.stringify(await noticeOf(reader, message))
  const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, notice, {
    vapidDetails: { subject: contact(reader.chat.options.publicUrl), ...serverKeyOf(reader.chat) },
    TTL: TTL_SECONDS,
    urgency: 'high',
    contentEncoding: 'aes128gcm',
  })
  const headers = Object.entries(details.headers).map(([name, value]) => [name.toLowerCase(), String(value)])
  return { url: endpoint, headers: Object.fromEntries(headers), body: details.body! }
}

/** Returns a contact for push services: the organization's address, if others can open it. */
function contact(publicUrl: string): string {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' && hostname !== 'localhost' ? publicUrl : 'mailto:chat-server@example.org'
}

async function noticeOf(reader: Caller, message: MessageView): Promise<Notice> {
  const { sender_full_name: sender, id } = message
  const shown = [...plainText(message.content)].slice(0, MAX_TEXT).join('')
  if (message.type === 'private') {
    const showsText = await userSettingOf(reader, 'pm_content_in_desktop_notifications')
    const others = message.display_recipient.map((person) => person.id).filter((one) => one !== reader.user.id)
    // In the format of the page's addresses, so that the worker recognizes the conversation.
    const people = encodeHashComponent(others.sort((a, b) => a - b).join(','))
    const address = servedPath(reader.chat, `/#narrow/dm/${people}/near/${id}`)
    return { title: sender, body: showsText ? shown : 'New direct message', tag: String(id), address }
  }
  const { stream_id, display_recipient: name, subject } = message
  return {
    title: `${sender} (${name} › ${displayTopicName(subject, false)})`,
    body: shown,
    tag: String(id),
    address: servedPath(reader.chat, narrowUrl({ id: stream_id, name }, subject, { near: id })),
  }
}
