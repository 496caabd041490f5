import type { Person } from '../../../model/reading/people.ts'
import { attempt } from '../../parts/notices.tsx'
import { showToCopy } from '../../parts/show-to-copy.tsx'
import { said } from '../../said.tsx'
import { useSession } from '../../session-context.ts'
import { ProfileValues } from '../own/profile-values.tsx'
import { TextField } from '../text-field.tsx'

/** What administrators change of somebody's account. */
export function UserSettings({ person }: { person: Person }) {
  const session = useSession()
  const { client } = session
  // The state's own object changes as it is: a component that is given one says what it depends on.
  session.read('users')
  const { user_id, full_name, delivery_email } = person
  const makeLink = () =>
    attempt(async () => {
      const { link_url } = await client.createPasswordLink({ user_id })
      showToCopy(
        said`A new password for ${full_name}`,
        said`With this link ${full_name} sets a new password, once, within 24 hours. This server sends no mail: pass it on. The present password works until then.`,
        [{ label: 'Link', value: link_url }],
      )
    })
  return (
    <div class="bot-settings">
      <TextField
        label="Name"
        about="What everybody sees beside their messages."
        value={full_name}
        maxLength={100}
        save={(name) => client.updateUser({ user_id, full_name: name })}
      />
      <TextField
        label="E-mail address"
        about="What they sign in with. It counts at once."
        value={delivery_email ?? ''}
        save={(new_email) => client.updateUser({ user_id, new_email: new_email.trim() })}
      />
      <ProfileValues
        user_id={user_id}
        save={(id, value) => client.updateUser({ user_id, profile_data: [{ id, value }] })}
      />
      <p>
        <button type="button" onClick={makeLink}>
          Make a link that sets a new password
        </button>
      </p>
    </div>
  )
}
