import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'
import { Tick } from '../field.tsx'

/** The domains that new e-mail addresses must be in. */
export function Domains() {
  const session = useSession()
  const { client } = session
  const { realm_domains, realm_emails_restricted_to_domains } = session.read('organization')
  return (
    <>
      <p class="quiet">
        {realm_emails_restricted_to_domains
          ? 'Only addresses in one of these domains can join.'
          : 'Everybody with an invitation can join. “Only addresses of certain domains” on the page “Accounts” makes these count.'}
      </p>
      <ActionForm
        action="Add domain"
        run={(data) =>
          client.addDomain({ domain: textIn(data, 'domain'), allow_subdomains: data.get('subdomains') === 'on' })
        }
      >
        <label>
          Domain
          <input name="domain" required maxLength={80} placeholder="example.com" autocomplete="off" />
        </label>
        <label class="choice">
          <input type="checkbox" name="subdomains" />
          Its subdomains, too
        </label>
      </ActionForm>
      <ul class="settings-list">
        {realm_domains.map(({ domain, allow_subdomains }) => (
          <li key={domain}>
            <span class="name">{domain}</span>
            <Tick
              name={`Subdomains of ${domain}, too`}
              value={allow_subdomains}
              save={(allow_subdomains) => client.updateDomain({ domain, allow_subdomains })}
            >
              Subdomains
            </Tick>
            <button
              type="button"
              aria-label={`Remove ${domain}`}
              onClick={() => attempt(() => client.removeDomain({ domain }))}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      {realm_domains.length === 0 && <p class="quiet">There are none yet.</p>}
    </>
  )
}
