import type { Chat } from '../core/kernel/chat.ts'
import { type Caller, callerOf } from '../core/kernel/context.ts'
import type { User } from '../core/kernel/user.ts'
import { sendMessage } from '../core/messages/send/send.ts'
import { subscribe } from '../core/streams/subscriptions/subscribe.ts'
import { type Api, apiOf } from './api.ts'

/** A user of a test world: a caller for the library, credentials for the API, and a few shortcuts. */
export interface Person extends Caller {
  readonly id: number
  readonly email: string
  readonly password: string
  readonly key: string
  /** The Authorization header of a request by this user. */
  readonly authorization: string
  /** Sends to a topic of a stream, or to users. Returns the message's id. */
  says(content: string, to?: { stream?: string; topic?: string; people?: readonly Person[] }): Promise<{ id: number }>
  joins(...streams: string[]): Promise<void>
  /** The HTTP API with this user's credentials, without a socket. */
  readonly api: Api
}

/** Every user's password. */
export const PASSWORD = 'correct horse'

export function personOf(chat: Chat, user: User, key: string): Person {
  const caller = callerOf(chat, user, { client: 'test' })
  return {
    ...caller,
    id: user.id,
    email: user.email,
    password: PASSWORD,
    key,
    authorization: `Basic ${Buffer.from(`${user.email}:${key}`).toString('base64')}`,
    api: apiOf(chat, { email: user.email, key }),
    async says(content, { stream = 'general', topic = 'greetings', people } = {}) {
      const { id } = people
        ? await sendMessage(caller, { type: 'private', to: people.map((person) => person.id), content })
        : await sendMessage(caller, { type: 'stream', to: stream, topic, content })
      return { id }
    },
    async joins(...streams) {
      await subscribe(caller, { subscriptions: streams.map((name) => ({ name })) })
    },
  }
}
