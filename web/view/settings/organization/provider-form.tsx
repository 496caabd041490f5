import { useSignal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm } from '../action-form.tsx'
import { FormField } from '../form-field.tsx'
import { OwnConfirmation } from '../own/own-confirmation.tsx'
import {
  DEFAULT_NAME,
  EXAMPLE_ISSUER,
  EXAMPLE_MEMBERS,
  membersIn,
  nameIn,
  othersOf,
  type Preset,
  type Provider,
  secretIn,
  type Trial,
} from './provider.ts'
import { ProviderAccountFields } from './provider-account-fields.tsx'
import { TrialResult } from './trial-result.tsx'

interface FormProps {
  action: string
  presets: readonly Preset[]
  /** The provider to edit; a new one without it. */
  provider?: Provider
  run(data: FormData): Promise<unknown>
  onCancel(): void
}

/** The fields of a provider, and a button that tests them. */
export function ProviderForm({ action, presets, provider, run, onCancel }: FormProps) {
  const { client } = useSession()
  const {
    preset: first = '',
    issuer,
    client_id,
    display_name,
  } = (provider?.provider ?? {}) as Record<string, string & string[]>
  const chosen = useSignal<string>(first)
  const trial = useSignal<Trial | undefined>(undefined)
  const preset = presets.find(({ name }) => name === chosen.value)
  const test = (form: HTMLFormElement) =>
    attempt(async () => {
      trial.value = undefined
      const data = new FormData(form)
      const name = provider?.name ?? nameIn(data)
      trial.value = await client.testSignOnProvider({ name, provider: membersIn(data), client_secret: secretIn(data) })
    })
  return (
    <ActionForm action={action} run={run} onCancel={onCancel} keep={provider !== undefined}>
      <label>
        {pageTexts.providers.kind}
        <select name="preset" value={chosen.value} onChange={(event) => (chosen.value = event.currentTarget.value)}>
          <option value="">{pageTexts.providers.standard}</option>
          {presets.map(({ name, display_name }) => (
            <option key={name} value={name}>
              {display_name}
            </option>
          ))}
        </select>
      </label>
      {!provider && (
        <FormField
          name="name"
          label={pageTexts.providers.name}
          about={pageTexts.providers.nameHelp}
          maxLength={31}
          placeholder={chosen.value || DEFAULT_NAME}
          spellcheck={false}
        />
      )}
      <FormField
        name="issuer"
        label={pageTexts.providers.issuer}
        about={pageTexts.providers.issuerHelp}
        required={!preset?.issuer}
        placeholder={preset?.issuer || preset?.issuer_example || EXAMPLE_ISSUER}
        defaultValue={issuer}
        spellcheck={false}
      />
      <FormField name="client_id" label={pageTexts.providers.clientId} required defaultValue={client_id} />
      <FormField
        name="client_secret"
        label={pageTexts.providers.clientSecret}
        {...(provider?.has_client_secret && { about: pageTexts.providers.secretStays })}
        type="password"
        autocomplete="new-password"
      />
      <FormField
        name="display_name"
        label={pageTexts.providers.displayName}
        about={pageTexts.providers.displayNameHelp}
        maxLength={60}
        placeholder={preset?.display_name ?? ''}
        defaultValue={display_name}
      />
      <ProviderAccountFields provider={provider} />
      <FormField
        name="more"
        label={pageTexts.providers.more}
        about={pageTexts.providers.moreHelp}
        rows={3}
        spellcheck={false}
        placeholder={EXAMPLE_MEMBERS}
        defaultValue={provider && othersOf(provider)}
      />
      <p class="buttons">
        <button type="button" onClick={(event) => test(event.currentTarget.form!)}>
          {pageTexts.providers.test}
        </button>
      </p>
      <TrialResult trial={trial.value} isNew={!provider} />
      <OwnConfirmation />
    </ActionForm>
  )
}
