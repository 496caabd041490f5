import type * as v from 'valibot'
import type { Context } from '../context.ts'
import { hrefOf } from '../markup/inline/addresses.ts'
import { addressIn } from '../markup/inline/bare-links.ts'
import type { topicLinkShape } from '../shapes/message.ts'
import { type Linkifiers, linkifiersOf } from './stored.ts'

export type TopicLink = v.InferOutput<typeof topicLinkShape>

interface Found extends TopicLink {
  start: number
  end: number
}

const none: readonly TopicLink[] = []

/** Links of topics by name, cached until the linkifiers change. */
const cached = new WeakMap<Linkifiers, Map<string, readonly TopicLink[]>>()
const MAX_CACHED = 2000

/** Returns a function that finds the links in a topic's name: from linkifiers, and bare URLs. */
export async function topicLinker(context: Context): Promise<(topic: string) => readonly TopicLink[]> {
  const stored = await linkifiersOf.get(context)
  return (topic) => {
    // Most organizations have neither.
    if (stored.linkifiers.length === 0 && !topic.includes('.') && !topic.includes(':')) return none
    const links = cached.get(stored) ?? new Map<string, readonly TopicLink[]>()
    cached.set(stored, links)
    const known = links.get(topic)
    if (known) return known
    if (links.size >= MAX_CACHED) links.clear()
    const found = linksIn(topic, stored)
    links.set(topic, found)
    return found
  }
}

/** The links in one name. */
export const topicLinks = async (context: Context, topic: string): Promise<readonly TopicLink[]> =>
  (await topicLinker(context))(topic)

function linksIn(topic: string, { linkifiers }: Linkifiers): readonly TopicLink[] {
  const found: Found[] = []
  // An earlier linkifier takes precedence over a later one, and all of them over URLs.
  const add = (link: Found) => {
    const isFree = found.every((other) => link.end <= other.start || link.start >= other.end)
    if (isFree) found.push(link)
  }
  for (const linkifier of linkifiers) {
    if (!linkifier.mayMatch(topic)) continue
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
