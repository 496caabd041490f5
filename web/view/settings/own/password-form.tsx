import { pageTexts } from '../../../texts/page-texts.ts'
import { notify } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm } from '../action-form.tsx'
import { NewPassword } from '../new-password.tsx'
import { useAnswer } from '../use-answer.ts'
import { Confirmation, passwordIn } from './confirmation.tsx'

/** Changes the password, or sets the first one of an account that has signed in otherwise. */
export function PasswordForm() {
  const session = useSession()
  const { client } = session
  const state = session.read('users', 'organization')
  const { answer, load } = useAnswer(() => client.getSecondFactor())
  const { has_password = true, totp = false, passkeys = 0 } = answer.value ?? {}
  const change = async (data: FormData) => {
    const [old, new_password, again] = ['old', 'new', 'again'].map((name) => String(data.get(name) ?? ''))
    if (new_password !== again) throw new Error(pageTexts.account.passwordsDiffer)
    await client.updateSettings({ old_password: has_password ? old! : passwordIn(data), new_password: new_password! })
    notify(pageTexts.account.passwordChanged)
    await load()
  }
  const action = has_password ? pageTexts.account.changePassword : pageTexts.account.setPassword
  return (
    <ActionForm action={action} run={change}>
      {has_password ? (
        <label>
          {pageTexts.account.currentPassword}
          <input name="old" type="password" autocomplete="current-password" required />
        </label>
      ) : (
        <Confirmation proof={{ hasPassword: false, hasApp: totp, hasPasskey: passkeys > 0 }} />
      )}
      <NewPassword name="new" label={pageTexts.account.newPassword} about={() => state} />
      <label>
        {pageTexts.account.repeatPassword}
        <input name="again" type="password" autocomplete="new-password" required />
      </label>
    </ActionForm>
  )
}
