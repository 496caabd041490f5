import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { id } from '../../shapes/values.ts'
import { botProfile } from '../profiles/profile.ts'
import { announce, placeParams, receiving } from './announce.ts'
import { payload } from './payload.ts'
import { topicName, untrusted } from './text.ts'

const PLACE = /\{([\w$-]+(?:\.[\w$-]+)*)\}/g
const MAX_VALUE_LENGTH = 4000

/**
 * Fills a template with values of a payload: `{commit.author.name}`, `{items.0.title}`. Missing values are empty, and
 * values other than text are JSON. Other braces stay.
 * @example
 * filled('**{title}** by {user.name}', { title: 'Alas', user: { name: 'Yorick' } }) // '**Alas** by Yorick'
 */
export const filled = (template: string, payload: unknown): string =>
  template.replace(PLACE, (_, path: string) => shown(valueAt(payload, path.split('.'))))

function valueAt(payload: unknown, path: readonly string[]): unknown {
  let value = payload
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return ''
  return untrusted(typeof value === 'string' ? value : JSON.stringify(value), MAX_VALUE_LENGTH)
}

/** Names in the `config_data` of a bot. */
const TEMPLATE = 'template'
const TOPIC_TEMPLATE = 'topic_template'
const MAX_JSON_LENGTH = 8000

/**
 * POST /external/json: sends a message for any JSON. The `template` in the bot's `config_data` formats it; without
 * one, the message shows the JSON. `topic_template` is for the topic.
 *
 * @throws STREAM_DOES_NOT_EXIST for a stream that is hidden from the bot
 * @throws BAD_REQUEST if the template makes an empty message
 * @example
 * await updateBot(caller, { bot_id: 12, config_data: { template: '**{title}** by {user.name}' } })
 */
export const receiveJson = action(
  {
    name: 'receiveJson',
    summary: 'Receive any JSON',
    params: v.object({ ...placeParams, payload }),
    result: v.strictObject({ id }),
    ...receiving,
  },
  async (caller, { payload, ...place }) => {
    const { config_data } = await botProfile(caller, caller.user.id)
    const template = config_data[TEMPLATE]
    const topic = topicName(filled(config_data[TOPIC_TEMPLATE] ?? 'JSON', payload))
    const content = template === undefined ? asCode(payload) : filled(template, payload)
    return { id: await announce(caller, place, { topic, content }) }
  },
)

const asCode = (payload: unknown): string => {
  const text = untrusted(JSON.stringify(payload, undefined, 2) ?? 'null', MAX_JSON_LENGTH)
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}json\n${text}\n${fence}`
}
