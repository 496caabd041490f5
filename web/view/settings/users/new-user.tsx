import { pageTexts } from '../../../texts/page-texts.ts'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { NewPassword } from '../new-password.tsx'

const typed = (data: FormData) => ({ delivery_email: textIn(data, 'email'), full_name: textIn(data, 'full_name') })

/** A form that creates an account for another user. */
export function NewUser({ onDone }: { onDone(): void }) {
  const { client } = useSession()
  const create = async (data: FormData) => {
    await client.createUser({
      full_name: textIn(data, 'full_name'),
      email: textIn(data, 'email'),
      password: String(data.get('password')),
    })
    onDone()
  }
  return (
    <ActionForm action={pageTexts.common.add} run={create} onCancel={onDone}>
      <label>
        {pageTexts.people.name}
        <input name="full_name" required maxLength={100} autocomplete="off" />
      </label>
      <label>
        {pageTexts.account.email}
        <input name="email" type="email" required autocomplete="off" />
      </label>
      <NewPassword name="password" label={pageTexts.users.initialPassword} about={typed} />
    </ActionForm>
  )
}
