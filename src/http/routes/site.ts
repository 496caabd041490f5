import { PASSWORD_PAGE_PATH } from '../../core/accounts/password-links.ts'
import { DRAWN_AVATARS_PATH } from '../../core/avatars/drawn-avatar.ts'
import { EMOJI_IMAGES_PATH } from '../../core/emoji/custom/custom-emoji.ts'
import { getCustomEmojiImage, getCustomEmojiStill } from '../../core/emoji/custom/served.ts'
import { EMOJI_DATA_PATH, ICON_PATH } from '../../core/organization/state.ts'
import { getAvatar, getDrawnAvatar } from '../../core/users/served-avatars.ts'
import { getPasswordPage, postPasswordPage } from '../pages/password.ts'
import type { Section } from '../route-types.ts'
import { getHealth, getReadiness } from '../serve/health.ts'
import { getEmojiData, getIcon } from '../serve/static.ts'

/** Paths outside the API: those that messages and clients refer to by URL, and those for operators. */
export const siteSection: Section = {
  tag: 'site',
  routes: {
    [`${EMOJI_IMAGES_PATH}/:file`]: { GET: getCustomEmojiImage },
    [`${EMOJI_IMAGES_PATH}/still/:file`]: { GET: getCustomEmojiStill },
    [`${DRAWN_AVATARS_PATH}/:file`]: { GET: getDrawnAvatar },
    '/avatar/:user': { GET: getAvatar },
    '/avatar/:user/medium': { GET: getAvatar },
    [EMOJI_DATA_PATH]: { GET: getEmojiData },
    [ICON_PATH]: { GET: getIcon },
    [PASSWORD_PAGE_PATH]: { GET: getPasswordPage, POST: postPasswordPage },
    // Where scripts of the official bots go.
    '/health': { GET: getHealth },
    '/health/ready': { GET: getReadiness },
  },
}
