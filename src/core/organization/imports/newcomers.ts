import { systemCaller } from '../../accounts/create-organization.ts'
import { issuePasswordLink } from '../../accounts/password-links.ts'
import { setActive } from '../../accounts/set-active.ts'
import { giveEmail } from '../../accounts/update-user.ts'
import { recordAct } from '../../kernel/audit.ts'
import type { Chat } from '../../kernel/chat.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { inSlices } from '../../kernel/slices.ts'
import { findUser } from '../../kernel/user.ts'
import { sendsMail } from '../../mail/mail-service.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { STUB_DOMAIN } from '../../users/view.ts'

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
 * A stub whose address the source had becomes an account with this address, and keeps everything of the stub.
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
  if (mail && !(await sendsMail(caller)))
    throw badRequest("The server doesn't send email. Use the links without --mail.")
  const people = await newcomersOf(caller, id)
  const invited: Newcomer[] = []
  const inviteSome = async (tx: Tx, slice: readonly Person[]) => {
    const some: Newcomer[] = []
    for (const person of slice) some.push({ ...withoutStub(person), path: await invite(tx, id, person, { mail, by }) })
    const after = { newcomers: slice.length, by: mail ? 'email' : 'links' }
    await recordAct(tx, { action: 'inviteNewcomers', subject_kind: 'import', subject_id: id, after })
    return some
  }
  await inSlices(caller, people, SLICE, inviteSome, { done: (some) => void invited.push(...some) })
  return invited
}

type Person = Omit<Newcomer, 'path'> & { isStub?: true }

/** People who can be invited: new accounts that nobody uses yet, and stubs whose address the source had. */
export async function newcomersOf(context: Pick<Caller, 'db'>, import_id: number): Promise<Person[]> {
  const stubs = await context.db
    .selectFrom('import_object')
    .innerJoin('user', 'user.id', 'import_object.object_id')
    .select(['user.id as user_id', 'source_id as email', 'user.full_name'])
    .where('import_id', '=', import_id)
    .where('kind', '=', 'address')
    .where('user.email_key', 'like', `%@${STUB_DOMAIN}`)
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('user as other').select('other.id').whereRef('other.email_key', '=', 'source_id')),
      ),
    )
    .orderBy('user.id')
    .execute()
  return [...(await unusedAccounts(context, import_id)), ...stubs.map((one) => ({ ...one, isStub: true as const }))]
}

/** People whom the import created, and who have neither a password nor a key. */
const unusedAccounts = ({ db }: Pick<Caller, 'db'>, import_id: number) =>
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

const withoutStub = ({ user_id, email, full_name }: Person) => ({ user_id, email, full_name })

async function invite(
  tx: Tx,
  id: number,
  { user_id, email, isStub }: Person,
  { mail, by }: { mail: boolean; by: Caller | undefined },
) {
  if (isStub) {
    await giveEmail(tx, (await findUser(tx.db, user_id))!, email)
    await setActive(tx, (await findUser(tx.db, user_id))!, true)
  }
  if (!mail) return (await issuePasswordLink(tx, user_id, by?.user.id, LINK_SECONDS)).path
  // The same email is not sent twice, even if the command is.
  await enqueueMail(tx, { kind: 'password_reset', once: `import ${id} of ${user_id}`, address: email })
  return null
}
