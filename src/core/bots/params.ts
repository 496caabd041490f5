import * as v from 'valibot'
import { randomText } from '../kernel/base/random.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, isWebAddress, quoted, text, uploadedFile } from '../kernel/fields.ts'
import { accessStreamByName } from '../streams/access.ts'
import type { BotProfile, BotService } from './profiles/profile.ts'

/** Parameters that creating and changing a bot share. */

export const BOT_TYPES = { generic: 1, incoming: 2, outgoing: 3, embedded: 4 } as const

const MAX_URL_LENGTH = 2000
const MAX_CONFIG_LENGTH = 20_000

export const payloadUrl = v.pipe(
  quoted,
  v.trim(),
  v.check((url) => url === '' || (isWebAddress(url) && url.length <= MAX_URL_LENGTH), '{name} is not a URL'),
)

export const interfaceType = v.pipe(
  v.number(),
  v.check((type) => type === 1 || type === 2, 'Invalid interface type'),
)

const configData = v.pipe(
  v.record(v.pipe(text, v.maxLength(100, 'config_data has a name that is too long')), text),
  v.check((config) => JSON.stringify(config).length <= MAX_CONFIG_LENGTH, '{name} is too long'),
)

/** Profile parameters of both requests, with their API names. */
export const profileParams = {
  config_data: described(
    v.nullish(configData),
    'Configuration of an integration, as an object of strings. An empty string removes an entry. See docs/guide/webhooks.md.',
  ),
  default_sending_stream: described(
    v.nullish(text),
    'Name of the channel that it sends to by default, or empty for none.',
  ),
  default_events_register_stream: described(
    v.nullish(text),
    'Name of the channel whose messages its event queues receive by default, or empty for none.',
  ),
  default_all_public_streams: described(
    v.nullish(v.boolean()),
    'Whether its event queues receive messages from all public channels by default.',
  ),
  file: described(v.nullish(uploadedFile), 'Avatar for the bot.'),
}

type Given = v.InferOutput<v.ObjectSchema<typeof profileParams, undefined>>

/** Returns the requested changes of a profile. Throws STREAM_DOES_NOT_EXIST. */
export async function profileChanges(tx: Tx, given: Given, before: BotProfile): Promise<Partial<BotProfile>> {
  const { config_data, default_all_public_streams } = given
  const changes: Partial<BotProfile> = {}
  for (const name of ['default_sending_stream', 'default_events_register_stream'] as const) {
    const stream = given[name]
    if (stream != null) changes[name] = stream === '' ? null : (await accessStreamByName(tx, stream)).name
  }
  if (default_all_public_streams != null) changes.default_all_public_streams = default_all_public_streams
  if (config_data) changes.config_data = withoutEmpty({ ...before.config_data, ...config_data })
  return changes
}

const withoutEmpty = (config: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== ''))

/** A service with a new token. */
export function newService(tx: Tx, payload_url: string, type: number): BotService {
  if (payload_url === '') throw badRequest('payload_url is not a URL')
  return { payload_url, interface: type, token: randomText(tx.chat.random, 32) }
}
