import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import nacl from 'tweetnacl'
import { mobilePushOf } from '../../src/core/messages/send/message-workers.ts'
import type { PostAnswer, PostRequest } from '../../src/network/post.ts'
import type { Person, World } from '../../src/testing/index.ts'

export const PUSH_SERVICE = 'https://id:secret@push.example.com/base'

type Answers = Readonly<Partial<Record<'register' | 'notify', PostAnswer | Error>>>

/** A push service and the requests that it got. Its answers may be replaced at any time. */
export function pushService(answers: Answers = {}) {
  const requests: (PostRequest & { body: string })[] = []
  const current: { answers: Answers } = { answers }
  const post = async (request: PostRequest): Promise<PostAnswer> => {
    requests.push(request as PostRequest & { body: string })
    const kind = request.url.endsWith('/register') ? 'register' : 'notify'
    const answer = current.answers[kind] ?? { status: 200, body: '{}' }
    if (answer instanceof Error) throw answer
    return answer
  }
  return { requests, post, current }
}

/** A token and a key as an app makes them. */
export function appSecrets(token = randomBytes(20).toString('hex')) {
  const key = Uint8Array.from(randomBytes(32))
  const token_id = createHash('sha256').update(token).digest().subarray(0, 8).toString('base64')
  return {
    token,
    keyFields: { push_key_id: 4_294_967_295, push_key: Buffer.from([0x31, ...key]).toString('base64') },
    tokenFields: {
      token_kind: 'fcm',
      token_id,
      bouncer_public_key: randomBytes(32).toString('base64'),
      encrypted_push_registration: randomBytes(100).toString('base64'),
    },
    decrypt(encrypted_data: string): Record<string, unknown> {
      const bytes = Uint8Array.from(Buffer.from(encrypted_data, 'base64'))
      const opened = nacl.secretbox.open(bytes.subarray(24), bytes.subarray(0, 24), key)
      assert.ok(opened, 'the device can decrypt it')
      return JSON.parse(Buffer.from(opened).toString())
    },
  }
}

/** Registers a device of this user for notifications. */
export async function pushDevice(w: World, who: Person) {
  const secrets = appSecrets()
  const { device_id } = await who.api.post('/register_client_device')
  const fields = { device_id, ...secrets.keyFields, ...secrets.tokenFields }
  const { status, msg } = await who.api.post('/mobile_push/register', fields)
  assert.equal(status, 200, msg)
  await mobilePushOf(w.chat).settled()
  return { device_id: device_id as number, ...secrets }
}
