import { personOf } from '../../model/reading/people.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { StatusEmoji } from '../emoji/status-emoji.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { ChoiceField, SaveState } from '../parts/field.tsx'
import { FileInput } from '../parts/file-input.tsx'
import { useSaving } from '../parts/use-saving.ts'
import { useSession } from '../session-context.ts'
import { cropPicture } from './own/crop-picture.tsx'
import { ProfileValues } from './own/profile-values.tsx'
import { openStatus } from './own/status-form.tsx'
import { TextField } from './text-field.tsx'

/** The reader's profile, as others see it. */
export function Profile() {
  const session = useSession()
  const { client } = session
  const { full_name, user_id, delivery_email, avatar_source, is_admin } = session.read('users')
  const { realm_name_changes_disabled, realm_avatar_changes_disabled } = session.read('organization')
  const keepsPicture = realm_avatar_changes_disabled && !is_admin
  const timezone = personOf(session, user_id)?.timezone ?? ''
  const status = session.read('statuses').user_status[user_id]
  const upload = (file: File) => client.uploadAvatar({ file })
  const picture = useSaving((file: File | undefined) => (file ? upload(file) : client.removeAvatar()))
  return (
    <>
      <p class="quiet">{pageTexts.profile.signedInAs(delivery_email)}</p>
      <TextField
        label={pageTexts.people.name}
        about={pageTexts.profile.nameHelp}
        value={full_name}
        maxLength={100}
        whyNot={realm_name_changes_disabled && !is_admin && pageTexts.profile.nameLocked}
        save={(name) => client.updateSettings({ full_name: name })}
      />
      <div class="field">
        <span class="field-label">{pageTexts.profile.status}</span>
        <p class="quiet small">{pageTexts.profile.statusHelp}</p>
        <p>
          <StatusEmoji user_id={user_id} /> {status?.status_text ?? (status ? '' : pageTexts.common.none)}
        </p>
        <button type="button" onClick={() => openStatus(session)}>
          {texts.shell.setStatus}
        </button>
      </div>
      <ChoiceField
        label={texts.shell.timeZone}
        about={pageTexts.profile.timeZoneHelp}
        value={timezone}
        options={[['', pageTexts.common.notSet], ...zones(timezone)]}
        save={(zone) => client.updateSettings({ timezone: zone })}
      />
      <div class="field">
        <label>
          {pageTexts.profile.picture}
          <span class="picture">
            <Avatar user_id={user_id} size={64} />
            <FileInput
              accept="image/*"
              disabled={keepsPicture}
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? []
                // The same file can be chosen again.
                event.currentTarget.value = ''
                if (file) void cropPicture(file, upload, () => picture.run(file))
              }}
            />
          </span>
        </label>
        {keepsPicture && <p class="quiet small">{pageTexts.profile.pictureLocked}</p>}
        {!keepsPicture && avatar_source === 'U' && (
          <button type="button" onClick={() => picture.run(undefined)}>
            {pageTexts.profile.removePicture}
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
