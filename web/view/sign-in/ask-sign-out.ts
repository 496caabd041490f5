import { signOut } from '../../model/account/account.ts'
import type { Session } from '../../model/state/session.ts'
import { texts } from '../../texts/texts.ts'
import { confirm } from '../parts/confirm.tsx'

/** Signs out. Pending and failed messages are deleted with the account, so the reader is asked first if there are any. */
export async function askThenSignOut(session: Session): Promise<void> {
  const left = session.outgoing.value.filter(({ status }) => status !== 'sent').length
  if (left === 0) await signOut()
  else
    confirm({
      title: texts.shell.signOutTitle,
      text: texts.shell.unsentBeforeSignOut(left),
      action: texts.shell.signOut,
      run: signOut,
    })
}
