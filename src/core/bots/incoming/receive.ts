import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { lazy } from '../../kernel/base/lazy.ts'
import type { Caller } from '../../kernel/context.ts'
import { badRequest, ChatError } from '../../kernel/errors.ts'
import { bool, described, text } from '../../kernel/fields.ts'
import { id } from '../../shapes/values.ts'
import { botProfile } from '../profiles/profile.ts'
import { placeParams, receive, receiving } from './announce.ts'
import { matchesAny, skip } from './format/event.ts'
import type { Headers, Service } from './format/service.ts'
import { parsed } from './payload.ts'
import { services } from './table.ts'
import { templateService } from './templates/service.ts'
import { storedTemplates } from './templates/stored.ts'

const patterns = v.pipe(v.array(v.pipe(text, v.maxLength(100))), v.maxLength(100))
const paramOf = (header: string) => header.replaceAll('-', '_')
/** The headers that services read, by the names of their parameters. */
export const webhookHeaders: Readonly<Record<string, string>> = Object.fromEntries(
  services
    .flatMap(({ headers = [] }) => headers)
    .sort()
    .map((header) => [paramOf(header), header]),
)
const headerParam = described(v.nullish(text), 'The header of this name.')

export const webhookParams = {
  ...placeParams,
  integration: described(
    text,
    'The service: a name in `realm_incoming_webhook_bots`, or an integration that an administrator made.',
  ),
  only_events: described(v.nullish(patterns), 'Announce only these events. `*` stands for any characters.'),
  exclude_events: described(v.nullish(patterns), 'Announce all events except these. `*` matches any characters.'),
  branches: described(
    v.nullish(v.pipe(text, v.maxLength(2000))),
    'Announce only these branches, separated by commas, with `*` as above.',
  ),
  use_merge_request_title: described(v.nullish(bool), 'Whether topics of merge requests contain their title.'),
  payload: described(text, "The service's event as JSON, in the body or in a form field."),
  ...(Object.fromEntries(Object.keys(webhookHeaders).map((name) => [name, headerParam])) as Record<string, never>),
}

/** Announces an event of a service. */
export async function receiveEvent(
  caller: Caller,
  {
    integration,
    payload: body,
    stream,
    topic,
    ...rest
  }: v.InferOutput<v.ObjectSchema<typeof webhookParams, undefined>>,
): Promise<{ id?: number }> {
  const service = await serviceNamed(caller, integration)
  const given = rest as Readonly<Record<string, unknown>>
  const headers: Headers = Object.fromEntries(
    (service.headers ?? []).map((header) => [header, given[paramOf(header)] as string | undefined]),
  )
  const { config_data: config } = await botProfile(caller, caller.user.id)
  const { eventHeader, deliveryHeader } = service
  const header = eventHeader ? (headers[eventHeader] ?? '') : ''
  const payloadOf = lazy(() => parsed(body))
  const incoming = {
    integration,
    event: header,
    delivery: deliveryHeader ? headers[deliveryHeader] : service.deliveryOf && idIn(service, payloadOf),
    payload: body,
  }
  return receive(caller, incoming, { stream, topic }, () => {
    requireProof(service, config, body, headers, seconds(caller.chat.clock))
    if (eventHeader && !header) throw badRequest(`Missing the HTTP event header '${properName(eventHeader)}'`)
    const payload = payloadOf()
    const event = service.eventOf?.(payload, header) ?? header
    const names = [...new Set([event, header, ...(service.alsoNamed?.(payload, header) ?? [])])].filter(
      (name) => name !== '',
    )
    const { only_events, exclude_events } = rest
    if (only_events?.length && !names.some((name) => matchesAny(only_events, name)))
      return skip(`The address selects other events than ${names.join(', ')}.`)
    if (exclude_events?.length && names.some((name) => matchesAny(exclude_events, name)))
      return skip(`The address excludes ${names.join(', ')}.`)
    const reader = readerOf(service, event) ?? readerOf(service, '*')
    if (!reader) return skip(reasonFor(service, event, header))
    return reader(payload, header || event, {
      titled: topic != null || rest.use_merge_request_title === false,
      titlesInTopics: rest.use_merge_request_title !== false,
      branches: (rest.branches ?? '')
        .split(',')
        .map((branch) => branch.trim())
        .filter((branch) => branch !== ''),
      config,
    })
  })
}

/**
 * POST /external/{integration}: an event of another service becomes a message. Events that are not announced are accepted and
 * answered without an id.
 *
 * @throws STREAM_DOES_NOT_EXIST for a channel that the bot may not know
 * @throws BAD_REQUEST for an unknown integration, or a payload that is not what an event of this kind looks like
 * @throws UNAUTHORIZED for a request without the signature that the bot's secret requires
 * @example
 * await receiveWebhook(caller, { integration: 'json', stream: 'builds', payload: JSON.stringify({ title: 'Done' }) })
 */
export const receiveWebhook = action(
  {
    name: 'receiveWebhook',
    summary: 'Receive an event of another service',
    params: v.object(webhookParams),
    result: v.strictObject({ id: v.exactOptional(id) }),
    headers: webhookHeaders,
    ...receiving,
    errors: ['STREAM_DOES_NOT_EXIST', 'UNAUTHORIZED'],
  },
  receiveEvent,
)

/**
 * GET /external/{integration}: says that the address and its key are valid. Some services ask before they use an address.
 *
 * @throws BAD_REQUEST for an unknown integration
 */
export const checkWebhook = action(
  {
    name: 'checkWebhook',
    summary: 'Check the address of an incoming webhook',
    params: v.object({
      integration: described(
        text,
        'The service: a name in `realm_incoming_webhook_bots`, or an integration that an administrator made.',
      ),
    }),
    result: v.strictObject({ display_name: v.string() }),
    credentials: 'query',
    forWebhooks: true,
  },
  async (caller, { integration }) => ({ display_name: (await serviceNamed(caller, integration)).displayName }),
)

async function serviceNamed(caller: Caller, integration: string): Promise<Service> {
  const service = services.find(({ name }) => name === integration)
  if (service) return service
  const template = (await storedTemplates.get(caller)).find(({ name }) => name === integration)
  if (!template) throw badRequest(`There is no integration "${integration}".`)
  return templateService(integration, template)
}

const readerOf = ({ events }: Service, name: string) => (Object.hasOwn(events, name) ? events[name] : undefined)

const reasonFor = ({ unannounced = {} }: Service, ...names: string[]): string => {
  const known = names.find((name) => Object.hasOwn(unannounced, name))
  return known === undefined ? `Events of the kind "${names[0]}" are not known.` : unannounced[known]!
}

function requireProof(
  { secret }: Service,
  config: Readonly<Record<string, string>>,
  body: string,
  headers: Headers,
  now: number,
): void {
  const expected = secret && config[secret.option]
  if (expected && !secret.isProven(expected, body, headers, now))
    throw new ChatError('UNAUTHORIZED', "The request isn't signed with the secret of this bot.")
}

/** The id of a delivery in its payload. Errors in the payload are reported when it is read. */
function idIn({ deliveryOf }: Service, payloadOf: () => unknown): string | undefined {
  try {
    return deliveryOf?.(payloadOf())
  } catch {
    return undefined
  }
}

/** A header as it is usually written. */
const properName = (header: string) =>
  header
    .replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())
    .replace('Github', 'GitHub')
