import { useSignal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { FormField } from '../form-field.tsx'
import type { Provider } from './provider.ts'

/** The fields of a provider about the accounts that people get with it, and what they need besides. */
export function ProviderAccountFields({ provider }: { provider: Provider | undefined }) {
  const { trusted_domains, trust_all_domains, create, second_factor, required_for, break_glass } =
    (provider?.provider ?? {}) as Record<string, string & string[]>
  const isForAll = useSignal(trusted_domains?.includes('*') === true)
  return (
    <>
      <FormField
        name="trusted_domains"
        label={pageTexts.providers.domains}
        about={pageTexts.providers.domainsHelp}
        placeholder={pageTexts.domains.domainExample}
        defaultValue={trusted_domains?.join(', ')}
        spellcheck={false}
        onValue={(value) => (isForAll.value = value.includes('*'))}
      />
      {isForAll.value && (
        <label class="choice">
          <input type="checkbox" name="trust_all_domains" required defaultChecked={Boolean(trust_all_domains)} />
          {pageTexts.providers.trustAll}
        </label>
      )}
      <label class="choice">
        <input type="checkbox" name="create" defaultChecked={create === 'allowed_domains'} />
        {pageTexts.providers.create}
      </label>
      <label class="choice">
        <input type="checkbox" name="second_factor" defaultChecked={second_factor === 'provided'} />
        {pageTexts.providers.secondFactor}
      </label>
      <FormField
        name="required_for"
        label={pageTexts.providers.requiredFor}
        about={pageTexts.providers.requiredForHelp}
        placeholder={pageTexts.domains.domainExample}
        defaultValue={required_for?.join(', ')}
        spellcheck={false}
      />
      <FormField
        name="break_glass"
        label={pageTexts.providers.emergency}
        about={pageTexts.providers.emergencyHelp}
        placeholder={pageTexts.invite.addressesExample}
        defaultValue={break_glass?.join(', ')}
        spellcheck={false}
      />
    </>
  )
}
