import type { User } from '../../kernel/user.ts'

/** A mention that notifies no one, for users who know about the event. */
export const silentMention = ({ id, full_name }: Pick<User, 'id' | 'full_name'>): string => `@_**${full_name}|${id}**`

export const groupMention = (name: string): string => `@_*${name}*`

export const streamLink = ({ name }: { name: string }): string => `#**${name}**`

/** Quotes a text in a block that nothing in it ends. Mentions in a quote notify no one. */
export const quoted = (text: string): string => fenced('quote', text)

/** Hides a text until its header is clicked. */
export const spoiler = (header: string, text: string): string => fenced(`spoiler ${header}`, text)

function fenced(kind: string, text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(Math.max(4, longest + 1))
  return `${fence} ${kind}\n${text}\n${fence}`
}

/** A notice must not become longer than a message may be. */
const MAX_LIST_BYTES = 8000

/** Lists as many items as fit into a message, and counts the rest. */
export function listed(items: readonly string[], separator: string): string {
  let bytes = 0
  const fitting = items.findIndex((item) => {
    bytes += Buffer.byteLength(item) + separator.length
    return bytes > MAX_LIST_BYTES
  })
  if (fitting < 0) return items.join(separator)
  return [...items.slice(0, fitting), `and ${items.length - fitting} more`].join(separator)
}
