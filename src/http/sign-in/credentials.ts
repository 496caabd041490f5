import type { IncomingMessage } from 'node:http'
import type { H3Event } from 'h3'
import { authenticate, authenticateByKey, isKey, type SignedIn } from '../../core/accounts/keys.ts'
import type { Chat } from '../../core/kernel/chat.ts'
import { ChatError } from '../../core/kernel/errors.ts'
import { basePath } from '../../core/kernel/public-url.ts'
import type { Grant } from '../../core/kernel/scopes.ts'
import type { Transport } from '../../core/kernel/transport.ts'
import type { User } from '../../core/kernel/user.ts'
import { type Authenticate, accountOf } from './host-user.ts'
import { pageKey, type SessionCookie, sessionKey } from './session.ts'

/** The user of a request. There is no key if the host application identified them. */
export interface Requester {
  readonly user: User
  readonly key_id?: number
  /** What the key permits; undefined for everything. */
  readonly grant?: Grant | undefined
}

type Reader = (
  chat: Chat,
  event: H3Event,
  cookie: SessionCookie,
  address: string | undefined,
) => Promise<SignedIn | undefined> | undefined

/** The query parameter that contains the key in some actions. */
export const KEY_PARAMETER = 'api_key'

/** How to read credentials, by the place that an action declares. */
const readers: Readonly<Record<NonNullable<Transport['credentials']>, Reader>> = {
  /** `Authorization: Basic email:key`, or a browser's session */
  basic(chat, event, cookie, address) {
    const given = basicCredentials(event.req.headers.get('authorization'))
    if (given && !isKey(given.password)) throw new ChatError('INVALID_API_KEY', 'Malformed API key')
    if (given) return authenticate(chat, given.name, given.password, address)
    const key = sessionKey(event, basePath(chat), cookie, chat.options.dev)
    return key === undefined ? undefined : authenticateByKey(chat, key, address)
  },
  /** `?api_key=key`: for services that only have a field for a URL. */
  query(chat, { url }, _, address) {
    const key = url.searchParams.get(KEY_PARAMETER)
    return key ? authenticateByKey(chat, key, address) : undefined
  },
  /** A session alone, for pages without script. Without a valid one they say how to sign in. */
  page(chat, event, cookie, address) {
    const key = pageKey(event, cookie)
    return key === undefined ? undefined : authenticateByKey(chat, key, address)
  },
  /** A parameter `token` of the path, as in addresses of Discord. */
  path(chat, { context }, _, address) {
    const key = context.params?.token
    return key ? authenticateByKey(chat, key, address) : undefined
  },
  /** `Authorization: Bearer key`, as Slack's API has it. */
  bearer(chat, event, _, address) {
    const key = /^bearer +([\x21-\x7e]{1,200})$/i.exec(event.req.headers.get('authorization') ?? '')?.[1]
    return key ? authenticateByKey(chat, key, address) : undefined
  },
}

/**
 * Returns the user of a request: the one that the host application returns, or the owner of the credentials; undefined
 * without any.
 *
 * @throws ChatError INVALID_API_KEY for invalid ones; AUTHENTICATION_FAILED, USER_DEACTIVATED
 */
export async function signIn(
  chat: Chat,
  event: H3Event,
  cookie: SessionCookie,
  {
    credentials = 'basic',
    byHost,
    address,
  }: {
    credentials?: Transport['credentials'] | undefined
    byHost?: Authenticate | undefined
    /** The client's network address. */
    address?: string | undefined
  },
): Promise<Requester | undefined> {
  // A key in an address identifies the sender, also when somebody is signed in to the host.
  const inAddress = credentials !== 'basic' && credentials !== 'page'
  const keyed = !inAddress ? undefined : readers[credentials](chat, event, cookie, address)
  const named = keyed
    ? undefined
    : byHost && (await byHost(event.req, event.runtime?.node?.req as IncomingMessage | undefined))
  if (named !== undefined && named !== null) return { user: await accountOf(chat, named) }
  const signingIn = keyed ?? readers[credentials](chat, event, cookie, address)
  if (!signingIn) return undefined
  const signedIn = await signingIn
  if (!signedIn && credentials === 'page') return undefined
  if (!signedIn) throw new ChatError('INVALID_API_KEY', 'Invalid API key')
  return signedIn
}

/** Returns the user of a token of Slack's API. Errors have the members that clients of that API look for. */
export async function signInByToken(chat: Chat, token: string): Promise<Requester> {
  const refusal = (error: string) => ({ ok: false, error })
  if (token === '') throw new ChatError('UNAUTHORIZED', 'The token is missing', refusal('not_authed'))
  const signedIn = await authenticateByKey(chat, token)
  if (!signedIn) throw new ChatError('INVALID_API_KEY', 'Invalid API key', refusal('invalid_auth'))
  return signedIn
}

export function basicCredentials(header: string | null): { name: string; password: string } | undefined {
  if (!header || header.length > 4096 || !/^basic /i.test(header)) return undefined
  const text = Buffer.from(header.slice(6).trim(), 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) }
}
