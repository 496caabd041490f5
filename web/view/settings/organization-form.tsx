import type { ComponentType } from 'preact'
import { useSession } from '../session-context.ts'
import { organizationPages } from './organization-table.ts'
import { SettingCards } from './setting-cards.tsx'
import { SettingField } from './setting-field.tsx'

/** A page of the organization's settings that the reader may change. */
export const organizationForm = (page: keyof typeof organizationPages): ComponentType =>
  function OrganizationForm() {
    const session = useSession()
    const state = session.read('organization')
    const shown = organizationPages[page].filter(({ who }) => who !== 'owner' || state.is_owner)
    return (
      <SettingCards settings={shown}>
        {(setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            value={state[`realm_${setting.name}`]}
            save={(value) => session.client.updateOrganization({ [setting.name]: value })}
          />
        )}
      </SettingCards>
    )
  }
