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
 * A template with values of a payload in it: `{commit.author.name}`, `{items.0.title}`. What is not there is empty, and
 * what is no text is JSON. Braces around anything else stay.
 *
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
 * POST /external/json: any JSON becomes a message, by the `template` in the `config_data` of the bot that sends it; without
 * one it is shown as it is. `topic_template` is for the topic.
 *
 * @throws STREAM_DOES_NOT_EXIST for a stream that the bot may not know
 * @throws BAD_REQUEST where the template makes an empty message of it
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
