import type { Selectable } from 'kysely'
import type { CustomEmojiTable } from '../../../storage/index.ts'
import { everyone } from '../../events/log/audience.ts'
import { emit } from '../../events/log/emit.ts'
import { formatOf } from '../../files/images/headers/read.ts'
import { defineCache } from '../../kernel/cache.ts'
import type { Context, SystemTx, Tx } from '../../kernel/context.ts'
import { servedPath } from '../../kernel/public-url.ts'
import type { CustomEmojiView } from '../../shapes/emoji.ts'

export type CustomEmoji = Selectable<CustomEmojiTable>

/** Path of custom emoji, below the server's own address. */
export const EMOJI_IMAGES_PATH = '/user_avatars/1/emoji/images'

/** All custom emoji ever, by id as the API spells it: old messages refer to deactivated ones. */
export const customEmojiById = async (caller: Context): Promise<ReadonlyMap<string, CustomEmoji>> =>
  (await customEmoji.get(caller)).byId

/** Custom emoji that can be used, by name. */
export const customEmojiByName = async (caller: Context): Promise<ReadonlyMap<string, { id: string; url: string }>> =>
  (await customEmoji.get(caller)).byName

const customEmoji = defineCache('custom-emoji', async (db) => {
  const rows = await db.selectFrom('custom_emoji').selectAll().orderBy('id').execute()
  const active = rows.filter((row) => !row.is_deactivated)
  return {
    byId: new Map(rows.map((row) => [String(row.id), row])),
    byName: new Map(active.map((row) => [row.name, { id: String(row.id), url: sourceUrl(row) }])),
  }
})

/** The last part of an image's address. */
export const fileName = ({ id, content_type }: CustomEmoji): string => `${id}.${formatOf(content_type)!.extension}`
const sourceUrl = (emoji: CustomEmoji): string => `${EMOJI_IMAGES_PATH}/${fileName(emoji)}`
const stillUrl = (emoji: CustomEmoji): string => `${EMOJI_IMAGES_PATH}/still/${fileName(emoji)}`

/** All custom emoji as the API shows them, by id. */
export async function customEmojiViews(caller: Context): Promise<Record<string, CustomEmojiView>> {
  const views: Record<string, CustomEmojiView> = {}
  for (const [id, emoji] of await customEmojiById(caller)) {
    views[id] = {
      id,
      name: emoji.name,
      source_url: servedPath(caller.chat, sourceUrl(emoji)),
      still_url: emoji.is_animated ? servedPath(caller.chat, stillUrl(emoji)) : null,
      deactivated: emoji.is_deactivated === 1,
      author_id: emoji.author_id,
    }
  }
  return views
}

/** Must be called by everything that changes the table. */
export const forgetCustomEmoji = (tx: SystemTx): void => customEmoji.invalidate(tx)

/** After a custom emoji was added or deactivated: invalidates the cache and emits the event with all of them. */
export async function emitCustomEmoji(tx: Tx, changed: number): Promise<void> {
  forgetCustomEmoji(tx)
  const realm_emoji = await customEmojiViews(tx)
  await emit(tx, { type: 'realm_emoji', op: 'update', realm_emoji, changed: String(changed) }, everyone)
}
