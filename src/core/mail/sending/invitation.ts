import { isOpen, linkOf } from '../../accounts/invitations/stored.ts'
import { publicUrlOf } from '../../kernel/public-url.ts'
import { findUser } from '../../kernel/user.ts'
import { settingsOf } from '../../settings/organization.ts'
import { onDay, readerOf } from '../reader.ts'
import type { WriteLetter } from './write-letter.ts'

/** Invites somebody, unless the invitation was used, was revoked or was sent again since. */
export const invitationLetter: WriteLetter = async (context, { data }) => {
  const { chat, db } = context
  const { invitation_id, nonce } = JSON.parse(data) as { invitation_id: number; nonce: string }
  const invitation = await db.selectFrom('invitation').selectAll().where('id', '=', invitation_id).executeTakeFirst()
  if (!invitation || invitation.nonce !== nonce || !isOpen({ chat }, invitation)) {
    return { pointless: 'the invitation is no longer valid' }
  }
  const inviter = await findUser(db, invitation.inviter_id)
  if (!inviter?.is_active) return { pointless: 'the person who invited is deactivated' }
  const { name } = await settingsOf(context)
  const reader = await readerOf(context, undefined, inviter)
  const { invitation: texts, common } = reader.texts
  const { expires_at } = invitation
  return {
    reader,
    subject: texts.subject(inviter.full_name, name),
    parts: [
      { text: common.helloStranger },
      { text: texts.text(inviter.full_name, inviter.delivery_email, name) },
      { button: texts.join(name), url: linkOf({ chat, origin: publicUrlOf(chat) }, invitation, 'email') },
      { text: expires_at === null ? texts.forYou : texts.forYouUntil(onDay(expires_at, reader)) },
    ],
  }
}
