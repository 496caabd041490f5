import { signal } from '@preact/signals'
import { createClient } from '../../../src/client/index.ts'
import { serverUrl } from '../here.ts'
import { plainText } from '../reading/excerpt.ts'

/** What everybody may know of the organization. */
export const organization = signal({
  name: '',
  description: '',
  icon: '',
  /** Logos for light and dark themes. */
  logo: null as string | null,
  darkLogo: null as string | null,
  /** As #rrggbb; empty for the page's own. */
  accent: '',
  sendsEmail: false,
  /** Whether people can sign in with a passkey. */
  passkeys: false,
  /** Which ways to sign in there are, by their names in the API. */
  methods: {} as Readonly<Record<string, boolean>>,
  /** Whether people can create an account. */
  hasSignUp: false,
  /** Identity providers, each with the address that begins a sign-in. */
  providers: [] as readonly { name: string; display_name: string; login_url: string }[],
})

export async function readOrganization(): Promise<void> {
  try {
    const settings = await createClient({ url: serverUrl }).getServerSettings()
    const { realm_name, realm_description, realm_icon, sends_email, passkeys } = settings
    organization.value = {
      name: realm_name,
      description: plainText(realm_description),
      icon: realm_icon,
      logo: settings.realm_logo,
      darkLogo: settings.realm_night_logo,
      accent: settings.realm_accent_color,
      sendsEmail: sends_email,
      passkeys,
      methods: settings.authentication_methods,
      hasSignUp: settings.sign_up_enabled,
      providers: settings.external_authentication_methods,
    }
  } catch {
    // The form needs no name.
  }
}
