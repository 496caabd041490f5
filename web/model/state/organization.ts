import { signal } from '@preact/signals'
import { createClient } from '../../../src/client/index.ts'
import { plainText } from '../reading/excerpt.ts'
import { serverUrl } from './here.ts'

/** What everybody may know of the organization. */
export const organization = signal({ name: '', description: '', icon: '', sendsEmail: false })

export async function readOrganization(): Promise<void> {
  try {
    const { realm_name, realm_description, realm_icon, sends_email } = await createClient({
      url: serverUrl,
    }).getServerSettings()
    organization.value = {
      name: realm_name,
      description: plainText(realm_description),
      icon: realm_icon,
      sendsEmail: sends_email,
    }
  } catch {
    // The form needs no name.
  }
}
