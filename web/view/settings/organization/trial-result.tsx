import { pageTexts } from '../../../texts/page-texts.ts'
import { copyLink } from '../../parts/copy-text.ts'
import { asSaid } from '../../parts/general-words.ts'
import { attempt } from '../../parts/notices.tsx'
import type { Trial } from './provider.ts'

type Addresses = Pick<Trial, 'redirect_uri' | 'logout_uri'>

/** What a test of a provider found, and what to register there. */
export function TrialResult({ trial, isNew = false }: { trial: Trial | undefined; isNew?: boolean }) {
  return (
    <div role="status">
      {trial && (
        <>
          {trial.problem === null ? <p>{pageTexts.providers.works}</p> : <p class="problem">{asSaid(trial.problem)}</p>}
          {trial.hints.map((hint) => (
            <p key={hint} class="quiet small">
              {asSaid(hint)}
            </p>
          ))}
          {isNew && <AddressesToRegister of={trial} />}
        </>
      )}
    </div>
  )
}

/** The addresses that a provider has to know. */
export function AddressesToRegister({ of: { redirect_uri, logout_uri } }: { of: Addresses }) {
  const addresses = [
    [pageTexts.providers.redirect, redirect_uri],
    [pageTexts.providers.logout, logout_uri],
  ] as const
  return (
    <dl class="provider-addresses">
      {addresses.map(
        ([label, address]) =>
          address !== null && (
            <div key={label}>
              <dt class="quiet small">{label}</dt>
              <dd>
                <code class="small">{address}</code>
                <button
                  type="button"
                  aria-label={pageTexts.copy.copyNamed(label)}
                  onClick={() => attempt(() => copyLink(address))}
                >
                  {pageTexts.copy.copy}
                </button>
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}
