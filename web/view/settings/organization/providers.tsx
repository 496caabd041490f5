import { pageTexts } from '../../../texts/page-texts.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { Problem } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { passwordIn } from '../own/confirmation.tsx'
import { useAnswer } from '../use-answer.ts'
import { membersIn, nameIn, secretIn } from './provider.ts'
import { ProviderForm } from './provider-form.tsx'
import { ProviderRow } from './provider-row.tsx'

/** Identity providers that people sign in with, from the server's file and from this page. */
export function Providers() {
  const { client } = useSession()
  const { answer, problem, load } = useAnswer(() => client.listSignOnProviders({}))
  const { available, providers, presets } = answer.value ?? {}
  return (
    <>
      <p class="quiet">{pageTexts.providers.intro}</p>
      {available === false && <p>{pageTexts.providers.unavailable}</p>}
      {available && (
        <Disclosure label={pageTexts.providers.add}>
          {(close) => (
            <ProviderForm
              action={pageTexts.providers.add}
              presets={presets!}
              onCancel={close}
              run={async (data) => {
                await client.createSignOnProvider({
                  name: nameIn(data),
                  provider: membersIn(data),
                  client_secret: secretIn(data),
                  password: passwordIn(data),
                })
                await load()
                close()
              }}
            />
          )}
        </Disclosure>
      )}
      <Problem of={problem} />
      {providers?.length === 0 && <p class="quiet">{pageTexts.providers.empty}</p>}
      <ul class="settings-list">
        {providers?.map((provider) => (
          <ProviderRow key={provider.name} provider={provider} presets={presets!} onChanged={load} />
        ))}
      </ul>
    </>
  )
}
