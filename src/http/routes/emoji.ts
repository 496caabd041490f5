import { deactivateCustomEmoji } from '../../core/emoji/custom/deactivate.ts'
import { listCustomEmoji } from '../../core/emoji/custom/list.ts'
import { uploadCustomEmoji } from '../../core/emoji/custom/upload.ts'
import type { Routes } from '../route-types.ts'

/** Custom emoji. */
export const emojiRoutes: Routes = {
  '/realm/emoji': { GET: listCustomEmoji },
  '/realm/emoji/:emoji_name': { POST: uploadCustomEmoji, DELETE: deactivateCustomEmoji },
}
