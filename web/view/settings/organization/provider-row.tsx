import { useSignal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ChangeButton } from '../change-button.tsx'
import { passwordIn } from '../own/confirmation.tsx'
import { confirmWithProof } from '../own/own-confirmation.tsx'
import { membersIn, type Preset, type Provider, secretIn, type Trial } from './provider.ts'
import { ProviderForm } from './provider-form.tsx'
import { AddressesToRegister, TrialResult } from './trial-result.tsx'

interface RowProps {
  provider: Provider
  presets: readonly Preset[]
  onChanged(): Promise<void>
}

/** A provider, with what to register there. Providers of the server's file can only be tested. */
export function ProviderRow({ provider, presets, onChanged }: RowProps) {
  const { client } = useSession()
  const isOpen = useSignal(false)
  const trial = useSignal<Trial | undefined>(undefined)
  const { id: provider_id, name, display_name, problem } = provider
  const test = () =>
    attempt(async () => {
      trial.value = undefined
      trial.value = await client.testSignOnProvider({ name })
      await onChanged()
    })
  const remove = () =>
    confirmWithProof(client, {
      title: pageTexts.integrations.removeTitle(display_name),
      text: pageTexts.providers.removeText,
      action: pageTexts.common.remove,
      run: async (password) => {
        await client.removeSignOnProvider({ provider_id: provider_id!, password })
        await onChanged()
      },
    })
  const save = async (data: FormData) => {
    const client_secret = secretIn(data)
    await client.updateSignOnProvider({
      provider_id: provider_id!,
      provider: membersIn(data),
      ...(client_secret !== undefined && { client_secret }),
      password: passwordIn(data),
    })
    await onChanged()
    isOpen.value = false
  }
  return (
    <li class="bot">
      <span class="name">
        {display_name}
        <span class="quiet small">{String(provider.provider.issuer ?? name)}</span>
        {provider_id === null && <span class="quiet small">{pageTexts.providers.inFile}</span>}
        {problem !== null && <span class="problem small">{problem}</span>}
      </span>
      <button type="button" aria-label={pageTexts.providers.testName(display_name)} onClick={test}>
        {pageTexts.providers.test}
      </button>
      {provider_id !== null && (
        <>
          <ChangeButton name={display_name} isOpen={isOpen} />
          <button type="button" aria-label={texts.common.removeName(display_name)} onClick={remove}>
            {pageTexts.common.remove}
          </button>
        </>
      )}
      <AddressesToRegister of={provider} />
      <TrialResult trial={trial.value} />
      {isOpen.value && (
        <ProviderForm
          action={texts.common.save}
          presets={presets}
          provider={provider}
          run={save}
          onCancel={() => (isOpen.value = false)}
        />
      )}
    </li>
  )
}
