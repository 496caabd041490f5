import { useSession } from '../../session-context.ts'

/** The addresses that other services post to, to be filled in with the key of the bot. */
export function WebhookAddresses() {
  const { realm_url, realm_incoming_webhook_bots } = useSession().read('organization')
  return (
    <section aria-label="Addresses for other services">
      <p class="quiet small">
        Give the service one of these addresses, with the key of the bot in place of KEY and the stream of your choice.
      </p>
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
