import type { Service } from '../format/service.ts'
import { plain, topicName, untrusted } from '../format/text.ts'

const PLACE = /\{([\w$-]+(?:\.[\w$-]+)*)(\|markdown)?\}/g
const MAX_VALUE_LENGTH = 4000
/** More than a message has. */
const MAX_FILLED_LENGTH = 20_000

/**
 * Fills a template with values of a payload: `{commit.author.name}`, `{items.0.title}`. Missing values are empty, and
 * values other than text are JSON. Values are plain text, unless the template says that they are Markdown:
 * `{comment.body|markdown}`. Other braces stay.
 * @example
 * filled('**{title}** by {user.name}', { title: 'Alas', user: { name: 'Yorick' } }) // '**Alas** by Yorick'
 */
export function filled(template: string, payload: unknown): string {
  const values = new Map<string, string>()
  let length = 0
  return template.replace(PLACE, (place, path: string, isMarkdown?: string) => {
    if (length > MAX_FILLED_LENGTH) return ''
    const value = values.get(place) ?? shown(valueAt(payload, path.split('.')), isMarkdown ? untrusted : plain)
    values.set(place, value)
    length += value.length
    return value
  })
}

function valueAt(payload: unknown, path: readonly string[]): unknown {
  let value = payload
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

function shown(value: unknown, escaped: (text: string, length: number) => string): string {
  if (value === undefined || value === null) return ''
  return escaped(typeof value === 'string' ? value : JSON.stringify(value), MAX_VALUE_LENGTH)
}

/** Names in the `config_data` of a bot. */
const TEMPLATE = 'template'
const TOPIC_TEMPLATE = 'topic_template'
const MAX_JSON_LENGTH = 8000

/**
 * Turns any JSON into a message with the `template` in the bot's `config_data`, or shows it unchanged without one.
 * `topic_template` sets the topic.
 */
export const json: Service = {
  name: 'json',
  displayName: 'JSON',
  options: {
    [TEMPLATE]: 'The message, with {names.of.members} of the JSON',
    [TOPIC_TEMPLATE]: 'The topic, likewise',
  },
  events: {
    '*': (payload, _event, { config }) => {
      const template = config[TEMPLATE]
      return {
        topic: topicName(filled(config[TOPIC_TEMPLATE] ?? 'JSON', payload)),
        content: template === undefined ? asCode(payload) : filled(template, payload),
      }
    },
  },
  eventOf: () => '*',
}

const asCode = (payload: unknown): string => {
  const text = untrusted(JSON.stringify(payload, undefined, 2) ?? 'null', MAX_JSON_LENGTH)
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}json\n${text}\n${fence}`
}
