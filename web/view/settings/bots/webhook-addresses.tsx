import { pageTexts } from '../../../texts/page-texts.ts'
import { useSession } from '../../session-context.ts'

/** The addresses for other services, with the bot's key filled in. */
export function WebhookAddresses() {
  const { realm_url, realm_incoming_webhook_bots } = useSession().read('organization')
  return (
    <section aria-label={pageTexts.bots.addresses}>
      <p class="quiet small">{pageTexts.bots.addressesHelp}</p>
      <ul class="addresses">
        {realm_incoming_webhook_bots.map(({ name, display_name }) => (
          <li key={name}>
            <span>{display_name}</span>
            <code>{`${realm_url}/api/v1/external/${name}?api_key=KEY&stream=general`}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}
