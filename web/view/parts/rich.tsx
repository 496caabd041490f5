import type { ComponentChildren } from 'preact'

type Tags = Readonly<Record<string, (inside: string) => ComponentChildren>>

/**
 * A text with tags in it as elements.
 *
 * @example
 * rich('See <link>all channels</link>.', { link: (inside) => <a href="#streams">{inside}</a> })
 */
export const rich = (text: string, tags: Tags): ComponentChildren =>
  [...text.matchAll(/<(\w+)>(.*?)<\/\1>|[^<]+/g)].map(([plain, tag, inside]) => (tag ? tags[tag]!(inside!) : plain))
