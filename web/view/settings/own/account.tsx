import { signOut } from '../../../model/account/account.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { confirm } from '../../parts/confirm.tsx'
import { notify } from '../../parts/notices.tsx'
import { onDemand } from '../../parts/on-demand.tsx'
import { useSession } from '../../session-context.ts'
import { ownersAmong } from '../roles.ts'
import { TextField } from '../text-field.tsx'

const PasswordForm = onDemand(async () => (await import('./password-form.tsx')).PasswordForm)
const SecondFactor = onDemand(async () => (await import('./second-factor.tsx')).SecondFactor)
const OwnExport = onDemand(async () => (await import('./own-export.tsx')).OwnExport)

/** Email address, password and second factor. */
export function Account() {
  const session = useSession()
  const { client } = session
  const state = session.read('users', 'organization')
  const { delivery_email, is_admin, is_owner, realm_email_changes_disabled } = state
  const isOnlyOwner = is_owner && session.isPeopleKnown.value && ownersAmong(state.realm_users) === 1
  const changeEmail = async (email: string) => {
    const { confirmation_sent_to } = await client.updateSettings({ email: email.trim() })
    if (confirmation_sent_to) notify(pageTexts.account.emailConfirmation(confirmation_sent_to))
  }
  const deactivate = () =>
    confirm({
      title: pageTexts.account.deactivateTitle,
      text: pageTexts.account.deactivateText,
      action: pageTexts.common.deactivate,
      run: async () => {
        await client.deactivateOwnUser()
        await signOut()
      },
    })
  return (
    <>
      <TextField
        label={pageTexts.account.email}
        about={pageTexts.account.emailHelp}
        value={delivery_email}
        whyNot={realm_email_changes_disabled && !is_admin && pageTexts.account.emailLocked}
        save={changeEmail}
      />
      <h3>{pageTexts.account.password}</h3>
      <PasswordForm />
      <SecondFactor />
      <OwnExport />
      <h3>{pageTexts.account.leave}</h3>
      {isOnlyOwner && <p class="quiet small">{pageTexts.account.onlyOwner}</p>}
      <button type="button" disabled={isOnlyOwner} onClick={deactivate}>
        {pageTexts.account.deactivate}
      </button>
    </>
  )
}
