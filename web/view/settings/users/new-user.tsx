import { pageTexts } from '../../../texts/page-texts.ts'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'

/** A form that creates an account for another user. */
export function NewUser({ onDone }: { onDone(): void }) {
  const { client, state } = useSession()
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
      <label>
        {pageTexts.users.initialPassword}
        <input
          name="password"
          type="password"
          required
          minLength={state.password_min_length}
          autocomplete="new-password"
        />
      </label>
    </ActionForm>
  )
}
