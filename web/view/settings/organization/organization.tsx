import { isolated } from '../../../model/state/isolated.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { confirm } from '../../parts/confirm.tsx'
import { SaveState } from '../../parts/field.tsx'
import { FileInput } from '../../parts/file-input.tsx'
import { attempt, notify } from '../../parts/notices.tsx'
import { useSaving } from '../../parts/use-saving.ts'
import { useSession } from '../../session-context.ts'
import { DangerZone } from '../danger-zone.tsx'
import { organizationForm } from '../organization-form.tsx'

const About = organizationForm('about')

/** The organization's name, images and deactivation. */
export function Organization() {
  const session = useSession()
  const { client } = session
  const state = session.read('organization', 'users')
  const close = () =>
    confirm({
      title: pageTexts.organization.deactivateTitle(isolated(state.realm_name)),
      text: pageTexts.organization.deactivateText,
      action: pageTexts.organization.deactivate,
      run: () => client.deactivateOrganization({}),
    })
  const testWelcome = () =>
    attempt(async () => {
      await client.testWelcomeText({ welcome_message_custom_text: state.realm_welcome_message_custom_text })
      notify(pageTexts.organization.testWelcomeSent)
    })
  return (
    <>
      <About />
      {state.realm_welcome_message_custom_text !== '' && (
        <p>
          <button type="button" onClick={testWelcome}>
            {pageTexts.organization.testWelcome}
          </button>
        </p>
      )}
      <Picture
        label={pageTexts.organization.icon}
        about={pageTexts.organization.iconHelp}
        url={state.realm_icon_source === 'U' ? state.realm_icon_url : null}
        upload={(file) => client.uploadIcon({ file })}
        remove={() => client.removeIcon({})}
      />
      <Picture
        label={pageTexts.organization.logo}
        about={pageTexts.organization.logoHelp}
        url={state.realm_logo_source === 'U' ? state.realm_logo_url : null}
        upload={(file) => client.uploadLogo({ file, night: false })}
        remove={() => client.removeLogo({ night: false })}
      />
      <Picture
        label={pageTexts.organization.darkLogo}
        about={pageTexts.organization.darkLogoHelp}
        url={state.realm_night_logo_source === 'U' ? state.realm_night_logo_url : null}
        upload={(file) => client.uploadLogo({ file, night: true })}
        remove={() => client.removeLogo({ night: true })}
      />
      {state.is_owner && (
        <DangerZone
          about={pageTexts.organization.dangerHelp}
          action={pageTexts.organization.deactivate}
          onClick={close}
        />
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
        <FileInput
          accept="image/*"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            if (file) run(file)
          }}
        />
      </label>
      {url && (
        <button type="button" aria-label={pageTexts.organization.removePicture(label)} onClick={() => run(undefined)}>
          {pageTexts.common.remove}
        </button>
      )}
      <SaveState problem={problem.value} saved={saved.value} />
    </div>
  )
}
