import { signOut } from '../../../model/state/account.ts'
import { confirm } from '../../parts/confirm.tsx'
import { notify } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm } from '../action-form.tsx'
import { ownersAmong } from '../roles.ts'
import { TextField } from '../text-field.tsx'

/** What one signs in with. */
export function Account() {
  const session = useSession()
  const { client } = session
  const state = session.read('users', 'organization')
  const { delivery_email, password_min_length, is_admin, is_owner, realm_email_changes_disabled } = state
  const isOnlyOwner = is_owner && session.isPeopleKnown.value && ownersAmong(state.realm_users) === 1
  const changePassword = async (data: FormData) => {
    const [old_password, new_password, again] = ['old', 'new', 'again'].map((name) => String(data.get(name)))
    if (new_password !== again) throw new Error('The two new passwords are not the same.')
    await client.updateSettings({ old_password: old_password!, new_password: new_password! })
    notify('You have a new password. All other browsers and programs are signed out.')
  }
  const deactivate = () =>
    confirm({
      title: 'Deactivate your account?',
      text: 'You are signed out everywhere and cannot sign in again, and neither can your bots. Your messages stay. Only an administrator can undo it.',
      action: 'Deactivate',
      run: async () => {
        await client.deactivateOwnUser()
        await signOut()
      },
    })
  return (
    <>
      <TextField
        label="E-mail address"
        about="What you sign in with. It counts at once: this server sends no mail."
        value={delivery_email}
        whyNot={realm_email_changes_disabled && !is_admin && 'Only administrators change e-mail addresses here.'}
        save={(email) => client.updateSettings({ email: email.trim() })}
      />
      <h3>Password</h3>
      <ActionForm action="Change password" run={changePassword}>
        <label>
          Present password
          <input name="old" type="password" autocomplete="current-password" required />
        </label>
        <label>
          New password
          <input name="new" type="password" autocomplete="new-password" required minLength={password_min_length} />
        </label>
        <label>
          New password once more
          <input name="again" type="password" autocomplete="new-password" required />
        </label>
      </ActionForm>
      <h3>Leave</h3>
      {isOnlyOwner && (
        <p class="quiet small">You are the only owner: first make somebody else one, on the page “Users”.</p>
      )}
      <button type="button" disabled={isOnlyOwner} onClick={deactivate}>
        Deactivate your account
      </button>
    </>
  )
}
