import { systemCaller } from '../../accounts/create-organization.ts'
import { issuePasswordLink } from '../../accounts/password-links.ts'
import { recordAct } from '../../kernel/audit.ts'
import type { Chat } from '../../kernel/chat.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { inSlices } from '../../kernel/slices.ts'
import { sendsMail } from '../../mail/mail-service.ts'
import { enqueueMail } from '../../mail/outbox.ts'

const SLICE = 50
/** Newcomers need time: not all of them read the message on the same day. */
const LINK_SECONDS = 7 * 86_400

export interface Newcomer {
  user_id: number
  email: string
  full_name: string
  /** Of the page that sets a password; null if it was sent by email. */
  path: string | null
}

/**
 * Creates a link to set a password for each person whom an import brought and who can't sign in yet, or sends it to them.
 * A link replaces the person's earlier one.
 *
 * @param options.by - the owner who passes the links on; nobody for the command line
 * @throws ChatError BAD_REQUEST for an unknown or undone import, and with `mail` if the server sends no email
 */
export async function inviteNewcomers(
  chat: Chat,
  id: number,
  { mail, by }: { mail: boolean; by?: Caller },
): Promise<Newcomer[]> {
  const caller = by ?? (await systemCaller(chat))
  const row = await caller.db.selectFrom('import').select('undone_at').where('id', '=', id).executeTakeFirst()
  if (!row) throw badRequest(`Import ${id} does not exist`)
  if (row.undone_at !== null) throw badRequest(`Import ${id} was undone`)
  if (mail && !sendsMail(chat)) throw badRequest("The server doesn't send email. Use the links without --mail.")
  const people = await newcomersOf(caller, id)
  const invited: Newcomer[] = []
  await inSlices(caller, people, SLICE, async (tx, slice) => {
    for (const person of slice)
      invited.push({ ...person, path: await invite(tx, id, person, { mail, by }) })
    const after = { newcomers: slice.length, by: mail ? 'email' : 'links' }
    await recordAct(tx, { action: 'inviteNewcomers', subject_kind: 'import', subject_id: id, after })
  })
  return invited
}

/** People whom the import created, and who have neither a password nor a key. */
export const newcomersOf = ({ db }: Pick<Caller, 'db'>, import_id: number) =>
  db
    .selectFrom('import_object')
    .innerJoin('user', 'user.id', 'import_object.object_id')
    .select(['user.id as user_id', 'user.delivery_email as email', 'user.full_name'])
    .where('import_id', '=', import_id)
    .where('kind', '=', 'user')
    .where('is_new', '=', 1)
    .where('user.is_active', '=', 1)
    .where('user.bot_type', 'is', null)
    .where('user.password_hash', 'is', null)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('api_key').select('api_key.id').whereRef('api_key.user_id', '=', 'user.id'))),
    )
    .orderBy('user.id')
    .execute()

async function invite(
  tx: Tx,
  id: number,
  { user_id, email }: Omit<Newcomer, 'path'>,
  { mail, by }: { mail: boolean; by: Caller | undefined },
) {
  if (!mail) return (await issuePasswordLink(tx, user_id, by?.user.id, LINK_SECONDS)).path
  // The same email is not sent twice, even if the command is.
  await enqueueMail(tx, { kind: 'password_reset', once: `import ${id} of ${user_id}`, address: email })
  return null
}
