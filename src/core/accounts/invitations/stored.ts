import type { Selectable } from 'kysely'
import type { Db, InvitationTable } from '../../../storage/index.ts'
import { administratorsAnd } from '../../events/log/audience.ts'
import { emit } from '../../events/log/emit.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { isSameSecret } from '../../kernel/base/same-secret.ts'
import type { Chat } from '../../kernel/chat.ts'
import type { Caller, Context, SystemTx, Tx } from '../../kernel/context.ts'
import { badRequest, ChatError, notPermitted } from '../../kernel/errors.ts'
import { isAdministrator } from '../../kernel/roles.ts'
import { secretsOf } from '../../kernel/secrets.ts'
import { enqueueMail } from '../../mail/outbox.ts'

export type Invitation = Selectable<InvitationTable>

/** Path of the page that a link opens. Its token is the parameter `token`. */
export const JOIN_PAGE_PATH = '/join'

/**
 * Returns the token of an invitation's link. It is derived from the chat's secret each time, so links can be shown
 * again and a stolen backup contains none.
 */
const tokenOf = (chat: Chat, { id, nonce }: Invitation, way: Way): string =>
  `${id}-${secretsOf(chat).digest(`${way === 'email' ? 'emailed ' : ''}invitation ${id} ${nonce}`)}`

/** How a link reached its reader. Only an email proves that they read mail at the address. */
type Way = 'by hand' | 'email'

export const linkOf = (
  { chat, origin }: Pick<Context, 'chat' | 'origin'>,
  invitation: Invitation,
  way: Way = 'by hand',
): string => `${origin}${JOIN_PAGE_PATH}?token=${tokenOf(chat, invitation, way)}`

/** Emails the link of an invitation to its address. */
export async function mailInvitation(tx: SystemTx, { id, nonce, email, expires_at }: Invitation): Promise<void> {
  if (email === null) return
  const lasts = expires_at === null ? {} : { lasts: expires_at - seconds(tx.chat.clock) }
  const data = { invitation_id: id, nonce }
  await enqueueMail(tx, { kind: 'invitation', once: `invitation ${id} ${nonce}`, address: email, data, ...lasts })
}

export const isOpen = ({ chat }: Pick<Context, 'chat'>, { revoked, expires_at }: Invitation): boolean =>
  revoked === 0 && (expires_at === null || expires_at > seconds(chat.clock))

const byId = (db: Db, id: number) => db.selectFrom('invitation').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * Returns the invitation that belongs to a link's token, and whether the link came by email.
 *
 * @throws ChatError BAD_INVITATION if it was used, was revoked, has expired or never existed
 */
export async function findByToken(
  context: Pick<Context, 'chat' | 'db'>,
  token: string,
): Promise<Invitation & { emailed: boolean }> {
  const id = Number(/^(\d{1,15})-/.exec(token.trim())?.[1] ?? 0)
  const invitation = await byId(context.db, id)
  const matches = (way: Way) => invitation && isSameSecret(token.trim(), tokenOf(context.chat, invitation, way))
  const emailed = matches('email') === true
  if (!invitation || !isOpen(context, invitation) || !(emailed || matches('by hand'))) {
    throw new ChatError('BAD_INVITATION', 'This invitation has expired or was already used. Ask for a new one')
  }
  return { ...invitation, emailed }
}

/**
 * Returns an invitation that the writer may revoke or send again: their own, and any for administrators.
 *
 * @throws ChatError BAD_REQUEST "No such invitation"
 */
export async function accessInvitation({ chat, db, user }: Tx, id: number, isMultiuse: boolean): Promise<Invitation> {
  const invitation = await byId(db, id)
  if (!invitation || (invitation.is_multiuse === 1) !== isMultiuse) throw badRequest('No such invitation')
  if (invitation.inviter_id !== user.id && !isAdministrator(user)) throw badRequest('No such invitation')
  if (invitation.revoked === 1) throw badRequest('Invitation has already been revoked')
  if (!isOpen({ chat }, invitation)) throw badRequest('No such invitation')
  // The link of an invitation grants what its inviter could grant.
  if (invitation.role < user.role && invitation.inviter_id !== user.id) throw notPermitted()
  return invitation
}

/** Returns valid invitations, newest last: the caller's own, and all of them for administrators. */
export async function openInvitations({ chat, db, user }: Caller): Promise<Invitation[]> {
  let query = db.selectFrom('invitation').selectAll().where('revoked', '=', 0).orderBy('id')
  if (!isAdministrator(user)) query = query.where('inviter_id', '=', user.id)
  return (await query.execute()).filter((invitation) => isOpen({ chat }, invitation))
}

/** Announces that an invitation was added or removed to the users who may see it. */
export async function emitInvitesChanged(tx: SystemTx, inviter_id: number): Promise<void> {
  await emit(tx, { type: 'invites_changed' }, administratorsAnd(inviter_id))
}
