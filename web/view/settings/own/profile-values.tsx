import type { ClientState } from '../../../../src/client/index.ts'
import { personOf } from '../../../model/reading/people.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { PeopleInput } from '../../compose/people-input.tsx'
import { ChoiceField, SaveState } from '../../parts/field.tsx'
import { useSaving } from '../../parts/use-saving.ts'
import { useSession } from '../../session-context.ts'
import { TextField } from '../text-field.tsx'

type ProfileField = ClientState['custom_profile_fields'][number]

interface ValueProps {
  field: ProfileField
  value: string
  save(value: string | number[]): Promise<unknown>
}

const LONG_TEXT = 2
const SELECT = 3
const DATE = 4
const USERS = 6

interface ProfileValuesProps {
  user_id: number
  save(field_id: number, value: string | number[]): Promise<unknown>
}

/** The reader's values of the organization's fields. */
export function ProfileValues({ user_id, save }: ProfileValuesProps) {
  const session = useSession()
  const { custom_profile_fields, is_admin } = session.read('organization', 'users')
  const person = personOf(session, user_id)
  // Users are fetched after the first view. Until then their values are unknown, which differs from empty.
  if (!person) return null
  const values = person.profile_data ?? {}
  const changeable = custom_profile_fields.filter(({ editable_by_user }) => editable_by_user || is_admin)
  return (
    <>
      {changeable.map((field) => (
        <Value
          key={field.id}
          field={field}
          value={values[field.id]?.value ?? ''}
          save={(value) => save(field.id, value)}
        />
      ))}
    </>
  )
}

function Value({ field, value, save }: ValueProps) {
  const { name, type, hint, required } = field
  const shared = { label: required ? pageTexts.profile.required(name) : name, about: hint, save }
  if (type === USERS) return <UsersValue field={field} value={value} save={save} />
  if (type === SELECT) {
    const data = JSON.parse(field.field_data) as Record<string, { text: string; order: string }>
    const sorted = Object.entries(data).sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    const options = sorted.map(([key, { text }]) => [key, text] as const)
    return <ChoiceField<string> {...shared} value={value} options={[['', pageTexts.common.notSet], ...options]} />
  }
  return <TextField {...shared} value={value} multiline={type === LONG_TEXT} isDate={type === DATE} />
}

function UsersValue({ field: { name, hint }, value, save }: ValueProps) {
  const { problem, saved, run } = useSaving((ids: readonly number[]) => save([...ids]))
  const ids = value === '' ? [] : (JSON.parse(value) as number[])
  return (
    <div class="field">
      <span class="field-label">{name}</span>
      {hint && <p class="quiet small">{hint}</p>}
      <PeopleInput label={name} placeholder={pageTexts.common.addPerson} user_ids={ids} onChange={run} />
      <SaveState problem={problem.value} saved={saved.value} />
    </div>
  )
}
