import { CONFIRM_EMAIL_PATH, UNDO_EMAIL_PATH } from '../../core/accounts/change-email.ts'
import { JOIN_PAGE_PATH } from '../../core/accounts/invitations/stored.ts'
import { PASSWORD_PAGE_PATH } from '../../core/accounts/password-links.ts'
import { PASSWORD_RESET_PAGE_PATH } from '../../core/accounts/password-reset.ts'
import { UPLOADS_PATH } from '../../core/files/names.ts'
import { downloadFile, getFile, getTemporaryFile, getThumbnail, redirectToImage } from '../../core/files/served.ts'
import { LOADING_IMAGE_PATH } from '../../core/files/shown-images.ts'
import { UNSUBSCRIBE_PATH } from '../../core/mail/unsubscribe-link.ts'
import { extraEmoji } from '../../core/markup/emoji/catalogue.ts'
import { JOIN_CALL_PATH, joinBigBlueButtonCall } from '../../core/organization/calls/bigbluebutton.ts'
import { EMOJI_IMAGES_PATH } from '../../core/organization/emoji/custom-emoji.ts'
import { getCustomEmojiImage, getCustomEmojiStill } from '../../core/organization/emoji/served.ts'
import { EXPORTS_PATH } from '../../core/organization/exports/export-view.ts'
import { getExport } from '../../core/organization/exports/exports.ts'
import { getOwnExport, OWN_EXPORTS_PATH } from '../../core/organization/exports/own-exports.ts'
import { OLD_LINKS_PATH, redirectOldLink } from '../../core/organization/imports/old-links.ts'
import { DEFAULT_PICTURES_PATH, ORGANIZATION_PICTURES_PATH } from '../../core/organization/pictures.ts'
import { getDefaultPicture, getOrganizationPicture } from '../../core/organization/served-pictures.ts'
import { SET_UP_PAGE_PATH } from '../../core/organization/set-up.ts'
import { EMOJI_DATA_PATH } from '../../core/organization/state.ts'
import { AVATARS_PATH } from '../../core/users/avatars/avatar-url.ts'
import { DRAWN_AVATARS_PATH } from '../../core/users/avatars/drawn-avatar.ts'
import { getAvatar, getDrawnAvatar, getMediumAvatar, getUploadedAvatar } from '../../core/users/served-avatars.ts'
import {
  getConfirmEmailPage,
  getUndoEmailPage,
  postConfirmEmailPage,
  postUndoEmailPage,
} from '../pages/email-change.ts'
import { getJoinPage, postJoinPage } from '../pages/join.ts'
import { getKeyPage, KEY_PATH, postKeyPage } from '../pages/key.ts'
import { getPasswordPage, postPasswordPage } from '../pages/password.ts'
import { getPasswordResetPage, postPasswordResetPage } from '../pages/password-reset.ts'
import { getSetUpPage, postSetUpPage } from '../pages/set-up.ts'
import { signOnPages } from '../pages/sign-on/routes.ts'
import { getTermsPage, postTermsPage, TERMS_PATH } from '../pages/terms.ts'
import { getUnsubscribePage, postUnsubscribePage } from '../pages/unsubscribe.ts'
import type { Routes, Section } from '../route-types.ts'
import { getHealth, getReadiness } from '../serve/health.ts'
import { getEmojiData, getExtraEmojiImage, getLoadingImage } from '../serve/static.ts'

export const healthRoutes: Routes = {
  '/health': { GET: getHealth },
  '/health/ready': { GET: getReadiness },
}

/** Paths outside the API: addresses in messages and clients, and paths for operators. */
export const siteSection: Section = {
  tag: 'site',
  routes: {
    [`${EMOJI_IMAGES_PATH}/:file`]: { GET: getCustomEmojiImage },
    [`${EMOJI_IMAGES_PATH}/still/:file`]: { GET: getCustomEmojiStill },
    [extraEmoji.url]: { GET: getExtraEmojiImage },
    [`${DRAWN_AVATARS_PATH}/:file`]: { GET: getDrawnAvatar },
    '/avatar/:user': { GET: getAvatar },
    '/avatar/:user/medium': { GET: getMediumAvatar },
    [`${AVATARS_PATH}/:file`]: { GET: getUploadedAvatar },
    [`${ORGANIZATION_PICTURES_PATH}/:file`]: { GET: getOrganizationPicture },
    [`${UPLOADS_PATH}/:realm_id/**:filename`]: { GET: getFile },
    [`${UPLOADS_PATH}/download/:realm_id/**:filename`]: { GET: downloadFile },
    [`${UPLOADS_PATH}/thumbnail/:realm_id/**:filename`]: { GET: getThumbnail },
    [`${EXPORTS_PATH}/**:path`]: { GET: getExport },
    [`${OWN_EXPORTS_PATH}/:export_id(\\d+)`]: { GET: getOwnExport },
    [`${OLD_LINKS_PATH}/:source/**:id`]: { GET: redirectOldLink },
    '/thumbnail': { GET: redirectToImage },
    [JOIN_CALL_PATH]: { GET: joinBigBlueButtonCall },
    [LOADING_IMAGE_PATH]: { GET: getLoadingImage },
    [`${UPLOADS_PATH}/temporary/:token/:filename`]: { GET: getTemporaryFile },
    [EMOJI_DATA_PATH]: { GET: getEmojiData },
    [`${DEFAULT_PICTURES_PATH}/:file`]: { GET: getDefaultPicture },
    [TERMS_PATH]: { GET: getTermsPage, POST: postTermsPage },
    [KEY_PATH]: { GET: getKeyPage, POST: postKeyPage },
    [PASSWORD_PAGE_PATH]: { GET: getPasswordPage, POST: postPasswordPage },
    [PASSWORD_RESET_PAGE_PATH]: { GET: getPasswordResetPage, POST: postPasswordResetPage },
    [CONFIRM_EMAIL_PATH]: { GET: getConfirmEmailPage, POST: postConfirmEmailPage },
    [UNDO_EMAIL_PATH]: { GET: getUndoEmailPage, POST: postUndoEmailPage },
    [`${UNSUBSCRIBE_PATH}/:kind(missed_messages|digest|topic)/:token`]: {
      GET: getUnsubscribePage,
      POST: postUnsubscribePage,
    },
    [SET_UP_PAGE_PATH]: { GET: getSetUpPage, POST: postSetUpPage },
    [JOIN_PAGE_PATH]: { GET: getJoinPage, POST: postJoinPage },
    ...signOnPages,
    // Scripts of Zulip's official bots use these paths.
    ...healthRoutes,
  },
}
