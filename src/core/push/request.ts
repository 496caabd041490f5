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

/** What is older than this when the browser is there again is not shown any more. */
const TTL_SECONDS = 24 * 3600
/** Push services take 4 KiB; this is less also in scripts with four bytes a character. */
const MAX_TEXT = 400

/** What a browser shows. */
export interface Notice {
  title: string
  body: string
  /** Two with the same one are shown once. */
  tag: string
  /** Where the message is in the web client, below the base path, such as `/#narrow/dm/8/near/93`. */
  address: string
}

/** The request to a push service that notifies a browser, encrypted so that only the browser can read it. */
export async function requestFor(
  reader: Caller,
  { endpoint, p256dh, auth }: Pick<WebPushSubscriptionTable, 'endpoint' | 'p256dh' | 'auth'>,
  message: MessageView,
): Promise<Omit<PostRequest, 'signal'>> {
  // Loaded when it is first needed: most servers notify nobody.
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

/** Whom a push service may turn to: the address of the organization, where it has one that others can open. */
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
    // As pages write it: the worker tells by it that both speak of one conversation.
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
