import { confirm } from '../../parts/confirm.tsx'
import { said } from '../../said.tsx'
import { useSession } from '../../session-context.ts'
import { SaveState } from '../field.tsx'
import { organizationForm } from '../organization-form.tsx'
import { useSaving } from '../use-saving.ts'

const About = organizationForm('about')

/** What the organization is called and looks like, and its end. */
export function Organization() {
  const session = useSession()
  const { client } = session
  const state = session.read('organization', 'users')
  const close = () =>
    confirm({
      title: said`Deactivate ${state.realm_name}?`,
      text: 'Everybody is signed out, and nobody can sign in. Nothing is deleted. Only “chat-server org reactivate” on the machine of the server opens it again.',
      action: 'Deactivate the organization',
      run: () => client.deactivateOrganization({}),
    })
  return (
    <>
      <About />
      <Picture
        label="Icon"
        about="A small square picture, shown where people sign in and by apps that know several servers."
        url={state.realm_icon_source === 'U' ? state.realm_icon_url : null}
        upload={(file) => client.uploadIcon({ file })}
        remove={() => client.removeIcon({})}
      />
      <Picture
        label="Logo"
        about="A wide picture, shown by apps."
        url={state.realm_logo_source === 'U' ? state.realm_logo_url : null}
        upload={(file) => client.uploadLogo({ file, night: false })}
        remove={() => client.removeLogo({ night: false })}
      />
      <Picture
        label="Logo on dark"
        about="The same for dark themes."
        url={state.realm_night_logo_source === 'U' ? state.realm_night_logo_url : null}
        upload={(file) => client.uploadLogo({ file, night: true })}
        remove={() => client.removeLogo({ night: true })}
      />
      {state.is_owner && (
        <div class="field">
          <span class="field-label">End</span>
          <p class="quiet small">Closes the organization to everybody.</p>
          <button type="button" onClick={close}>
            Deactivate the organization
          </button>
        </div>
      )}
    </>
  )
}

interface PictureProps {
  label: string
  about: string
  /** null where none was uploaded. */
  url: string | null
  upload(file: File): Promise<unknown>
  remove(): Promise<unknown>
}

function Picture({ label, about, url, upload, remove }: PictureProps) {
  const { problem, saved, run } = useSaving((file: File | undefined) => (file ? upload(file) : remove()))
  return (
    <div class="field">
      <label>
        <span class="field-label">{label}</span>
        <span class="quiet small about">{about}</span>
        {url && <img src={url} alt="" class="organization-picture" height={48} />}
        <input
          type="file"
          accept="image/*"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            if (file) run(file)
          }}
        />
      </label>
      {url && (
        <button type="button" aria-label={`Remove: ${label}`} onClick={() => run(undefined)}>
          Remove
        </button>
      )}
      <SaveState problem={problem.value} saved={saved.value} />
    </div>
  )
}
