import { type Db, readBlob } from '../../../storage/index.ts'
import { oneOfFew } from '../../kernel/base/few-at-once.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf } from '../../kernel/context.ts'
import { type Avatar, prepareAvatar, setAvatar } from '../avatar.ts'
import { providerPoolOf, providersOf } from '../providers/all-providers.ts'

const TIMEOUT_MS = 10_000

/**
 * Makes a provider's picture of a person their avatar, after the sign-in, which doesn't wait for it. A problem is one line in the
 * log.
 */
export async function syncPicture(chat: Chat, provider: string, user_id: number, url: string): Promise<void> {
  try {
    await oneOfFew(chat, async () => {
      const avatar = await prepareAvatar(await fetchPicture(chat, provider, url))
      await contextOf(chat).write(async (tx) => {
        const user = await tx.db
          .selectFrom('user')
          .select(['is_active', 'avatar_blob_id'])
          .where('id', '=', user_id)
          .executeTakeFirst()
        if (user?.is_active && !(await isSame(tx.db, user.avatar_blob_id, avatar)))
          await setAvatar(tx, { id: user_id }, avatar)
      })
    })
  } catch (error) {
    const { logger } = chat.options
    logger.warn({ provider, user_id }, `the picture of an account could not be fetched: ${(error as Error).message}`)
  }
}

/** People may choose the address, so it is public, or at the provider's own host. */
async function fetchPicture(chat: Chat, provider: string, url: string): Promise<Uint8Array> {
  const config = (await providersOf(contextOf(chat))).get(provider)?.config
  if (!config) throw new Error('the provider was removed')
  // A copy, because the providers of the file may reach the hosts of each other.
  const ask = providerPoolOf(chat).askFor({ ...config })
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const { status, bytes } = await ask({ method: 'GET', url, headers: { accept: 'image/*' }, signal })
  if (status !== 200) throw new Error(`${new URL(url).host} answered with status ${status}`)
  return bytes
}

/** The same picture always becomes the same bytes. */
async function isSame(db: Db, blob_id: number | null, { small }: Avatar): Promise<boolean> {
  if (blob_id === null) return false
  const pieces: Uint8Array[] = []
  for await (const piece of readBlob(db, blob_id)) pieces.push(piece)
  return Buffer.concat(pieces).equals(small.bytes)
}
