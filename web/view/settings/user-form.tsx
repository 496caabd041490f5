import type { ComponentChildren } from 'preact'
import { chooseHours, chooseLanguage, hasDayHours, language } from '../../model/state/language.ts'
import type { Language } from '../../texts/plural.ts'
import { useSession } from '../session-context.ts'
import { SettingCards } from './setting-cards.tsx'
import { SettingField, type SettingProps } from './setting-field.tsx'
import { type UserSettingName, userPages } from './user-table.ts'

interface UserFormProps {
  page: keyof typeof userPages
  /** A sentence before the fields. */
  about?: string
  /** Content of the first card, before its settings. */
  first?: ComponentChildren
  /** Content beside a choice, by its setting. */
  beside?: Partial<Record<UserSettingName, SettingProps['beside']>>
}

/** A page of the reader's own settings. */
export function UserForm({ page, about, first, beside = {} }: UserFormProps) {
  const session = useSession()
  const settings = session.read('settings').user_settings
  const shown = (name: UserSettingName) =>
    name === 'default_language'
      ? language
      : name === 'twenty_four_hour_time'
        ? hasDayHours(settings.twenty_four_hour_time)
        : settings[name]
  return (
    <>
      {about && <p class="quiet">{about}</p>}
      <SettingCards<(typeof userPages)[typeof page][number]> settings={userPages[page]} first={first}>
        {(setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            value={shown(setting.name)}
            beside={beside[setting.name]}
            save={async (value) => {
              await session.client.updateSettings({ [setting.name]: value })
              if (setting.name === 'default_language') chooseLanguage(value as Language)
              if (setting.name === 'twenty_four_hour_time') chooseHours()
            }}
          />
        )}
      </SettingCards>
    </>
  )
}
