import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { PostAnswer, PostRequest } from '../../src/network/post.ts'

/** What a browser and its push service have of a subscription, made as a browser makes it. */
export function subscribedBrowser(endpoint = 'https://push.example.com/ann') {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys()
  const auth = randomBytes(16)
  return {
    subscription: { endpoint, p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    /** Reads what was sent to it, as RFC 8188 and RFC 8291 have it. */
    decrypt(body: Uint8Array): unknown {
      const bytes = Buffer.from(body)
      const salt = bytes.subarray(0, 16)
      const idLength = bytes[20]!
      const senderKey = bytes.subarray(21, 21 + idLength)
      const shared = pair.computeSecret(senderKey)
      const derive = (salt: Buffer, key: Buffer, info: Buffer, length: number) =>
        Buffer.from(hkdfSync('sha256', key, salt, info, length))
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
      const key = derive(auth, shared, info, 32)
      const contentKey = derive(salt, key, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
      const nonce = derive(salt, key, Buffer.from('Content-Encoding: nonce\0'), 12)
      const sealed = bytes.subarray(21 + idLength)
      const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce)
      decipher.setAuthTag(sealed.subarray(-16))
      const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
      return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8'))
    },
  }
}

/** A push service, and what it got. */
export function pushService(answer: () => PostAnswer | Promise<PostAnswer> = () => ({ status: 201, body: '' })) {
  const requests: (PostRequest & { body: Uint8Array })[] = []
  const post = async (request: PostRequest) => {
    requests.push(request as PostRequest & { body: Uint8Array })
    return answer()
  }
  return { requests, post }
}
