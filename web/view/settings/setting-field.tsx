import type { ComponentChildren, ComponentType } from 'preact'
import { isChatError } from '../../../src/client/index.ts'
import { compareNames } from '../../model/state/compare-names.ts'
import { locale } from '../../model/state/language.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { CheckField, ChoiceField } from '../parts/field.tsx'
import { languageChoicesWith } from '../parts/language-names.ts'
import { reasonOf } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { ColorField } from './color-field.tsx'
import { PermissionField } from './permission-field.tsx'
import type { Setting } from './setting.ts'
import { TextField } from './text-field.tsx'

export interface SettingProps {
  setting: Setting
  value: unknown
  save(value: unknown): Promise<unknown>
  /** The place of a permission, which decides the groups it may have. */
  of?: 'realm' | 'stream' | 'group'
  /** Content beside a choice, for the displayed value. */
  beside?: ((value: string | number) => ComponentChildren) | undefined
}

/** The field of a row of a table of settings. Addresses name it. */
export const SettingField = (props: SettingProps) => (
  <div id={`setting-${props.setting.name}`}>
    <FieldOf {...props} />
  </div>
)

function FieldOf(given: SettingProps) {
  const props = { ...given, save: saysLabel(given) }
  const { setting, value, beside, save } = props
  const { kind } = setting
  if (typeof kind !== 'string') {
    return (
      <ChoiceField
        {...setting}
        value={value as string | number}
        options={kind}
        save={save}
        {...(beside && { beside })}
      />
    )
  }
  const Field = fields[kind]!
  return <Field {...props} />
}

/** Server messages use the setting's own name, and people read the label beside the field. */
const saysLabel =
  ({ setting: { name, label }, save }: SettingProps) =>
  async (value: unknown): Promise<void> => {
    try {
      await save(value)
    } catch (error) {
      if (!isChatError(error)) throw error
      const reason = reasonOf(error)
      // The page's own words have no names of settings.
      if (!reason.startsWith(error.message)) throw error
      throw new Error(reason.replace(`'${name}'`, `“${label}”`).replace(new RegExp(`\\b${name}\\b`), label))
    }
  }

/** Rejects here what need not be sent to the server. */
function numberOf(text: string): number {
  if (!/^\s*\d+\s*$/.test(text)) throw new Error(pageTexts.fields.wholeNumber)
  return Number(text)
}

/** The value for the API: a word if there is none. */
function addressOf(text: string): string {
  const address = text.trim()
  if (address !== '' && !/^https?:\/\/\S+$/.test(address)) throw new Error(pageTexts.fields.address)
  return address || 'default'
}

/** Returns the local day of a time, as 2026-11-21. */
function dayOf(seconds: number): string {
  const time = new Date(seconds * 1000)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

/** The field of each kind of setting. */
const fields: Readonly<Record<string, ComponentType<SettingProps>>> = {
  check: ({ setting, value, save }) => <CheckField {...setting} value={value === true} save={save} />,
  line: ({ setting, value, save }) => <TextField {...setting} value={String(value ?? '')} save={save} />,
  color: ({ setting, value, save }) => <ColorField {...setting} value={String(value)} save={save} mayBeNone />,
  address: ({ setting, value, save }) => (
    <TextField {...setting} value={String(value ?? '')} save={async (text) => save(addressOf(text))} />
  ),
  lines: ({ setting, value, save }) => <TextField {...setting} value={String(value)} multiline save={save} />,
  number: ({ setting, value, save }) => (
    <TextField {...setting} value={String(value)} isNumber save={async (text) => save(numberOf(text))} />
  ),
  limit: ({ setting, value, save }) => (
    <TextField
      {...setting}
      value={typeof value === 'number' && value > 0 ? String(value) : ''}
      isNumber
      save={async (text) => save(text === '' ? 'unlimited' : numberOf(text))}
    />
  ),
  day: ({ setting, value, save }) => (
    <TextField
      {...setting}
      value={typeof value === 'number' ? dayOf(value) : ''}
      isDate
      save={async (text) => save(text === '' ? 'unlimited' : Date.parse(`${text}T00:00`) / 1000)}
    />
  ),
  duration: Duration,
  retention: Retention,
  stream: StreamChoice,
  calls: CallChoice,
  folder: FolderChoice,
  language: ({ setting, value, save }) => (
    <ChoiceField {...setting} value={String(value)} options={languageChoicesWith(String(value))} save={save} />
  ),
  permission: ({ setting, value, save, of = 'realm' }) => (
    <PermissionField setting={setting} value={value as number} save={save} of={of} />
  ),
}

const durations: readonly (readonly [seconds: number | 'unlimited', label: string])[] = [
  [60, pageTexts.fields.minute],
  [600, pageTexts.fields.tenMinutes],
  [3600, pageTexts.fields.hour],
  [86_400, pageTexts.fields.day],
  [604_800, pageTexts.fields.week],
  [2_592_000, pageTexts.fields.thirtyDays],
  ['unlimited', pageTexts.fields.noLimit],
]

/** An amount that isn't among the choices, such as "45 days". */
const amountOf = (amount: number | string, unit: 'second' | 'day'): string =>
  new Intl.NumberFormat(locale.value, { style: 'unit', unit, unitDisplay: 'long' }).format(Number(amount))

function Duration({ setting, value, save }: SettingProps) {
  const present = typeof value === 'number' ? value : 'unlimited'
  const isUsual = durations.some(([seconds]) => seconds === present)
  const options = isUsual ? durations : [[present, amountOf(present, 'second')] as const, ...durations]
  return <ChoiceField {...setting} value={present} options={options} save={save} />
}

const retentions: readonly (readonly [days: number | string, label: string])[] = [
  ['realm_default', pageTexts.fields.organizationDefault],
  ['unlimited', pageTexts.fields.forever],
  [7, pageTexts.fields.week],
  [30, pageTexts.fields.thirtyDays],
  [90, pageTexts.fields.ninetyDays],
  [365, pageTexts.fields.year],
]

function Retention({ setting, value, save }: SettingProps) {
  const present = value === null ? 'realm_default' : value === -1 ? 'unlimited' : Number(value)
  const isUsual = retentions.some(([days]) => days === present)
  const options = isUsual ? retentions : [...retentions, [present, amountOf(present, 'day')] as const]
  return <ChoiceField {...setting} value={present} options={options} save={save} />
}

function StreamChoice({ setting, value, save }: SettingProps) {
  const { subscriptions, unsubscribed, never_subscribed } = useSession().read('streams')
  const mustBePrivate = setting.name === 'moderation_request_channel_id'
  const streams = [...subscriptions, ...unsubscribed, ...never_subscribed]
    .filter(
      ({ is_archived, invite_only, stream_id }) =>
        stream_id === value || (!is_archived && (invite_only || !mustBePrivate)),
    )
    .map(({ stream_id, name }) => [stream_id, name] as const)
    .sort(([, a], [, b]) => compareNames(a, b))
  const isHidden = value !== -1 && !streams.some(([stream_id]) => stream_id === value)
  const hidden = isHidden ? [[Number(value), pageTexts.fields.hiddenChannel] as const] : []
  return (
    <ChoiceField
      {...setting}
      value={Number(value)}
      options={[[-1, pageTexts.common.none], ...hidden, ...streams]}
      save={save}
    />
  )
}

/** Providers that are not products. */
const NO_CALLS = 0
const URL_TEMPLATE = 100

/** Only the providers that the server offers. */
function CallChoice({ setting, value, save }: SettingProps) {
  const providers = Object.values(useSession().read('organization').realm_available_video_chat_providers)
  const words: Readonly<Record<number, string>> = {
    [NO_CALLS]: pageTexts.common.none,
    [URL_TEMPLATE]: pageTexts.choices.other,
  }
  const options = providers.map(({ id, name }) => [id, words[id] ?? name] as const)
  return <ChoiceField {...setting} value={Number(value)} options={options} save={save} />
}

/** No folder has this id. */
const NO_FOLDER = 0

function FolderChoice({ setting, value, save }: SettingProps) {
  const folders = useSession()
    .read('streams')
    .channel_folders.filter(({ id, is_archived }) => !is_archived || id === value)
    .map(({ id, name }) => [id, name] as const)
  return (
    <ChoiceField
      {...setting}
      value={value === null ? NO_FOLDER : Number(value)}
      options={[[NO_FOLDER, pageTexts.common.none], ...folders]}
      save={(id) => save(id === NO_FOLDER ? null : id)}
    />
  )
}
