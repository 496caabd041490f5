import { deactivateCustomEmoji } from '../../core/organization/emoji/deactivate.ts'
import { listCustomEmoji } from '../../core/organization/emoji/list.ts'
import { uploadCustomEmoji } from '../../core/organization/emoji/upload.ts'
import type { Routes } from '../route-types.ts'

/** Custom emoji. */
export const emojiRoutes: Routes = {
  '/realm/emoji': { GET: listCustomEmoji },
  '/realm/emoji/:emoji_name': { POST: uploadCustomEmoji, DELETE: deactivateCustomEmoji },
}
