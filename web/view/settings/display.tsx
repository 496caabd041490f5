import { pageTexts } from '../../texts/page-texts.ts'
import { ChoiceField } from '../parts/field.tsx'
import { useSession } from '../session-context.ts'
import { UserForm } from './user-form.tsx'

/** Size of text in px and height of lines in percent, which rows and gaps follow. */
const densities = [
  ['14/122', pageTexts.display.compact],
  ['16/140', pageTexts.display.regular],
  ['18/160', pageTexts.display.roomy],
] as const

/** How the page looks. */
export function Display() {
  const session = useSession()
  const { web_font_size_px: size, web_line_height_percent: height } = session.read('settings').user_settings
  const present = `${size}/${height}`
  const isUsual = densities.some(([value]) => value === present)
  const save = (chosen: string) => {
    const [web_font_size_px, web_line_height_percent] = chosen.split('/').map(Number)
    return session.client.updateSettings({ web_font_size_px, web_line_height_percent })
  }
  return (
    <UserForm
      page="display"
      first={
        <ChoiceField<string>
          label={pageTexts.display.density}
          about={pageTexts.display.densityHelp}
          value={present}
          options={isUsual ? densities : [...densities, [present, pageTexts.display.custom]]}
          save={save}
        />
      }
    />
  )
}
