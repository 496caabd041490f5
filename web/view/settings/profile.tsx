import { personOf } from '../../model/reading/people.ts'
import { StatusEmoji } from '../emoji/status-emoji.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { useSession } from '../session-context.ts'
import { ChoiceField, SaveState } from './field.tsx'
import { ProfileValues } from './own/profile-values.tsx'
import { openStatus } from './own/status-form.tsx'
import { TextField } from './text-field.tsx'
import { useSaving } from './use-saving.ts'

/** Who one is for the others. */
export function Profile() {
  const session = useSession()
  const { client } = session
  const { full_name, user_id, delivery_email, avatar_source, is_admin } = session.read('users')
  const { realm_name_changes_disabled, realm_avatar_changes_disabled } = session.read('organization')
  const keepsPicture = realm_avatar_changes_disabled && !is_admin
  const timezone = personOf(session, user_id)?.timezone ?? ''
  const status = session.read('statuses').user_status[user_id]
  const picture = useSaving((file: File | undefined) => (file ? client.uploadAvatar({ file }) : client.removeAvatar()))
  return (
    <>
      <p class="quiet">Signed in as {delivery_email}.</p>
      <TextField
        label="Name"
        about="What the others see beside your messages."
        value={full_name}
        maxLength={100}
        whyNot={realm_name_changes_disabled && !is_admin && 'Only administrators change names here.'}
        save={(name) => client.updateSettings({ full_name: name })}
      />
      <div class="field">
        <span class="field-label">Status</span>
        <p class="quiet small">An emoji and a few words beside your name, such as “On holiday until Monday”.</p>
        <p>
          <StatusEmoji user_id={user_id} /> {status?.status_text ?? (status ? '' : 'None')}
        </p>
        <button type="button" onClick={openStatus}>
          Set your status
        </button>
      </div>
      <ChoiceField
        label="Time zone"
        about="The others see what time it is where you are."
        value={timezone}
        options={[['', 'Not said'], ...zones(timezone)]}
        save={(zone) => client.updateSettings({ timezone: zone })}
      />
      <div class="field">
        <label>
          Picture
          <span class="picture">
            <Avatar user_id={user_id} size={64} />
            <input
              type="file"
              accept="image/*"
              disabled={keepsPicture}
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? []
                if (file) picture.run(file)
              }}
            />
          </span>
        </label>
        {keepsPicture && <p class="quiet small">Only administrators change pictures here.</p>}
        {!keepsPicture && avatar_source === 'U' && (
          <button type="button" onClick={() => picture.run(undefined)}>
            Remove the picture
          </button>
        )}
        <SaveState problem={picture.problem.value} saved={picture.saved.value} />
      </div>
      <ProfileValues user_id={user_id} save={(id, value) => client.updateProfileData({ data: [{ id, value }] })} />
    </>
  )
}

/** The time zones that the browser knows, and the present one. */
function zones(present: string): (readonly [zone: string, label: string])[] {
  const known = Intl.supportedValuesOf('timeZone')
  const all = present === '' || known.includes(present) ? known : [present, ...known]
  return all.map((zone) => [zone, zone.replaceAll('_', ' ')] as const)
}
