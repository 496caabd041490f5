import type { Context } from '../../kernel/context.ts'
import { findUser } from '../../kernel/user.ts'
import type { MailKind, MailRow } from '../outbox.ts'
import { deactivatedLetter, exportReadyLetter, reactivatedLetter, welcomeLetter } from './account.ts'
import { digestLetter } from './digest.ts'
import { emailChangeLetter, emailConfirmationLetter } from './email-change.ts'
import { guessingLetter } from './guessing.ts'
import { invitationLetter } from './invitation.ts'
import { missedLetter } from './missed.ts'
import { passwordResetLetter } from './password-reset.ts'
import { signInLetter } from './sign-in.ts'
import { signUpLetter } from './sign-up.ts'
import type { Addressed, Later, Pointless, WriteLetter } from './write-letter.ts'

const letters: Readonly<Record<MailKind, WriteLetter>> = {
  invitation: invitationLetter,
  password_reset: passwordResetLetter,
  email_confirmation: emailConfirmationLetter,
  email_change: emailChangeLetter,
  deactivated: deactivatedLetter,
  reactivated: reactivatedLetter,
  export_ready: exportReadyLetter,
  missed: missedLetter,
  digest: digestLetter,
  sign_in: signInLetter,
  sign_up: signUpLetter,
  guessing: guessingLetter,
  welcome: welcomeLetter,
}

type Written = Pointless | Later | (Omit<Addressed, 'to'> & { to: { name: string; address: string } })

/** Makes the text of an email, and returns where it goes. */
export async function write(context: Context, mail: MailRow): Promise<Written> {
  const writeLetter = (letters as Readonly<Record<string, WriteLetter | undefined>>)[mail.kind]
  // A newer version of the server may have stored it.
  if (!writeLetter) return { pointless: 'this version of the server does not know this kind of email' }
  const user = mail.user_id === null ? undefined : await findUser(context.db, mail.user_id)
  const written = await writeLetter(context, { ...mail, user })
  if ('pointless' in written || 'later' in written) return written
  const { to = user, ...letter } = written
  const address = written.to?.delivery_email ?? mail.address ?? user?.delivery_email
  if (address === undefined) return { pointless: 'the account does not exist anymore' }
  return { ...letter, to: { name: to?.full_name ?? '', address } }
}
