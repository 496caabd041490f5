import type { PostAnswer } from '../../network/post.ts'
import { postOf } from '../bots/outgoing/post-of.ts'
import type { Context } from '../kernel/context.ts'
import { ChatError } from '../kernel/errors.ts'

/**
 * Paths of a push service, below its address. The first is upstream's. The second takes `{realm_uuid, push_requests}`,
 * each with `token_id`, `token_kind`, `priority` and `payload`, and may answer `expired_token_ids`.
 */
export const REGISTER_PATH = '/api/v1/remotes/push/e2ee/register'
export const NOTIFY_PATH = '/api/v1/remotes/push/e2ee/notify'

/** Throws unless the operator named a push service. */
export function requirePushService({ chat }: Pick<Context, 'chat'>): void {
  if (chat.options.pushService !== '') return
  throw new ChatError('PUSH_SERVICE_NOT_CONFIGURED', 'Server is not configured to use push notification service.')
}

/**
 * Posts to the push service that the operator named. A name and password in its address are sent as Basic
 * authentication.
 */
export async function postToService(
  { chat, db }: Pick<Context, 'chat' | 'db'>,
  path: string,
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const { uuid } = await db.selectFrom('organization').select('uuid').executeTakeFirstOrThrow()
  const address = new URL(chat.options.pushService)
  const { username, password } = address
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  address.username = address.password = ''
  return postOf(chat)({
    url: address.href.replace(/\/$/, '') + path,
    headers: {
      'content-type': 'application/json',
      ...(username && { authorization: `Basic ${credentials}` }),
    },
    body: JSON.stringify({ realm_uuid: uuid, ...body }),
    signal,
  })
}

/** The device of a notification, as registered. */
export interface Receiver {
  push_key_id: number | null
  push_key: string | null
  push_token_id: string | null
  push_token_kind: string | null
}

/** Returns a notification for the service. Only the device can decrypt its payload. */
export const pushRequest = async (receiver: Receiver, payload: object) => ({
  token_id: receiver.push_token_id,
  token_kind: receiver.push_token_kind,
  priority: 'high',
  payload: { push_key_id: receiver.push_key_id, encrypted_data: await sealed(receiver.push_key!, payload) },
})

/** Encrypts as libsodium's secretbox: the nonce, then the ciphertext. The key's first byte names the algorithm. */
async function sealed(push_key: string, payload: object): Promise<string> {
  // Most servers name no push service and need no memory for this.
  const { default: nacl } = await import('tweetnacl')
  const key = Uint8Array.from(Buffer.from(push_key, 'base64').subarray(1))
  const nonce = nacl.randomBytes(nacl.secretbox.nonceLength)
  const text = new TextEncoder().encode(JSON.stringify(payload))
  return Buffer.concat([nonce, nacl.secretbox(text, nonce, key)]).toString('base64')
}

/** Returns the members of a JSON answer; none if it isn't an object. */
export function membersOf({ body }: PostAnswer): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    return {}
  }
}

/**
 * Returns the address of a push service; empty for none.
 *
 * @throws Error for anything but an address of the web
 */
export function checkedService(address: string | undefined): string {
  if (!address) return ''
  if (URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol)) return address
  throw new Error('The address of the push service must begin with https:// or http://.')
}
