import type { Person } from '../../../model/reading/people.ts'
import { isolated } from '../../../model/state/isolated.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { openCopyDialog } from '../../parts/copy-dialog.tsx'
import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ProfileValues } from '../own/profile-values.tsx'
import { TextField } from '../text-field.tsx'

/** The properties of an account that administrators change. */
export function UserSettings({ person }: { person: Person }) {
  const session = useSession()
  const { client } = session
  // The state changes in place, so a component that gets it as a property names the parts it depends on.
  session.read('users')
  const { user_id, full_name, delivery_email } = person
  const makeLink = () =>
    attempt(async () => {
      const { link_url } = await client.createPasswordLink({ user_id })
      openCopyDialog(
        pageTexts.users.passwordTitle(isolated(full_name)),
        pageTexts.users.passwordText(isolated(full_name)),
        [{ label: pageTexts.invite.link, value: link_url }],
      )
    })
  return (
    <div class="bot-settings">
      <TextField
        label={pageTexts.people.name}
        about={pageTexts.users.nameHelp}
        value={full_name}
        maxLength={100}
        save={(name) => client.updateUser({ user_id, full_name: name })}
      />
      <TextField
        label={pageTexts.account.email}
        about={pageTexts.users.emailHelp}
        value={delivery_email ?? ''}
        save={(new_email) => client.updateUser({ user_id, new_email: new_email.trim() })}
      />
      <ProfileValues
        user_id={user_id}
        save={(id, value) => client.updateUser({ user_id, profile_data: [{ id, value }] })}
      />
      <p>
        <button type="button" onClick={makeLink}>
          {pageTexts.users.passwordAction}
        </button>
      </p>
    </div>
  )
}
