import { useSignal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { copyLink } from '../../parts/copy-text.ts'
import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { webhookAddress } from './webhook-address.ts'

/** Puts together the URL that another service gets. The key is filled in by the reader, because it is shown only once. */
export function WebhookAddresses() {
  const { realm_url, realm_incoming_webhook_bots, subscriptions } = useSession().read('organization', 'streams')
  const service = useSignal('')
  const channel = useSignal('')
  const topic = useSignal('')
  const only = useSignal('')
  const except = useSignal('')
  const branches = useSignal('')
  const chosen = realm_incoming_webhook_bots.find((one) => one.name === service.value)
  // An integration that an administrator made may have been removed since it was chosen.
  const { name, all_event_types, url_options } = chosen ?? realm_incoming_webhook_bots[0]!
  const hasBranches = url_options.some(({ key }) => key === 'branches')
  const address = webhookAddress(realm_url, name, {
    stream: channel.value,
    topic: topic.value.trim(),
    only_events: all_event_types ? listOf(only.value) : '',
    exclude_events: all_event_types ? listOf(except.value) : '',
    branches: hasBranches ? branches.value.trim() : '',
  })
  const names = subscriptions.filter(({ is_archived }) => !is_archived)
  return (
    <section class="address-builder" aria-label={pageTexts.bots.addresses}>
      <p class="quiet small">{pageTexts.bots.addressesHelp}</p>
      <label>
        {pageTexts.bots.service}
        <select value={name} onChange={(event) => (service.value = event.currentTarget.value)}>
          {realm_incoming_webhook_bots.map((one) => (
            <option key={one.name} value={one.name}>
              {one.display_name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {pageTexts.bots.channel}
        <select value={channel.value} onChange={(event) => (channel.value = event.currentTarget.value)}>
          <option value="">{pageTexts.bots.defaultChannel}</option>
          {/* By id, so that renaming the channel does not break the URL. */}
          {names.map((one) => (
            <option key={one.stream_id} value={String(one.stream_id)}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      <Text label={pageTexts.bots.topic} about={pageTexts.bots.topicHelp} value={topic} />
      {all_event_types && (
        <>
          <Text label={pageTexts.bots.onlyEvents} about={pageTexts.bots.eventsHelp(all_event_types)} value={only} />
          <Text label={pageTexts.bots.excludeEvents} value={except} />
        </>
      )}
      {hasBranches && <Text label={pageTexts.bots.branches} about={pageTexts.bots.branchesHelp} value={branches} />}
      <p class="copied-address">
        <code>{address}</code>
        <button type="button" onClick={() => attempt(() => copyLink(address))}>
          {pageTexts.copy.copy}
        </button>
      </p>
    </section>
  )
}

/** Words separated by commas or spaces, as a JSON list; empty if there are none. */
function listOf(text: string): string {
  const words = text.split(/[\s,]+/).filter(Boolean)
  return words.length > 0 ? JSON.stringify(words) : ''
}

interface TextProps {
  label: string
  about?: string
  value: { value: string }
}

const Text = ({ label, about, value }: TextProps) => (
  <label>
    {label}
    {about && <span class="quiet small"> {about}</span>}
    <input
      value={value.value}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => (value.value = event.currentTarget.value)}
    />
  </label>
)
