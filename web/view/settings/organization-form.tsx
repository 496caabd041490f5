import type { ComponentType } from 'preact'
import { permissionChoices } from '../../model/reading/permission-choices.ts'
import { useSession } from '../session-context.ts'
import { CheckField, ChoiceField, TextField } from './field.tsx'
import { type OrganizationSetting, organizationPages } from './organization-table.ts'

interface Props {
  setting: OrganizationSetting
  value: unknown
  save(value: unknown): Promise<unknown>
}

/** Refuses here what the server would not even be asked. */
function numberOf(text: string): number {
  if (!/^\s*\d+\s*$/.test(text)) throw new Error('Write a whole number.')
  return Number(text)
}

/** The field of each kind of setting. */
const fields: Readonly<Record<string, ComponentType<Props>>> = {
  check: ({ setting, value, save }) => <CheckField {...setting} value={value === true} save={save} />,
  line: ({ setting, value, save }) => <TextField {...setting} value={String(value ?? '')} save={save} />,
  address: ({ setting, value, save }) => (
    <TextField {...setting} value={String(value ?? '')} save={(text) => save(text.trim() || 'default')} />
  ),
  lines: ({ setting, value, save }) => <TextField {...setting} value={String(value)} multiline save={save} />,
  number: ({ setting, value, save }) => (
    <TextField {...setting} value={String(value)} isNumber save={(text) => save(numberOf(text))} />
  ),
  limit: ({ setting, value, save }) => (
    <TextField
      {...setting}
      value={typeof value === 'number' && value > 0 ? String(value) : ''}
      isNumber
      save={(text) => save(text === '' ? 'unlimited' : numberOf(text))}
    />
  ),
  duration: Duration,
  stream: StreamChoice,
  permission: Permission,
}

const durations: readonly (readonly [seconds: number | 'unlimited', label: string])[] = [
  [60, 'A minute'],
  [600, '10 minutes'],
  [3600, 'An hour'],
  [86_400, 'A day'],
  [604_800, 'A week'],
  [2_592_000, '30 days'],
  ['unlimited', 'No limit'],
]

function Duration({ setting, value, save }: Props) {
  const present = typeof value === 'number' ? value : 'unlimited'
  const isUsual = durations.some(([seconds]) => seconds === present)
  const options = isUsual ? durations : [[present, `${present} seconds`] as const, ...durations]
  return <ChoiceField {...setting} value={present} options={options} save={save} />
}

function StreamChoice({ setting, value, save }: Props) {
  const { subscriptions, unsubscribed, never_subscribed } = useSession().read('streams')
  const streams = [...subscriptions, ...unsubscribed, ...never_subscribed]
    .filter(({ is_archived, stream_id }) => !is_archived || stream_id === value)
    .map(({ stream_id, name }) => [stream_id, name] as const)
    .sort(([, a], [, b]) => a.localeCompare(b))
  const isHidden = value !== -1 && !streams.some(([stream_id]) => stream_id === value)
  const hidden = isHidden ? [[Number(value), 'A stream that you cannot see'] as const] : []
  return (
    <ChoiceField {...setting} value={Number(value)} options={[[-1, 'Nowhere'], ...hidden, ...streams]} save={save} />
  )
}

function Permission({ setting, value, save }: Props) {
  const session = useSession()
  const rules = session.read('organization').server_supported_permission_settings.realm[setting.name]
  if (!rules) return null
  const choices = permissionChoices(session, rules)
  // Other apps can give a permission to any set of people and groups. It can be seen here, and replaced.
  const isListed = choices.some(([id]) => id === value)
  const options = isListed ? choices : [[0, 'Chosen people and groups'] as const, ...choices]
  const present = isListed ? Number(value) : 0
  return <ChoiceField {...setting} value={present} options={options} save={(id) => save({ new: id, old: value })} />
}

/** One page of the organization's settings, with those that the reader may change. */
export const organizationForm = (page: keyof typeof organizationPages): ComponentType =>
  function OrganizationForm() {
    const session = useSession()
    const state = session.read('organization')
    const shown = organizationPages[page].filter(({ who }) => who !== 'owner' || state.is_owner)
    return (
      <>
        {shown.map((setting) => {
          const { kind, name } = setting
          const value = state[`realm_${name}`]
          const save = (now: unknown) => session.client.updateOrganization({ [name]: now })
          if (typeof kind !== 'string')
            return <ChoiceField key={name} {...setting} value={value as string | number} options={kind} save={save} />
          const Field = fields[kind]!
          return <Field key={name} setting={setting} value={value} save={save} />
        })}
      </>
    )
  }
