// A program that uses the client generated from the API document; openapi.test.ts compiles it strictly with
// the generated types, and runs it over a socket. Nothing is cast.
import createClient from 'openapi-fetch'
import type { components, paths } from './api.js'

type Message = components['schemas']['Message']
/** Except the one with a tuple in it, which openapi-fetch turns into a list. */
type Event = Exclude<components['schemas']['Event'], { type: 'muted_topics' }>

export interface Account {
  url: string
  email: string
  key: string
}

const clientOf = ({ url, email, key }: Account) =>
  createClient<paths>({
    baseUrl: url,
    headers: { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` },
  })

const formOf = (values: object): URLSearchParams => {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return form
}

const placeOf = (message: Message): string =>
  message.type === 'stream'
    ? `${message.display_recipient} > ${message.subject}`
    : message.display_recipient.map((person) => person.full_name).join(' & ')

function textOf(event: Event): string {
  switch (event.type) {
    case 'message':
      return `message ${event.message.type === 'stream' ? event.message.subject : event.message.sender_full_name}`
    case 'reaction':
      return `reaction ${event.op} ${event.emoji_name}`
    case 'realm_emoji':
      return event.op === 'update'
        ? `emoji ${Object.values(event.realm_emoji).map((emoji) => emoji.name)}`
        : `emoji ${event.op}`
    default:
      return event.type
  }
}

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the answer has no data')
  return value
}

/** Two people talk; returns what each step answered. */
export async function converse(ann: Account, bob: Account, image: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const ofAnn = clientOf(ann)
  const bobs = clientOf(bob)
  const { data: settings } = await ofAnn.GET('/api/v1/server_settings')
  const { queue_id, last_event_id, realm_users } = need(
    (
      await bobs.POST('/api/v1/register', {
        body: { event_types: ['message', 'reaction', 'realm_emoji'], fetch_event_types: ['realm_user'] },
      })
    ).data,
  )

  // Parameters as JSON, and as a form.
  const to = { type: 'stream', to: 'general', topic: 'lunch' } as const
  const { id } = need((await ofAnn.POST('/api/v1/messages', { body: { ...to, content: 'soup?' } })).data)
  const asForm = {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    bodySerializer: formOf,
  }
  await bobs.POST('/api/v1/messages', { body: { ...to, content: 'bread' }, ...asForm })
  await bobs.POST('/api/v1/messages', { body: { type: 'direct', to: [ann.email], content: 'just us' }, ...asForm })
  // @ts-expect-error there is no such type of message
  const banana = await ofAnn.POST('/api/v1/messages', { body: { ...to, type: 'banana', content: 'x' } })

  await bobs.POST('/api/v1/messages/{message_id}/reactions', {
    params: { path: { message_id: id } },
    body: { emoji_name: 'tada' },
  })
  await ofAnn.POST('/api/v1/realm/emoji/{emoji_name}', {
    params: { path: { emoji_name: 'soup' } },
    body: { filename: '' },
    bodySerializer() {
      const form = new FormData()
      form.set('filename', new Blob([image]), 'soup.png')
      return form
    },
  })

  const { messages } = need(
    (
      await ofAnn.GET('/api/v1/messages', {
        params: { query: { anchor: 'newest', num_before: 3, num_after: 0, apply_markdown: false } },
      })
    ).data,
  )
  const narrowed = need(
    (
      await ofAnn.GET('/api/v1/messages', {
        params: {
          query: {
            anchor: id,
            num_before: 0,
            num_after: 9,
            narrow: JSON.stringify([{ operator: 'topic', operand: 'lunch' }]),
          },
        },
      })
    ).data,
  )
  const { events } = need(
    (await bobs.GET('/api/v1/events', { params: { query: { queue_id: need(queue_id ?? undefined), last_event_id } } }))
      .data,
  )
  const refused = await bobs.POST('/api/v1/messages', { body: { ...to, to: 'nowhere', content: 'x' } })
  const forbidden = await bobs.POST('/api/v1/default_streams', { body: { stream_id: 1 } })
  return [
    `level ${settings?.zulip_feature_level}`,
    `users ${realm_users?.map((user) => user.full_name)}`,
    ...messages.map((message) => `${placeOf(message)}: ${message.content}`),
    `narrowed ${narrowed.messages.length} ${narrowed.found_newest}`,
    ...events.map((event) => (event.type === 'muted_topics' ? event.type : textOf(event))),
    `refused ${refused.error?.code} ${refused.error?.stream}`,
    `forbidden ${forbidden.error?.code} ${forbidden.response.status}`,
    `banana ${banana.error?.msg}`,
  ]
}
