import { Avatar } from '../parts/avatar.tsx'
import { useSession } from '../session-context.ts'
import { SaveState, TextField, useSaving } from './field.tsx'

/** Who one is for the others. */
export function Profile() {
  const session = useSession()
  const { client } = session
  const { full_name, user_id, delivery_email } = session.read('users')
  const status = session.read('presence').user_status[user_id]
  const picture = useSaving((file: File) => client.uploadAvatar({ file }))
  return (
    <>
      <p class="quiet">Signed in as {delivery_email}.</p>
      <TextField
        label="Name"
        about="What the others see beside your messages."
        value={full_name}
        maxLength={100}
        save={(name) => client.updateSettings({ full_name: name })}
      />
      <TextField
        label="Status"
        about="A few words beside your name, such as “On holiday until Monday”."
        value={status?.status_text ?? ''}
        maxLength={60}
        save={(status_text) => client.updateStatus({ status_text })}
      />
      <div class="field">
        <label>
          Picture
          <span class="picture">
            <Avatar user_id={user_id} size={64} />
            <input
              type="file"
              accept="image/*"
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? []
                if (file) picture.run(file)
              }}
            />
          </span>
        </label>
        <SaveState problem={picture.problem.value} saved={picture.saved.value} />
      </div>
    </>
  )
}
