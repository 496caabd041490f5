import { redirectTarget } from '../../../network/redirect.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { fetchOf } from '../outgoing/post-of.ts'
import type { Feed } from './feed.ts'

const MAX_REDIRECTS = 3
/** A calendar is expanded again when less than this is left. */
const AHEAD_SECONDS = 2 * 24 * 3600
const MAX_VALIDATOR_LENGTH = 1000

const accepted: Readonly<Record<string, string>> = {
  feed: 'application/atom+xml, application/rss+xml, application/xml;q=0.9, text/xml;q=0.8, */*;q=0.1',
  calendar: 'text/calendar, */*;q=0.1',
}

/** A document of another server, and what identifies its version. */
export interface Fetched {
  text: string
  /** Where it was found, after redirects. */
  url: string
  etag: string | null
  last_modified: string | null
}

/**
 * Gets the document of a feed, or undefined if it hasn't changed since the last time.
 *
 * @throws AddressRefused for a private address, also after a redirect
 * @throws Error for any other answer than a document
 */
export async function fetchDocument(chat: Chat, feed: Feed, signal: AbortSignal): Promise<Fetched | undefined> {
  const headers = {
    accept: accepted[feed.kind] ?? '*/*',
    'user-agent': 'chat-server-feed-reader',
    ...(mayBeUnchanged(chat, feed) && validators(feed)),
  }
  let url = feed.url
  for (let redirects = 0; ; redirects++) {
    const answer = await fetchOf(chat)({ url, headers, signal })
    const { status } = answer
    if (status === 304 && mayBeUnchanged(chat, feed)) return undefined
    if (status >= 200 && status < 300) {
      return {
        url,
        text: decoded(answer.bytes, answer.headers['content-type']),
        etag: validator(answer.headers.etag),
        last_modified: validator(answer.headers['last-modified']),
      }
    }
    const target = redirectTarget(answer, url)
    if (target === undefined) throw new Error(`the server answered with status ${status}`)
    if (redirects === MAX_REDIRECTS) throw new Error(`the server redirected more than ${MAX_REDIRECTS} times`)
    url = target
  }
}

/** Events of a calendar repeat, so it is read again before those that are stored end. */
const mayBeUnchanged = (chat: Chat, { kind, checked_at, expanded_to, minutes_before }: Feed): boolean =>
  checked_at !== null &&
  (kind === 'feed' || (expanded_to ?? 0) > seconds(chat.clock) + (minutes_before ?? 0) * 60 + AHEAD_SECONDS)

const validators = ({ etag, last_modified }: Feed) => ({
  ...(etag !== null && { 'if-none-match': etag }),
  ...(last_modified !== null && { 'if-modified-since': last_modified }),
})

const validator = (value: string | undefined): string | null =>
  value !== undefined && value.length <= MAX_VALIDATOR_LENGTH ? value : null

/** Text in the encoding that the header or the XML declaration names, else UTF-8. */
function decoded(bytes: Uint8Array, contentType = ''): string {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const named =
    /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? /^[^<]*<\?xml[^>]*encoding=["']([\w-]+)/i.exec(start)?.[1]
  try {
    return new TextDecoder(named ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
