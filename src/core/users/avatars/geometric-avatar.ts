import type { Chat } from '../../kernel/chat.ts'
import { type AvatarSize, DRAWN_AVATARS_PATH } from './drawn-avatar.ts'
import { userDigests } from './user-digests.ts'

const PIXELS = { small: 100, medium: 500 } as const

/** What a geometric avatar is drawn from, in hexadecimal. It is a digest, so it doesn't reveal the user. */
const seedOf = userDigests('geometric avatar of user', (digest) =>
  Buffer.from(digest, 'base64url').toString('hex').slice(0, 20),
)

/** Returns the address of a user's geometric avatar (a Jdenticon). It never changes, so it can be cached forever. */
export const geometricAvatarUrl = (chat: Chat, user_id: number, size: AvatarSize = 'small'): string =>
  `${DRAWN_AVATARS_PATH}/geometric-${seedOf(chat, user_id)}${size === 'medium' ? '-medium' : ''}.png`

/** Draws the PNG of such an address, by its last part; undefined for one that `geometricAvatarUrl` never returns. */
export async function drawGeometricAvatar(file: string): Promise<Uint8Array | undefined> {
  const [, seed, medium] = /^geometric-([\da-f]{20})(-medium)?\.png$/.exec(file) ?? []
  if (seed === undefined) return undefined
  const { toPng } = await import('jdenticon')
  return toPng(seed, PIXELS[medium ? 'medium' : 'small'], { backColor: '#ffffff' })
}
