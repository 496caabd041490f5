import { useSignal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { copyLink } from '../../parts/copy-text.ts'
import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { DISCORD, discordAddress, webhookAddress } from './webhook-address.ts'

/** Puts together the URL that another service gets. The key is filled in by the reader, because it is shown only once. */
export function WebhookAddresses({ bot_id }: { bot_id: number }) {
  const { realm_url, realm_incoming_webhook_bots, subscriptions } = useSession().read('organization', 'streams')
  const service = useSignal('')
  const channel = useSignal('')
  const topic = useSignal('')
  const only = useSignal('')
  const except = useSignal('')
  const branches = useSignal('')
  const titled = useSignal(true)
  const discord = { name: DISCORD, display_name: pageTexts.bots.discord, all_event_types: null, url_options: [] }
  const offered = [...realm_incoming_webhook_bots, discord]
  const chosen = offered.find((one) => one.name === service.value)
  // An integration that an administrator made may have been removed since it was chosen.
  const { name, all_event_types, url_options } = chosen ?? offered[0]!
  const has = (option: string) => url_options.some(({ key }) => key === option)
  const hasBranches = has('branches')
  const hasTitles = has('use_merge_request_title')
  const params = {
    stream: channel.value,
    topic: topic.value.trim(),
    only_events: all_event_types ? listOf(only.value) : '',
    exclude_events: all_event_types ? listOf(except.value) : '',
    branches: hasBranches ? branches.value.trim() : '',
    use_merge_request_title: hasTitles && !titled.value ? 'false' : '',
  }
  const address = name === DISCORD ? discordAddress(realm_url, bot_id, params) : webhookAddress(realm_url, name, params)
  const names = subscriptions.filter(({ is_archived }) => !is_archived)
  return (
    <section class="address-builder" aria-label={pageTexts.bots.addresses}>
      <p class="quiet small">{pageTexts.bots.addressesHelp}</p>
      <label>
        {pageTexts.bots.service}
        <select value={name} onChange={(event) => (service.value = event.currentTarget.value)}>
          {offered.map((one) => (
            <option key={one.name} value={one.name}>
              {one.display_name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {pageTexts.common.channel}
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
      <Text label={texts.compose.topic} about={pageTexts.bots.topicHelp} value={topic} />
      {all_event_types && (
        <>
          <Text label={pageTexts.bots.onlyEvents} about={pageTexts.bots.eventsHelp(all_event_types)} value={only} />
          <Text label={pageTexts.bots.excludeEvents} value={except} />
        </>
      )}
      {hasBranches && <Text label={pageTexts.bots.branches} about={pageTexts.bots.branchesHelp} value={branches} />}
      {hasTitles && (
        <label class="choice">
          <input
            type="checkbox"
            checked={titled.value}
            onChange={(event) => (titled.value = event.currentTarget.checked)}
          />
          {pageTexts.bots.titlesInTopics}
        </label>
      )}
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
