import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { Tick } from '../../parts/field.tsx'
import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'

/** Allowed domains of new email addresses. */
export function Domains() {
  const session = useSession()
  const { client } = session
  const { realm_domains, realm_emails_restricted_to_domains } = session.read('organization')
  return (
    <>
      <p class="quiet">
        {realm_emails_restricted_to_domains ? pageTexts.domains.restricted : pageTexts.domains.unrestricted}
      </p>
      <ActionForm
        action={pageTexts.domains.add}
        run={(data) =>
          client.addDomain({ domain: textIn(data, 'domain'), allow_subdomains: data.get('subdomains') === 'on' })
        }
      >
        <label>
          {pageTexts.domains.domain}
          <input
            name="domain"
            required
            maxLength={80}
            placeholder={pageTexts.domains.domainExample}
            autocomplete="off"
          />
        </label>
        <label class="choice">
          <input type="checkbox" name="subdomains" />
          {pageTexts.domains.subdomains}
        </label>
      </ActionForm>
      <ul class="settings-list">
        {realm_domains.map(({ domain, allow_subdomains }) => (
          <li key={domain}>
            <span class="name">{domain}</span>
            <Tick
              name={pageTexts.domains.subdomainsOf(domain)}
              value={allow_subdomains}
              save={(allow_subdomains) => client.updateDomain({ domain, allow_subdomains })}
            >
              {pageTexts.domains.subdomains}
            </Tick>
            <button
              type="button"
              aria-label={texts.common.removeName(domain)}
              onClick={() => attempt(() => client.removeDomain({ domain }))}
            >
              {pageTexts.common.remove}
            </button>
          </li>
        ))}
      </ul>
      {realm_domains.length === 0 && <p class="quiet">{pageTexts.domains.empty}</p>}
    </>
  )
}
