import type * as v from 'valibot'
import { after, type Soon } from '../../../storage/index.ts'
import type { Context } from '../../kernel/context.ts'
import type { Linkifier } from '../../markup/context.ts'
import { hrefOf } from '../../markup/inline/addresses.ts'
import { addressIn } from '../../markup/inline/bare-links.ts'
import type { topicLinkShape } from '../../shapes/message.ts'
import { type Linkifiers, linkifiersFor, linkifiersOf } from './stored.ts'

export type TopicLink = v.InferOutput<typeof topicLinkShape>

interface Found extends TopicLink {
  start: number
  end: number
}

const none: readonly TopicLink[] = []

/** Links of topics by name, cached until the linkifiers change. */
const cached = new WeakMap<Linkifiers, Map<string, readonly TopicLink[]>>()
const MAX_CACHED = 2000

/**
 * The links in these topics' names: from linkifiers, and bare URLs. Outside a write it yields to other work at times, since
 * a thousand patterns take a while for a hundred names.
 */
export async function topicLinksOf(
  context: Context,
  topics: Iterable<string>,
): Promise<(topic: string) => readonly TopicLink[]> {
  const stored = await linkifiersOf.get(context)
  const links = new Map<string, readonly TopicLink[]>()
  for (const topic of topics) {
    if (!isPlain(topic, stored) && !links.has(topic)) links.set(topic, await cachedLinks(context, topic, stored))
  }
  return (topic) => links.get(topic) ?? none
}

/** Whether a name can have no links: most organizations have no linkifiers, and most names no address. */
const isPlain = (topic: string, { linkifiers }: Linkifiers): boolean =>
  linkifiers.length === 0 && !topic.includes('.') && !topic.includes(':')

async function cachedLinks(context: Context, topic: string, stored: Linkifiers): Promise<readonly TopicLink[]> {
  const links = cached.get(stored) ?? new Map<string, readonly TopicLink[]>()
  cached.set(stored, links)
  const known = links.get(topic)
  if (known) return known
  const found = linksIn(topic, await linkifiersFor(context, topic))
  if (links.size >= MAX_CACHED) links.clear()
  links.set(topic, found)
  return found
}

/** The links in one name. */
export const topicLinks = (context: Context, topic: string): Soon<readonly TopicLink[]> =>
  after(linkifiersOf.get(context), (stored) => (isPlain(topic, stored) ? none : cachedLinks(context, topic, stored)))

/** @param linkifiers those that match somewhere in the name, in order */
function linksIn(topic: string, linkifiers: readonly Linkifier[]): readonly TopicLink[] {
  const found: Found[] = []
  // An earlier linkifier takes precedence over a later one, and all of them over URLs.
  const add = (link: Found) => {
    const isFree = found.every((other) => link.end <= other.start || link.start >= other.end)
    if (isFree) found.push(link)
  }
  for (const linkifier of linkifiers) {
    for (const { start, end, url } of linkifier.matches(topic)) {
      const href = hrefOf(url, '')
      if (href) add({ start, end, text: topic.slice(start, end), url: href })
    }
  }
  for (const { 0: word, index } of topic.matchAll(/[^ !;),'"]+/g)) {
    const address = addressIn(word)
    if (!address) continue
    const { start, end } = address
    const text = word.slice(start, end)
    const url = /^[a-z]+:/i.test(text) ? text : text.includes('@') ? `mailto:${text}` : `https://${text}`
    add({ start: index + start, end: index + end, text, url })
  }
  return found.sort((a, b) => a.start - b.start).map(({ text, url }) => ({ url, text }))
}
